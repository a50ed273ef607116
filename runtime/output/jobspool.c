/* The directory of a job on this node: made by the first process that records something, found by the others by its
   name, which comes from the user, the job, how often that was started, and, on a disk, the machine's boot. It is opened
   without following links and has to be the user's own. Whoever makes a log of it takes the spool's name away first,
   then the directory; a process that comes later makes them again. */
#include "runtime/output/jobspool.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "record/hash.h"
#include "record/held.h"
#include "record/mapped.h"
#include "record/place.h"
#include "runtime/core/core.h"
#include "runtime/output/held.h"
#include "runtime/core/store.h"
#include "runtime/core/sys.h"
#include "runtime/core/text.h"

enum { TRIES = 3, MAPPED = 48 << 10 /* what a process with few files takes while it lives */ };

static char place[sizeof iol__core_state.directory]; /* of the directory; "": none was found */
static uint64_t number;                              /* of the job */
static int64_t charged;                              /* for the mapped file */

/* The name --------------------------------------------------------------------------------------------------------- */

static uint64_t add_hash(const char *text, uint64_t hash) { return iol__hash(text, strlen(text), hash); }

/* Whether what is there outlives the machine's boot: not where it is memory, which is the usual place. */
static bool lasts(const char *where) {
    enum { MEMORY = 0x01021994 };
    struct statfs facts = {0};
    return sys(statfs, where, &facts) != 0 || facts.f_type != MEMORY;
}

static uint64_t number_of(const char *where, const char *job) {
    static const char *const restarts[] = {
#define RESTART(variable, who) variable,
#include "schema/restarts.def"
#undef RESTART
    };
    char boot[64] = "";
    const long got = lasts(where) ? iol__sys_read_proc("/proc/sys/kernel/random/boot_id", boot, sizeof boot - 1) : 0;
    uint64_t hash = iol__hash(boot, got > 0 ? (size_t)got : 0, (uint64_t)iol__sys_user());
    hash = add_hash(job, hash);
    for (size_t i = 0; i < sizeof restarts / sizeof *restarts; i++) {
        const char *count = iol__variable(iol__core_state.environment, restarts[i]);
        if (count) hash = add_hash(count, hash + i + 1);
    }
    return hash ? hash : 1;
}

/* False if it is too long. A job's id may hold anything. */
static bool name_directory(const char *where, const char *job) {
    iol__core *core = &iol__core_state;
    iol__text text = {core->directory, sizeof core->directory, 0};
    iol__text_add(&text, where);
    iol__text_add(&text, "/" IOL_JOB_DIRECTORY);
    iol__text_number(&text, iol__sys_user());
    iol__text_add(&text, "-");
    for (int i = 0; i < 24 && job[i]; i++) {
        const char c = job[i];
        const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.';
        iol__text_bytes(&text, plain ? &c : "_", 1);
    }
    iol__text_add(&text, "-");
    iol__text_hex(&text, number);
    return text.length + 1 < sizeof core->directory;
}

/* The directory ---------------------------------------------------------------------------------------------------- */

static bool is_private(const struct stat *st) {
    return S_ISDIR(st->st_mode) && st->st_uid == (uid_t)sys(geteuid, 0) && (st->st_mode & 077) == 0;
}

static int open_directory(void) {
    return iol__sys_open(AT_FDCWD, iol__core_state.directory, O_PATH | O_DIRECTORY | O_NOFOLLOW, 0);
}

/* The second process finds it made. */
static bool make_spool(int directory) {
    const int fd = iol__sys_open(directory, IOL_RUN_SPOOL, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
    if (fd < 0) return errno == EEXIST;
    const bool made = iol__spool_begin(fd);
    sys(close, fd);
    if (!made) sys(unlinkat, directory, IOL_RUN_SPOOL, 0);
    return made;
}

/* A spool without its head is the rest of one whose maker was killed, or somebody is at it. */
static bool use_directory(bool spool) {
    const iol__core *core = &iol__core_state;
    struct stat st = {0};
    if (!spool && sys(newfstatat, AT_FDCWD, core->directory, &st, AT_SYMLINK_NOFOLLOW) == 0) return is_private(&st);
    int directory = open_directory();
    bool made = false;
    if (directory < 0 && errno == ENOENT) {
        if (sys(mkdirat, AT_FDCWD, core->directory, 0700) == 0) {
            sys(fchmodat, AT_FDCWD, core->directory, 0700); /* whatever the umask is */
            made = true;
        } else if (errno != EEXIST) {
            return false;
        }
        directory = open_directory();
    }
    if (directory < 0) return false;
    bool good = sys(fstat, directory, &st) == 0 && is_private(&st);
    if (good && made) iol__held_correct(place);
    if (good && (made || spool)) good = make_spool(directory);
    sys(close, directory);
    return good;
}

/* Past the limit for file sizes a write raises a signal; a spool grows with every process. */
static bool is_size_allowed(void) {
    enum { LEAST = 64 << 20 };
    struct rlimit limit = {0};
    return sys(prlimit64, 0, RLIMIT_FSIZE, NULL, &limit) != 0 || limit.rlim_cur >= LEAST;
}

static bool find_place(const char *job) {
    iol__core *core = &iol__core_state;
    const char *where;
    if (!is_size_allowed()) return false;
    for (unsigned n = 0; (where = iol__store_place(n)) != NULL; n++) {
        place[0] = 0;
        if (*where != '/') continue;
        number = number_of(where, job);
        if (!name_directory(where, job)) continue;
        iol__text_add(&(iol__text){place, sizeof place, 0}, where);
        if (use_directory(false)) return true;
    }
    place[0] = core->directory[0] = 0;
    return false;
}

/* Joining ---------------------------------------------------------------------------------------------------------- */

/* Outside of batch jobs: a session has the number of its leader, and numbers come again, so when that began belongs to it. What lives on when
   the leader has gone has another log. */
static const char *text_of_session(int *leader) {
    static char name[64];
    char path[32], line[1024];
    iol__text to = {path, sizeof path, 0}, text = {name, sizeof name, 0};
    int32_t parent;
    uint64_t born = 0;
    *leader = (int)sys(getsid, 0);
    if (*leader <= 0) return NULL; /* outside of our namespace */
    iol__text_add(&to, "/proc/");
    iol__text_number(&to, *leader);
    iol__text_add(&to, "/stat");
    const long got = iol__sys_read_proc(path, line, sizeof line - 1);
    if (got > 0) {
        line[got] = 0;
        iol__stat_line_read(line, &parent, &born);
    }
    iol__text_add(&text, IOL_SESSION);
    iol__text_number(&text, *leader);
    iol__text_add(&text, ".");
    iol__text_number(&text, (int64_t)born);
    return name;
}

/* Ranks have a log of their job's. A user who names a log's file gets it. */
static const char *job_with_spool(int *session) {
    const iol__core *core = &iol__core_state;
    if (core->run || core->launched || core->world_size > 0) return NULL;
    if (!iol__setting_flag(&core->config, IOL_SET_JOB_SPOOL) || *core->config.values[IOL_SET_LOG_FILE].text)
        return NULL;
    const char *job = iol__batch_job_text(&core->config, core->environment);
    if (job || !iol__setting_flag(&core->config, IOL_SET_SESSION_LOG)) return job;
    return text_of_session(session);
}

bool iol__job_join(void) {
    iol__core *core = &iol__core_state;
    int session = core->session;
    const char *job = core->job ? "" : job_with_spool(&session);
    if (!job || (!core->job && !find_place(job))) return false;
    core->job = number;
    core->session = session;
    charged = 0;
    return true;
}

bool iol__job_charge(bool spare) {
    if (spare || iol__held_change(place, MAPPED)) charged = MAPPED;
    return charged != 0;
}

bool iol__job_join_again(void) { return iol__core_state.job && use_directory(true); }

void iol__job_uncharge(void) {
    if (charged) iol__held_change(place, -charged);
    charged = 0;
}

bool iol__job_has_charge(void) { return charged != 0; }
void iol__job_leave_charge(void) { charged = 0; }

/* The end ---------------------------------------------------------------------------------------------------------- */

/* Where there is no room beside the mapped file, its place is taken: it goes then. */
static bool charge_frame(uint64_t bytes) {
    if (iol__held_change(place, (int64_t)bytes)) return true;
    if (!charged || !iol__held_change(place, (int64_t)bytes - charged)) return false;
    charged = 0;
    return true;
}

/* Sessions are many, as each command of cron and ssh is one, and share the room: the user is told once, not in each. */
bool iol__job_speaks(void) {
    enum { ALL_SESSIONS = 1 };
    return !*place || iol__held_speaks(place, iol__core_state.session ? ALL_SESSIONS : number);
}

/* It is a fact of the job, which `merge` puts into its log, and of the user. */
static void drop(const char *spool) {
    iol__spool_count_dropped(spool);
    iol__held_dropped(place);
}

static iol__spooled append(void) {
    static char path[sizeof iol__core_state.directory + 16];
    iol__text text = {path, sizeof path, 0};
    iol__text_add(&text, iol__core_state.directory);
    iol__text_add(&text, "/" IOL_RUN_SPOOL);
    iol__spooled how = IOL_SPOOL_OVER;
    for (int i = 0; i < TRIES && how == IOL_SPOOL_OVER; i++) {
        if (i > 0 && !use_directory(true)) return IOL_SPOOL_FAILED;
        how = iol__spool_append_to(path, charge_frame);
    }
    if (how == IOL_SPOOL_FULL) drop(path);
    return how;
}

iol__spooled iol__job_append(void) {
    if (!iol__core_state.job || iol__core_state.world_size > 1 || iol__root_moved()) return IOL_SPOOL_FAILED;
    const iol__spooled how = append();
    if (how != IOL_SPOOL_FULL) return how;
    iol__job_uncharge();
    if (iol__core_state.verbose || iol__job_speaks())
        iol__say("no room is left for records of this user here, so programs of this job are not in its log: see "
                 "IOLITE_SPOOL_MEMORY; iolite merge --leftovers makes logs of what there is in ",
                 iol__core_state.directory);
    return how;
}

iol__spooled iol__job_append_homeless(char *found, size_t room) {
    const iol__core *core = &iol__core_state;
    if (core->run || core->job || core->world_size > 0 || iol__root_moved()) return IOL_SPOOL_FAILED;
    if (!find_place("none")) return IOL_SPOOL_FAILED;
    const iol__spooled how = append();
    if (how == IOL_SPOOLED) iol__text_add(&(iol__text){found, room, 0}, core->directory);
    return how;
}
