/* The directory of the run that a process belongs to: reaching it, also after a chroot, and the list of processes. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "record/mapped.h"
#include "record/place.h"
#include "record/unseen.h"
#include "runtime/core/core.h"
#include "runtime/process/exec.h"
#include "runtime/core/job_record.h"
#include "runtime/core/sys.h"
#include "runtime/core/text.h"

static bool find_root(uint64_t *device, uint64_t *inode) {
    struct statx root = {0};
    if (sys(statx, AT_FDCWD, "/", AT_NO_AUTOMOUNT, STATX_INO, &root) != 0) return false;
    *device = (uint64_t)root.stx_dev_major << 32 | root.stx_dev_minor;
    *inode = root.stx_ino;
    return true;
}

void iol__root_note(void) { find_root(&iol__core_state.root_device, &iol__core_state.root_inode); }

bool iol__root_moved(void) {
    const iol__core *core = &iol__core_state;
    uint64_t device, inode;
    if (core->home >= 0 || core->root_inode == 0 || !find_root(&device, &inode)) return false;
    return device != core->root_device || inode != core->root_inode;
}

/* Paths below the run's directory are taken from a descriptor after a chroot, if it is still what it was. */
static int directory_of(const char **path) {
    const iol__core *core = &iol__core_state;
    const size_t length = strlen(core->directory);
    struct stat now = {0};
    if (core->home < 0 || strncmp(*path, core->directory, length) != 0 || (*path)[length] != '/') return AT_FDCWD;
    if (sys(fstat, core->home, &now) != 0 || now.st_dev != core->home_device || now.st_ino != core->home_inode)
        return AT_FDCWD;
    *path += length + 1;
    return core->home;
}

int iol__run_open(const char *path, int flags) {
    const int at = directory_of(&path);
    return iol__sys_open(at, path, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0600);
}

bool iol__run_stat(const char *path, struct stat *st) {
    const int at = directory_of(&path);
    return sys(newfstatat, at, path, st, AT_SYMLINK_NOFOLLOW) == 0;
}

bool iol__run_remove(const char *path, bool directory) {
    const int at = directory_of(&path);
    return sys(unlinkat, at, path, directory ? AT_REMOVEDIR : 0) == 0;
}

bool iol__run_rename(const char *path, const char *to) {
    enum { NO_REPLACE = 1 }; /* RENAME_NOREPLACE; not every C library has it */
    const int at = directory_of(&path), there = directory_of(&to);
    return sys(renameat2, at, path, there, to, NO_REPLACE) == 0;
}

/* Needs no descriptor, and no room. */
void iol__run_mode(const char *path, unsigned mode) {
    const int at = directory_of(&path);
    sys(fchmodat, at, path, mode);
}

bool iol__run_over(void) {
    static char path[sizeof iol__core_state.directory + 16];
    iol__text text = {path, sizeof path, 0};
    iol__text_add(&text, iol__core_state.directory);
    iol__text_add(&text, "/" IOL_RUN_SPOOL);
    const int fd = iol__run_open(path, O_RDONLY);
    if (fd < 0) return errno == ENOENT && iol__core_state.home < 0 && !iol__root_moved();
    sys(close, fd);
    return false;
}

void iol__keep_directory(void) {
    enum { HIGH = 500 }; /* out of the way of programs that count on low numbers */
    iol__core *core = &iol__core_state;
    if (!core->run || core->home >= 0 || !iol__mine()) return;
    const int saved = errno, fd = iol__sys_open(AT_FDCWD, core->directory, O_PATH | O_DIRECTORY, 0);
    struct stat made = {0};
    if (fd >= 0 && sys(fstat, fd, &made) == 0) {
        core->home = (int)sys(fcntl, fd, F_DUPFD_CLOEXEC, HIGH);
        core->home_device = made.st_dev;
        core->home_inode = made.st_ino;
    }
    if (fd >= 0) sys(close, fd);
    errno = saved;
}

bool iol__run_in_reach(void) {
    const iol__core *core = &iol__core_state;
    struct stat now = {0};
    if (!core->run || core->home < 0) return true;
    return sys(newfstatat, AT_FDCWD, core->directory, &now, AT_SYMLINK_NOFOLLOW) == 0 &&
           now.st_dev == core->home_device && now.st_ino == core->home_inode;
}

int iol__mounted(int result) {
    if (result == 0 && iol__core_state.home >= 0 && iol__mine()) iol__core_state.mounted = true;
    return result;
}

void iol__hidden_announce(void) {
    const iol__core *core = &iol__core_state;
    if (!core->mounted || iol__sealed || iol__run_in_reach()) return;
    iol__run_unseen(iol__unseen_how(IOL_UNSEEN_DIRECTORY), core->pid, "");
}

/* Adds to a file of the run's directory, which other processes add to as well: one write, so that it stays whole. */
static void append_to(char *path, size_t room, const char *name, int create, const void *bytes, size_t length) {
    iol__text text = {path, room, 0};
    iol__text_add(&text, iol__core_state.directory);
    iol__text_add(&text, "/");
    iol__text_add(&text, name);
    const int fd = iol__run_open(path, O_WRONLY | O_APPEND | create);
    if (fd < 0) return;
    if (iol__may_write(fd, length)) sys(write, fd, bytes, length);
    sys(close, fd);
}

static void append(const char *name, int create, const void *bytes, size_t length) {
    static char path[sizeof iol__core_state.directory + 16];
    append_to(path, sizeof path, name, create, bytes, length);
}

static void announce(uint64_t how) {
    static struct {
        iol__process_entry head;
        char command[sizeof iol__core_state.command];
    } entry;
    const iol__core *core = &iol__core_state;
    const size_t length = how == IOL_STARTED_RANK ? 0 : strlen(core->command);
    const int64_t zero = core->zero_s * 1000000000 + core->zero_ns;
    memcpy(entry.command, core->command, length + 1);
    entry.head = (iol__process_entry){
        .bytes = (uint32_t)((sizeof entry.head + length + 7) & ~(size_t)7),
        .pid = core->pid,
        .parent = how == IOL_STARTED_RANK ? core->world_rank : (int32_t)sys(getppid, 0),
        .command_bytes = (uint32_t)length,
        .born = core->born,
        .run = core->run,
        .zero_s = core->run_zero / 1000000000,
        .zero_ns = core->run_zero % 1000000000,
        .start = core->start + (double)(zero - core->run_zero) * 1e-9,
        .how = how,
    };
    append(IOL_RUN_PROCESSES, 0, &entry, entry.head.bytes);
}

void iol__process_announce(void) {
    iol__core *core = &iol__core_state;
    if (core->announced || !core->run) return;
    core->announced = true;
    core->born = iol__process_born();
    announce(core->fork_parent ? IOL_STARTED_FORKED : 0);
}

void iol__run_rank(void) {
    iol__process_announce();
    if (iol__core_state.run) announce(IOL_STARTED_RANK);
}

/* On the stack, which is that of a signal handler where programs wait for their children there. */
void iol__run_ended(int pid, int status) {
    const iol__core *core = &iol__core_state;
    char path[sizeof core->directory + 16];
    const int saved = errno;
    const iol__process_entry entry = {.bytes = sizeof entry,
                                      .pid = pid,
                                      .parent = (int32_t)sys(getpid, 0),
                                      .born = core->born,
                                      .run = core->run,
                                      .zero_s = core->zero_s,
                                      .zero_ns = core->zero_ns,
                                      .start = iol__now(),
                                      .how = IOL_STARTED_ENDED | (uint64_t)(uint32_t)status << IOL_STARTED_STATUS};
    append_to(path, sizeof path, IOL_RUN_PROCESSES, 0, &entry, sizeof entry);
    errno = saved;
}

void iol__run_note(const char *log) {
    static char line[IOL_PLACE_BYTES + 1];
    iol__text text = {line, sizeof line, 0};
    if (!iol__core_state.run || *log != '/') return;
    iol__text_add(&text, log);
    iol__text_add(&text, "\n");
    append(IOL_RUN_LOGS, O_CREAT, line, strlen(line));
}
