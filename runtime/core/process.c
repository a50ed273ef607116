/* The life of the runtime in one process: it starts before main, makes itself new in a forked child, and ends by
   leaving the records where they belong. An inner failure at any point switches it off, and the program never notices.
   */
#include "runtime/core/process.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include "record/mapped.h"
#include "record/place.h"
#include "runtime/core/core.h"
#include "runtime/core/explain.h"
#include "runtime/core/files.h"
#include "runtime/core/filter.h"
#include "runtime/core/heatmap.h"
#include "runtime/core/job.h"
#include "runtime/core/logfile.h"
#include "runtime/core/own.h"
#include "runtime/core/real.h"
#include "runtime/core/store.h"
#include "runtime/core/text.h"
#include "runtime/posix/posix.h"
#include "runtime/stdio/stdio.h"

enum { PAGE = 4096, COMMAND = 3072 };

/* A page of its own, so that the kernel can empty it in children. */
static union {
    iol__wiped wiped;
    char page[PAGE];
} page __attribute__((aligned(PAGE)));
iol__core iol__core_state;

extern iol__wiped iol__page __attribute__((alias("page")));

void iol__count_lost(void) { __atomic_add_fetch(&iol__core_state.lost, 1, __ATOMIC_RELAXED); }

/* Words ------------------------------------------------------------------------------------------------------------ */

static bool said;

void iol__say(const char *text, const char *detail) {
    if (said || iol__stderr_changed) return;
    said = true;
    char line[1024];
    iol__text to = {line, sizeof line - 1, 0};
    iol__text_add(&to, "iolite: ");
    iol__text_add(&to, text);
    iol__text_add(&to, detail);
    line[to.length++] = '\n';
    own(write, 2, line, to.length);
}

void iol__say_place(const char *wanted, int why, const char *found) {
    char line[900];
    iol__text text = {line, sizeof line, 0};
    if (*wanted) {
        iol__text_add(&text, "cannot write ");
        iol__text_add(&text, wanted);
        iol__text_add(&text, " (");
        iol__text_add(&text, strerrordesc_np(why) ? strerrordesc_np(why) : "unknown error");
        iol__text_add(&text, ")");
    } else {
        iol__text_add(&text, "there is no place for a log: neither a setting nor HOME names one");
    }
    iol__text_add(&text, *found ? "; what was recorded is in " : "; there is no log");
    iol__text_add(&text, found);
    iol__trouble(line, "");
}

/* Under `iolite run` it is noted for the run, which says it once for all of its processes. */
void iol__trouble(const char *text, const char *detail) {
    const iol__core *core = &iol__core_state;
    if (!core->run) {
        iol__say(text, detail);
        return;
    }
    char path[sizeof core->directory + 16], line[512];
    iol__text to = {path, sizeof path, 0};
    iol__text_add(&to, core->directory);
    iol__text_add(&to, "/" IOL_RUN_MESSAGES);
    const int fd = iol__run_open(path, O_WRONLY | O_APPEND | O_CREAT);
    if (fd < 0) return;
    to = (iol__text){line, sizeof line - 1, 0};
    iol__text_add(&to, text);
    iol__text_add(&to, detail);
    line[to.length++] = '\n';
    own(write, fd, line, to.length);
    own(close, fd);
}

/* Under `iolite run` the settings were looked at already, once for all processes. */
static void complain(const char *text) {
    static const char prefix[] = "iolite: ";
    if (strncmp(text, prefix, sizeof prefix - 1) == 0) text += sizeof prefix - 1;
    if (!iol__core_state.run) iol__say(text, "");
}

void iol__switch_off(const char *why) {
    iol__core_state.phase = IOL_PHASE_OFF;
    iol__page.live = 0;
    iol__trouble("switched off for a process: ", why);
}

/* Start ------------------------------------------------------------------------------------------------------------ */

static uint64_t take_number(const char **text, unsigned base) {
    uint64_t value = 0;
    for (;; (*text)++) {
        const char c = **text;
        const unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                               : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                                                      : 99;
        if (digit >= base) return value;
        value = value * base + digit;
    }
}

static bool take_mark(const char **text, char mark) { return **text == mark && (*text)++; }

/* NUMBER:ZERO_S.NNNNNNNNN:MONOTONIC_NS:DIRECTORY */
static bool join_run(const char *text, int64_t *monotonic) {
    iol__core *core = &iol__core_state;
    const uint64_t number = take_number(&text, 16);
    if (!take_mark(&text, ':')) return false;
    core->zero_s = (int64_t)take_number(&text, 10);
    if (!take_mark(&text, '.')) return false;
    core->zero_ns = (int64_t)take_number(&text, 10);
    if (!take_mark(&text, ':')) return false;
    *monotonic = (int64_t)take_number(&text, 10);
    if (!take_mark(&text, ':') || *text != '/' || strlen(text) >= sizeof core->directory) return false;
    strcpy(core->directory, text);
    core->run = number;
    return number != 0;
}

static void set_time(void) {
    iol__core *core = &iol__core_state;
    const char *run = iol__variable(core->environment, IOL_RUN_VARIABLE);
    int64_t zero = iol__clock_monotonic();
    if (!run || !join_run(run, &zero)) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        core->run = 0;
        core->zero_s = now.tv_sec;
        core->zero_ns = now.tv_nsec;
    }
    iol__clock_start(zero);
    core->start = iol__now();
}

/* Whether the settings, or the kind of process, say no. */
static bool unwanted(void) {
    iol__core *core = &iol__core_state;
    if (getauxval(AT_SECURE)) return true;
    iol__resolve(&core->config, core->environment, iol__own_read_file);
    if (iol__setting_flag(&core->config, IOL_SET_DISABLE)) return true;
    return core->argc > 0 && core->argv[0] && iol__filter_program(&core->config, core->argv[0]);
}

/* One look at the switch, before anything is done at all. */
static bool disabled(char **environment) {
    for (; environment && *environment; environment++) {
        const char *name = *environment;
        if (strcmp(name, "IOLITE=0") == 0) return true;
        if (strcmp(name, "IOLITE_DISABLE=1") == 0) return true;
        if (strncmp(name, "DARSHAN_DISABLE=", 16) == 0) return true;
    }
    return false;
}

static void end_quickly(void) { iol__finish(IOL_ENDED_EXIT); }
static void forked(void) { iol__page.live = iol__page.ours = 0; }

static void watch_forks(void) {
    if (own(madvise, &page, PAGE, MADV_WIPEONFORK) != 0) pthread_atfork(NULL, NULL, forked);
}

void iol__process_announce(void) {
    iol__core *core = &iol__core_state;
    if (core->announced || !core->run) return;
    core->announced = true;
    core->born = iol__job_born();
    struct {
        iol__process_entry head;
        char command[COMMAND];
    } entry = {{0}, {0}};
    const size_t length = iol__job_command(entry.command, sizeof entry.command - 8);
    entry.head = (iol__process_entry){
        .bytes = (uint32_t)((sizeof entry.head + length + 7) & ~(size_t)7),
        .pid = core->pid,
        .parent = (int32_t)own(getppid, 0),
        .command_bytes = (uint32_t)length,
        .born = core->born,
        .run = core->run,
        .zero_s = core->zero_s,
        .zero_ns = core->zero_ns,
        .start = core->start,
        .forked = core->fork_parent != 0,
    };
    char path[sizeof core->directory + 16];
    iol__text text = {path, sizeof path, 0};
    iol__text_add(&text, core->directory);
    iol__text_add(&text, "/" IOL_RUN_PROCESSES);
    const int fd = iol__run_open(path, O_WRONLY | O_APPEND);
    if (fd < 0) return;
    own(write, fd, &entry, entry.head.bytes);
    own(close, fd);
}

/* Paths below the run's directory are taken from a descriptor after a chroot, if it is still what it was. */
static int directory_of(const char **path) {
    const iol__core *core = &iol__core_state;
    const size_t length = strlen(core->directory);
    struct stat now;
    if (core->home < 0 || strncmp(*path, core->directory, length) != 0 || (*path)[length] != '/') return AT_FDCWD;
    if (own(fstat, core->home, &now) != 0 || now.st_dev != core->home_device || now.st_ino != core->home_inode)
        return AT_FDCWD;
    *path += length + 1;
    return core->home;
}

int iol__run_open(const char *path, int flags) {
    const int at = directory_of(&path);
    return iol__own_open(at, path, flags | O_NOFOLLOW, 0600);
}

void iol__run_remove(const char *path, bool directory) {
    const int at = directory_of(&path);
    own(unlinkat, at, path, directory ? AT_REMOVEDIR : 0);
}

void iol__keep_directory(void) {
    enum { HIGH = 500 }; /* out of the way of programs that count on low numbers */
    iol__core *core = &iol__core_state;
    if (!core->run || core->home >= 0 || !iol__mine()) return;
    const int saved = errno, fd = iol__own_open(AT_FDCWD, core->directory, O_PATH | O_DIRECTORY, 0);
    struct stat made;
    if (fd >= 0 && own(fstat, fd, &made) == 0) {
        core->home = (int)own(fcntl, fd, F_DUPFD_CLOEXEC, HIGH);
        core->home_device = made.st_dev;
        core->home_inode = made.st_ino;
    }
    if (fd >= 0) own(close, fd);
    errno = saved;
}

__attribute__((constructor)) static void start(int argc, char **argv, char **environment) {
    iol__core *core = &iol__core_state;
    const int saved = errno;
    iol__timing_begin();
    if (!disabled(environment)) iol__real_find();
    core->argc = argc;
    core->argv = argv;
    core->environment = environment;
    core->home = -1;
    core->config.complain = complain;
    core->pid = core->first_pid = getpid();
    if (disabled(environment) || (set_time(), unwanted())) {
        core->phase = IOL_PHASE_OFF;
        errno = saved;
        return;
    }
    core->verbose = iol__setting_flag(&core->config, IOL_SET_VERBOSE);
    iol__filter_start(&core->config);
    iol__posix_start();
    iol__stdio_start();
    iol__heat_start();
    watch_forks();
    at_quick_exit(end_quickly);
    iol__process_announce();
    if (iol__setting_flag(&core->config, IOL_SET_DUMP_CONFIG)) iol__explain_settings(&core->config);
    iol__timing_print("init");
    core->phase = IOL_PHASE_RUNNING;
    iol__page.live = iol__page.ours = 1;
    errno = saved;
}

/* Forks ------------------------------------------------------------------------------------------------------------ */

/* A forked child: its records begin anew in a store of its own, made when there is something to record. Descriptors
   stay known, with the positions they had. */
static bool begin_anew(int pid) {
    iol__core *core = &iol__core_state;
    core->fork_parent = core->pid;
    core->pid = pid;
    core->announced = false;
    core->lost = 0;
    core->start = iol__now();
    iol__thread.waiting = 0;
    iol__thread.shares_memory = 0;
    iol__store_leave();
    iol__files_reset();
    iol__heat_reset();
    iol__page.live = iol__page.ours = 1;
    iol__process_announce();
    return true;
}

bool iol__wake(void) {
    iol__core *core = &iol__core_state;
    if (core->phase != IOL_PHASE_RUNNING) return false;
    const int saved = errno, pid = (int)own(getpid, 0);
    bool awake = true;
    if (pid != core->pid) {
        awake = iol__page.ours || begin_anew(pid); /* a child that is in our memory counts as a part of us */
    } else if (iol__thread.shares_memory && !core->memory_child) {
        iol__thread.shares_memory = 0; /* the child of vfork is gone */
        iol__page.live = 1;
    }
    errno = saved;
    return awake;
}

bool iol__same_process(void) {
    const int saved = errno;
    const bool same = own(getpid, 0) == iol__core_state.pid;
    errno = saved;
    return same;
}

void iol__sharing_memory(bool for_good) {
    if (!iol__awake()) return;
    iol__thread.shares_memory = 1;
    if (for_good) iol__core_state.memory_child = true;
    iol__page.live = 0;
}

void iol__records_early(void) {
    if (!iol__files_enter()) return;
    iol__store_open();
    iol__files_leave();
}

/* The end ---------------------------------------------------------------------------------------------------------- */

static void leave_records(unsigned how) {
    iol__store *store = &iol__store_state;
    const double end = iol__now();
    char path[IOL_PLACE_BYTES];
    bool over = false;
    iol__timing_begin();
    iol__log_prepare(end);
    iol__store_facts()->ended = how;
    if (iol__core_state.run && iol__spool_append(&over)) {
        iol__store_remove();
        return;
    }
    /* The run collects what is mapped; a daemon that outlived it, and memory that nobody else sees, need a log. */
    if (iol__core_state.run && !over && store->mapped) return;
    if (!iol__log_write(path, sizeof path)) return;
    iol__store_remove();
    iol__timing_print("core_shutdown");
    if (over) iol__run_remove(iol__core_state.directory, true); /* if we are the last of it */
    if (iol__core_state.verbose) iol__say("log: ", path);
}

void iol__finish(unsigned how) {
    iol__core *core = &iol__core_state;
    if (core->phase != IOL_PHASE_RUNNING || !iol__mine()) return;
    const int saved = errno;
    iol__stdio_finish();
    iol__page.live = 0;
    if (__atomic_exchange_n(&core->phase, IOL_PHASE_OFF, __ATOMIC_ACQ_REL) == IOL_PHASE_RUNNING) {
        iol__process_announce();
        if (iol__store_state.base)
            leave_records(how);
        else if (core->verbose)
            iol__say("nothing was recorded, so there is no log", "");
        iol__fault_report();
    }
    errno = saved;
}

__attribute__((destructor)) static void finish(void) { iol__finish(IOL_ENDED_EXIT); }

/* Under `iolite run` what is mapped stays for the run. Else this program's log is written now; should exec fail, it
   goes again, and comes at the real end. */
static char exec_log[IOL_PLACE_BYTES];

void iol__exec_before(void) {
    const iol__core *core = &iol__core_state;
    if (core->phase != IOL_PHASE_RUNNING || !iol__mine() || !iol__store_state.base) return;
    const int saved = errno;
    iol__stdio_finish();
    iol__log_prepare(iol__now());
    iol__store_facts()->ended = IOL_ENDED_EXEC;
    exec_log[0] = 0;
    if (!core->run && iol__log_write(exec_log, sizeof exec_log)) iol__store_remove();
    errno = saved;
}

void iol__exec_failed(void) {
    if (iol__core_state.phase != IOL_PHASE_RUNNING || !iol__mine() || !iol__store_state.base) return;
    const int saved = errno;
    iol__store_facts()->ended = IOL_ENDED_NOT;
    iol__store_facts()->end = 0;
    if (exec_log[0]) own(unlinkat, AT_FDCWD, exec_log, 0);
    exec_log[0] = 0;
    errno = saved;
}
