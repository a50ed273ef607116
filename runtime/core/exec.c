/* Another program is about to be started: which one it is, and what it should find in its environment. */
#include "runtime/core/exec.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/stat.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#include "record/program.h"
#include "runtime/core/core.h"
#include "runtime/core/own.h"
#include "runtime/core/text.h"

enum {
    SCRIPTS = 5,         /* that the kernel follows */
    PATH_ROOM = 1024,    /* longer ones are not looked at: the stack may be small */
    ROOM_MOST = 1 << 16, /* of an environment on the stack */
    PAGE = 4096,
};

#define PRELOAD "LD_PRELOAD="
#define SEPARATORS " :" /* as the loader has them */

/* Our file name, as it is in LD_PRELOAD. */
static char own_name[64];

/* LD_PRELOAD ------------------------------------------------------------------------------------------------------- */

static bool is_preload(const char *entry) { return strncmp(entry, PRELOAD, sizeof PRELOAD - 1) == 0; }

/* The entry of a list that leads to a file of this name. */
static const char *find_name(const char *list, const char *name, size_t *length) {
    const size_t known = strlen(name);
    while (*(list += strspn(list, SEPARATORS))) {
        *length = strcspn(list, SEPARATORS);
        const char *slash = memrchr(list, '/', *length), *last = slash ? slash + 1 : list;
        if ((size_t)(list + *length - last) == known && memcmp(last, name, known) == 0) return list;
        list += *length;
    }
    return NULL;
}

#ifdef IOL_STATIC
static const char *own_path(void) { return "libiolite.so"; } /* what other programs are given */
#else
/* The object that has this code in it. */
static int look_for_us(struct dl_phdr_info *object, size_t size, void *path) {
    (void)size;
    const uintptr_t here = (uintptr_t)look_for_us - object->dlpi_addr;
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || here < segment->p_vaddr || here - segment->p_vaddr >= segment->p_memsz)
            continue;
        *(const char **)path = object->dlpi_name;
        return 1;
    }
    return 0;
}

static const char *own_path(void) {
    static const char *path = "";
    dl_iterate_phdr(look_for_us, &path);
    return path;
}
#endif

void iol__exec_start(char **environment) {
    const char *list = NULL;
    for (; environment && *environment; environment++)
        if (is_preload(*environment)) list = *environment + sizeof PRELOAD - 1;
    if (!list) return;
    const char *path = own_path(), *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t length;
    if (*name && strlen(name) < sizeof own_name && find_name(list, name, &length)) strcpy(own_name, name);
}

/* Looking at files ------------------------------------------------------------------------------------------------- */

static int look_open(int at, const char *path) { return iol__own_open(at, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0); }

static long look_read(int fd, void *to, size_t bytes, uint64_t offset) {
    const long got = own(pread64, fd, to, bytes, offset);
    return got < 0 ? -errno : got;
}

static int look_status(int fd, struct stat *facts) { return (int)own(fstat, fd, facts); }

static void look_close(int fd) { own(close, fd); }

static int look_may_run(int at, const char *path) {
    struct statx facts = {0};
    if (own(statx, at, path, 0, STATX_TYPE, &facts) != 0) return errno;
    if (!S_ISREG(facts.stx_mode)) return EACCES;
    return own(faccessat, at, path, 1 /* X_OK */) == 0 ? 0 : errno;
}

/* A mount, or the process itself, may refuse them; then the loader takes libraries as usual. */
static bool rights_refused(int fd) {
    enum { NO_SETUID = 2 };
    struct statfs mount = {0};
    if (own(prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1) return true;
    return own(fstatfs, fd, &mount) == 0 && (mount.f_flags & NO_SETUID);
}

static bool look_rights(int fd, const struct stat *facts) {
    const bool user = (facts->st_mode & S_ISUID) && facts->st_uid != (uid_t)own(geteuid, 0);
    const bool group = (facts->st_mode & S_ISGID) && facts->st_gid != (gid_t)own(getegid, 0);
    const bool more = user || group || (own(geteuid, 0) != 0 && own(fgetxattr, fd, "security.capability", NULL, 0) > 0);
    return more && !rights_refused(fd);
}

static const iol__program_calls calls = {look_open, look_read, look_status, look_close, look_may_run, look_rights};

static int open_descriptor(int fd) {
    char path[32];
    iol__text text = {path, sizeof path, 0};
    iol__text_add(&text, "/proc/self/fd/");
    iol__text_number(&text, fd);
    return look_open(AT_FDCWD, path); /* again: it may be open without the right to read */
}

static const char *list_of_paths(void) {
    for (char **at = environ; at && *at; at++)
        if (strncmp(*at, "PATH=", 5) == 0) return *at + 5;
    return NULL;
}

static int open_program(iol__exec_file how, int at, const char *file, char *path, size_t room) {
    if (how == IOL_EXEC_DESCRIPTOR) return open_descriptor(at);
    if (how == IOL_EXEC_PATH || strchr(file, '/')) return look_open(at, file);
    return iol__program_search(&calls, file, list_of_paths(), path, room) == 0 ? look_open(AT_FDCWD, path) : -1;
}

/* The program that runs in the end, if this is a script. False if it cannot be found out. */
static bool find_program(iol__exec_file how, int at, const char *file, iol__program *program) {
    char path[PATH_ROOM] = "", start[IOL_PROGRAM_START];
    struct stat facts;
    int fd = open_program(how, at, file, path, sizeof path);
    bool found = false;
    for (int level = 0; fd >= 0 && level < SCRIPTS; level++) {
        long got =
            own(fstat, fd, &facts) == 0 && S_ISREG(facts.st_mode) ? own(pread64, fd, start, sizeof start, 0) : -1;
        const bool script = got > 0 && iol__program_script(start, (size_t)got, path, sizeof path);
        if (!script && got > 0) {
            iol__program_look(&calls, fd, path[0] || how == IOL_EXEC_DESCRIPTOR ? path : file, program);
            found = program->elf;
        }
        own(close, fd);
        fd = script ? look_open(AT_FDCWD, path) : -1;
    }
    if (fd >= 0) own(close, fd);
    return found;
}

/* The environment -------------------------------------------------------------------------------------------------- */

#define NO_PAGE UINTPTR_MAX

/* The kernel is asked before memory is read that a program hands to it: see runtime/posix/peek.c. */
static bool there(const void *pointer, uintptr_t *known) {
    enum { NO_WAY_AT_ALL = -1, SET = 8 };
    const uintptr_t page = (uintptr_t)pointer / PAGE;
    if (page == *known) return true;
    errno = 0;
    if (page > 0) own(rt_sigprocmask, NO_WAY_AT_ALL, page * PAGE, NULL, SET);
    if (errno != EINVAL) return false;
    *known = page;
    return true;
}

static bool read_environment(iol__exec *exec) {
    uintptr_t list_page = NO_PAGE, text_page = NO_PAGE;
    size_t n = 0;
    exec->preload = SIZE_MAX;
    for (char *const *at = exec->given; at; at++, n++) {
        if (!there(at, &list_page)) return false;
        if (!*at) break;
        if (!there(*at, &text_page)) return false;
        if (is_preload(*at)) exec->preload = n;
    }
    exec->count = n;
    if (exec->preload > n) exec->preload = n;
    if (exec->preload < n)
        exec->ours = find_name(exec->given[exec->preload] + sizeof PRELOAD - 1, own_name, &exec->ours_bytes);
    return true;
}

static void look(iol__exec *exec, iol__exec_file how, int at, const char *file) {
    uintptr_t page = NO_PAGE;
    iol__program program;
    if (how != IOL_EXEC_DESCRIPTOR && !there(file, &page)) return;
    if (!read_environment(exec) || !exec->ours) return;
    if (find_program(how, at, file, &program) && iol__program_harmed(&program)) exec->take_out = true;
    if (exec->take_out) exec->room = (exec->count + 1) * sizeof(char *) + strlen(exec->given[exec->preload]) + 1;
    if (exec->room > ROOM_MOST) exec->room = 0;
}

void iol__exec_look(iol__exec *exec, iol__exec_file how, int at, const char *file, char *const environment[]) {
    const int saved = errno;
    *exec = (iol__exec){.given = environment};
    /* A program that has restricted its system calls is left alone. */
    if (own_name[0] && !iol__sealed) look(exec, how, at, file);
    errno = saved;
}

/* LD_PRELOAD without our library and the separator before it, or behind it. */
static bool without_ours(const iol__exec *exec, char *to) {
    const char *entry = exec->given[exec->preload], *behind = exec->ours + exec->ours_bytes;
    size_t before = (size_t)(exec->ours - entry);
    if (before >= sizeof PRELOAD && strchr(SEPARATORS, entry[before - 1]))
        before--;
    else if (*behind)
        behind++;
    memcpy(to, entry, before);
    strcpy(to + before, behind);
    return to[sizeof PRELOAD - 1] != 0;
}

char *const *iol__exec_environment(const iol__exec *exec, void *room) {
    char **list = room, *text = (char *)(list + exec->count + 1);
    size_t n = 0;
    if (!exec->room) return exec->given;
    for (size_t i = 0; i < exec->count; i++) {
        if (i != exec->preload)
            list[n++] = exec->given[i];
        else if (without_ours(exec, text))
            list[n++] = text;
    }
    list[n] = NULL;
    return list;
}
