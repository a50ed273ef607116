/* Nothing stands under the final name before it is whole. */
#include "runtime/output/places.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "record/place.h"
#include "record/zone.h"
#include "runtime/core/core.h"
#include "runtime/output/jobspool.h"
#include "runtime/core/sys.h"
#include "runtime/core/store.h"
#include "runtime/core/text.h"
#include "runtime/core/trust.h"

static int make_directory(const char *path, mode_t mode) { return (int)sys(mkdirat, AT_FDCWD, path, mode); }

/* Without replacing what is there. File systems that do not know how to rename so can link. */
static bool give_name(const char *partial, const char *path) {
    if (sys(renameat2, AT_FDCWD, partial, AT_FDCWD, path, 1 /* RENAME_NOREPLACE */) == 0) return true;
    if (errno != EINVAL && errno != ENOSYS) return false;
    if (sys(linkat, AT_FDCWD, partial, AT_FDCWD, path, 0) != 0) return false;
    sys(unlinkat, AT_FDCWD, partial, 0);
    return true;
}

static void directory_of(const char *path, char *to, size_t room) {
    const char *slash = strrchr(path, '/');
    iol__text text = {to, room, 0};
    iol__text_bytes(&text, slash ? path : ".", slash ? (size_t)(slash - path) + (slash == path) : 1);
}

/* Of the whole log; the directory is asked only where the site wants a group to read. */
static mode_t mode_of(const iol__place *place) {
    static char directory[IOL_PLACE_BYTES];
    struct stat facts = {.st_mode = S_ISGID};
    const mode_t mode = (mode_t)iol__place_mode(&iol__core_state.config, place, facts.st_mode);
    if (!(mode & S_IRGRP)) return mode;
    directory_of(place->path, directory, sizeof directory);
    if (sys(newfstatat, AT_FDCWD, directory, &facts, 0) != 0) facts.st_mode = 0;
    return (mode_t)iol__place_mode(&iol__core_state.config, place, facts.st_mode);
}

/* Under a name of its own until it is whole: for file systems that need one, and for other ranks that write to it. */
static bool write_named(const iol__putting *putting, const iol__place *place) {
    static char partial[IOL_PLACE_BYTES + 48];
    iol__text text = {partial, sizeof partial, 0};
    const size_t length = strlen(place->path), suffix = sizeof ".darshan" - 1;
    const bool plain = place->exact || length < suffix;
    iol__text_bytes(&text, place->path, plain ? length : length - suffix);
    iol__text_add(&text, ".");
    iol__text_number(&text, iol__core_state.pid);
    iol__text_add(&text, ".darshan_partial");
    int fd = iol__sys_open(AT_FDCWD, partial, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
    if (fd < 0) return false;
    bool done = putting->write(fd, partial, putting->context);
    int why = errno;
    if (done) {
        sys(fchmod, fd, mode_of(place));
        done = give_name(partial, place->path);
        why = errno;
    }
    sys(close, fd);
    if (!done) sys(unlinkat, AT_FDCWD, partial, 0);
    errno = why;
    return done;
}

/* A file without a name gets one by its descriptor. */
static bool name_it(int fd, const iol__place *place) {
    char self[40];
    iol__text text = {self, sizeof self, 0};
    iol__text_add(&text, "/proc/self/fd/");
    iol__text_number(&text, fd);
    sys(fchmod, fd, mode_of(place));
    return sys(linkat, AT_FDCWD, self, AT_FDCWD, place->path, AT_SYMLINK_FOLLOW) == 0;
}

/* Killed at any moment, it has left nothing, or all of it. *unable: that cannot be done here. */
static bool write_nameless(const iol__putting *putting, const iol__place *place, bool *unable) {
    static char directory[IOL_PLACE_BYTES];
    directory_of(place->path, directory, sizeof directory);
    const int fd = iol__sys_open(AT_FDCWD, directory, O_TMPFILE | O_RDWR, 0600);
    *unable = fd < 0;
    if (fd < 0) return false;
    bool done = putting->write(fd, NULL, putting->context);
    int why = errno;
    if (done) {
        done = name_it(fd, place);
        why = errno;
        *unable = !done && why != EEXIST; /* there may be no /proc */
    }
    sys(close, fd);
    errno = why;
    return done;
}

static bool write_at(const iol__putting *putting, const iol__place *place) {
    bool unable = true;
    if (place->create) iol__place_create(place, make_directory);
    if (!putting->named && write_nameless(putting, place, &unable)) return true;
    return unable && write_named(putting, place);
}

static bool size_allowed(uint64_t bytes) {
    struct rlimit limit = {0};
    return sys(prlimit64, 0, RLIMIT_FSIZE, NULL, &limit) != 0 || limit.rlim_cur >= bytes;
}

/* The file of a run is `run`'s to write, also where the program changed the variable that leads to it. */
static bool beside_a_run(void) { return iol__variable(iol__core_state.environment, IOL_RUN_VARIABLE) != NULL; }

/* There is no place for a log. */
static bool put_elsewhere(const iol__putting *putting, const char *wanted, int why, char *path) {
    static char found[sizeof iol__core_state.directory];
    found[0] = path[0] = 0;
    const iol__spooled how = putting->homeless ? iol__job_append_homeless(found, sizeof found) : IOL_SPOOL_FAILED;
    const bool spooled = how == IOL_SPOOLED, dropped = how == IOL_SPOOL_FULL;
    if ((spooled || dropped) && !iol__core_state.verbose && !iol__job_speaks()) return true;
    iol__say_place(wanted, why, spooled || dropped ? found : iol__store_state.mapped ? iol__store_state.path : "");
    return spooled || dropped;
}

bool iol__put_log(const iol__putting *putting, char *path, size_t room) {
    static iol__place place;
    static char user[256], failed[IOL_PLACE_BYTES];
    static struct utsname host;
    const iol__core *core = &iol__core_state;
    if (sys(uname, &host) != 0) host.nodename[0] = 0;
    iol__user_name(core->environment, (uid_t)getauxval(AT_EUID), user, sizeof user);
    const iol__place_facts facts = {
        .user = user,
        .program = core->program,
        .job = putting->job,
        .pid = core->pid,
        .start = putting->start,
        .utc_offset = iol__utc_offset(core->environment, core->zero_s, iol__sys_read_file),
        .random = iol__place_random(host.nodename, (uint64_t)iol__clock_monotonic() / 1000),
        .beside = beside_a_run(),
        .environment = core->environment,
        .trusts = iol__trust_directory,
    };
    failed[0] = 0;
    const bool allowed = size_allowed(putting->bytes);
    int why = allowed ? ENOENT : EFBIG;
    unsigned candidate = 0;
    while (allowed && iol__place_next(&core->config, &facts, &candidate, &place)) {
        if (write_at(putting, &place)) {
            iol__text_add(&(iol__text){path, room, 0}, place.path);
            if (failed[0]) iol__say_place(failed, why, path);
            return true;
        }
        if (failed[0]) continue;
        why = errno;
        iol__text_add(&(iol__text){failed, sizeof failed, 0}, place.path);
    }
    return put_elsewhere(putting, failed, why, path);
}
