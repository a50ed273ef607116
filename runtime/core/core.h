/* The heart of the runtime: whether it is at work in this process, the files it knows, and the records of its modules.
   A module is declared here (iol__runtime_module) and asks for the state of a file; everything else is done for it:
   names, filters, memory, folding, forks, the log. */
#ifndef IOL_RUNTIME_CORE_H
#define IOL_RUNTIME_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/runner.h"
#include "runtime/core/clock.h"
#include "runtime/core/guard.h"
#include "schema/resolve.h"
#include "schema/schema.h"

#define IOL_LIKELY(x) __builtin_expect(!!(x), 1)
#define IOL_UNLIKELY(x) __builtin_expect(!!(x), 0)
/* Whether a pointer is there, where libc's headers promise that it is, and a program may not keep that promise. */
static inline bool iol__there(const void *pointer) {
    __asm__("" : "+r"(pointer));
    return pointer != NULL;
}
#define IOL_EXPORT __attribute__((visibility("default")))
#define IOL_HIDDEN __attribute__((visibility("hidden"))) /* a variable that is read without asking where it is */

/* Files and their records ------------------------------------------------------------------------------------------ */

/* Those that a process can have. */
enum {
    IOL_MODULES = 0
#define PART(name)
#define MODULE(name, SLOT) +1
#include "runtime/core/modules.def"
#undef MODULE
#undef PART
};

struct iol__file;

/* What a module keeps of a file in private memory begins with this. The record itself is in the store, where it
   survives the process. */
typedef struct iol__state {
    iol__guard guard;
    void *record; /* NULL: to be made, or made again after a fork */
    struct iol__file *file;
    const struct iol__runtime_module *module;
    struct iol__state *next; /* of all states */
    union {
        uint64_t weight;          /* what it was when it was last looked at (evict.c) */
        struct iol__state *again; /* of those that no file has */
    };
    bool folded; /* the record stands for all files that had no room */
} iol__state;

typedef struct iol__file {
    union {
        uint64_t id;
        struct iol__file *again; /* of those whose memory waits for another file */
    };
    const char *name;
    uint32_t length;
    uint32_t refused;            /* bit s: the name filters keep this file from slot s */
    uint32_t generation;         /* of the store that has its name */
    uint32_t name_at, name_room; /* there, and the room that it has */
    int32_t mount;
    uint32_t uses;  /* by descriptors, streams and calls that are under way: then it stays what it is */
    uint16_t units; /* of memory that it takes */
    bool pinned;    /* it stays what it is for ever */
    iol__state *states[IOL_MODULES];
} iol__file;

/* A module of the runtime. */
typedef struct iol__runtime_module {
    int slot;            /* in the log */
    unsigned version;    /* of its records */
    size_t record_bytes; /* of one record, which begins with id and rank */
    size_t state_bytes;  /* of its private state, which begins with iol__state */
    size_t trace;        /* where in it the trace of the file is (runtime/core/trace.h); 0: it has none */
    unsigned index;      /* given by the core */
    bool off;            /* by a setting */
    /* At its turns, all may be NULL: once the settings are known, first thing in a child of libc's fork, in any forked
       child before it records something, when there is a store, before records are looked at in the end, and when the end
       is known and they are written. */
    void (*start)(void), (*forked)(void), (*reset)(void), (*stored)(void), (*finish)(void), (*settle)(void);
    /* A record is being made and is all zero but for id and rank: fill in constants, forget what the state knew. It
       becomes the state's own afterwards. */
    void (*begin)(iol__state *state, void *record);
    /* If its records may give way to others: what a record weighs (iol__weight), and adding it to the folded one; both
       inside the guards. Without, records stay, and files past the budget are folded. */
    uint64_t (*weight)(const iol__state *state);
    void (*fold)(iol__state *to, const iol__state *from);
} iol__runtime_module;

/* Makes it known, if it has records of files, and starts it. */
void iol__module_start(iol__runtime_module *module);

/* Time in calls, in grains, then bytes, in KiB as far as there is room for them. */
static inline uint64_t iol__weight(double time, int64_t bytes) {
    const uint64_t grains = time > 0 ? (uint64_t)(int64_t)(time * (1 / IOL_GRAIN)) : 0;
    const uint64_t kib = bytes > 0 ? (uint64_t)bytes >> 10 : 0;
    return grains << 20 | (kib < 0xfffff ? kib : 0xfffff);
}

/* Whether all of a state is there; what is behind it may be used then. */
static inline bool iol__state_ready(const iol__state *state) {
    return IOL_LIKELY(__atomic_load_n(&state->record, __ATOMIC_ACQUIRE) != NULL);
}

/* Files are given out in use: their memory goes to other files only after iol__file_done. A use that is never given
   back, because a thread was cancelled, costs no more than that. Memory of files is never anything else. */
static inline void iol__file_hold(iol__file *file) {
    if (IOL_LIKELY(iol__alone()))
        file->uses++; /* one instruction, which no signal handler comes between */
    else
        __atomic_add_fetch(&file->uses, 1, __ATOMIC_RELAXED);
}
static inline void iol__file_done(iol__file *file) {
    if (IOL_LIKELY(iol__alone()))
        file->uses--;
    else
        __atomic_sub_fetch(&file->uses, 1, __ATOMIC_RELEASE);
}

/* The file that was asked for last; there is always one. */
extern iol__file *iol__file_latest IOL_HIDDEN;
iol__file *iol__file_find(int directory, const char *path, bool *excluded);
/* The same for one of several threads. */
iol__file *iol__file_among(int directory, const char *path, bool *excluded);
/* A file by its name as a program gave it, NULL if it is not to be watched or cannot be now. Who is alone needs no lock to
   look at the last one: it is in use before it is looked at, so a signal handler cannot make another of it. */
static inline iol__file *iol__file_at(int directory, const char *path, bool *excluded) {
    if (IOL_UNLIKELY(!iol__alone())) return iol__file_among(directory, path, excluded);
    iol__file *file = iol__file_latest;
    file->uses++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (IOL_LIKELY(__builtin_strcmp(path, file->name) == 0)) return file;
    file->uses--;
    return iol__file_find(directory, path, excluded);
}
iol__file *iol__file_named(const char *name, size_t length);
/* Only if the module knows it already; where it is one of those that were folded, the file that stands for these. */
iol__file *iol__file_known(int directory, const char *path, const struct iol__runtime_module *module);
/* Whether the filters let a file of this name be recorded; nothing is remembered of it. */
bool iol__path_watched(int directory, const char *path);
/* It has just been removed. */
void iol__path_removed(int directory, const char *path, double time);
iol__state *iol__state_make(iol__file *file, iol__runtime_module *module);
/* The state of a file for a module, with its record; NULL if the module does not watch it. */
static inline iol__state *iol__state_of(iol__file *file, iol__runtime_module *module) {
    iol__state *state = __atomic_load_n(&file->states[module->index], __ATOMIC_ACQUIRE);
    if (IOL_UNLIKELY(!state || !iol__state_ready(state))) return iol__state_make(file, module);
    return state;
}
int64_t iol__file_alignment(const iol__file *file);
/* The current directory has changed, or may have. */
void iol__directory_changed(void);

/* At work or not --------------------------------------------------------------------------------------------------- */

/* Set while everything is as usual. The page is emptied by the kernel in a forked child, however it was forked, so that
   one load tells a child apart from its parent. */
typedef struct iol__wiped {
    bool live;
    uintptr_t waking;       /* the thread that is at it */
    volatile uint32_t ours; /* the memory is this process's own, even if calls have to ask who they are */
} iol__wiped;
extern iol__wiped iol__page IOL_HIDDEN;
/* Whether the kernel does that. Where it does not, `live` is never set, and calls compare process ids. */
extern bool iol__page_wiped IOL_HIDDEN;

/* What to do when it is not set: false if nothing is to be recorded. */
bool iol__wake(void);

static inline bool iol__awake(void) { return IOL_LIKELY(iol__page.live) || iol__wake(); }

/* Whether the table of descriptors is about this process. A child of vfork has our memory, so what it transfers is
   counted here, but its descriptors are its own. */
bool iol__same_process(void);
static inline bool iol__mine(void) { return IOL_LIKELY(iol__page.live) || (iol__wake() && iol__same_process()); }

typedef enum iol__rt_phase {
    IOL_PHASE_BEFORE,
    IOL_PHASE_RUNNING,
    IOL_PHASE_OFF, /* disabled, failed or finished: nothing will ever be recorded again */
} iol__rt_phase;

typedef struct iol__core {
    iol__rt_phase phase;
    int pid;
    int fork_parent;     /* the process that this one was forked from, if that was watched; else 0 */
    int first_pid;       /* the first one of such a line */
    int session;         /* the leader of the login session whose spool it uses, outside of a batch job; else 0 */
    int task;            /* the rank that a launcher gave it; -1 without one */
    bool launched;       /* by a launcher of MPI: it will be a rank */
    bool own;            /* a command or script of Iolite's: what it starts is not the user's */
    char **environment;  /* copies of the variables that matter */
    char program[128];   /* its name */
    uint64_t run;        /* number of the run, 0 without one */
    uint8_t run_key[16]; /* as in iol__mapped */
    uint64_t job;        /* number of the job whose spool it uses, 0 without one; not in a run */
    char directory[256]; /* of the run, or of the job */
    iol__runner runner;  /* `iolite run` itself */
    int home;            /* the same, open, once paths may lead elsewhere (chroot, mount); else -1 */
    uint64_t home_device, home_inode;
    uint64_t root_device, root_inode; /* of the root directory at the start; 0: not known */
    int64_t zero_s, zero_ns;          /* real-time clock at time zero */
    int64_t run_zero;                 /* that of the run, nanoseconds since the epoch; 0 without one */
    double start;                     /* of this image */
    uint64_t born, name_space;
    bool announced;    /* the process is in the run's list */
    bool mounted;      /* it has changed what is mounted where */
    bool memory_child; /* a clone shares our memory: every call asks for its pid */
    bool verbose;
    bool valgrind;  /* this process runs under it */
    bool stopped;   /* nothing further is recorded */
    bool present;   /* not disabled: foreign libraries are looked at, and MPI's ranks get an answer at the end */
    bool paused;    /* while MPI starts and ends */
    uint32_t epoch; /* forks between the first process of the line and this one: thread-local notes bear it */
    uint64_t world; /* as in iol__mapped */
    int world_rank, world_size;
    bool world_agrees; /* its processes can talk to each other at the end */
    bool after_world;  /* they have done so, and what this one does now is added to their log */
    uint64_t lost, calls_unseen;
    char command[3016]; /* the command line */
    iol__config config;
} iol__core;
extern iol__core iol__core_state IOL_HIDDEN;

void iol__count_lost(void);
/* The one that was counted last has turned up. */
void iol__lost_found(void);
/* Whether the eight bytes around an address can be read, without reading them: 1 or 0, -1 if the kernel does not say. */
int iol__there_at(uint64_t address);
/* Something inside failed: this process is not watched any further. */
void iol__switch_off(const char *why);
void iol__write_stderr(const char *bytes, size_t length);
/* Whether so many bytes more are within the limit for file sizes. */
bool iol__may_write(int fd, uint64_t bytes);
/* One line on standard error, at most one per process, and only if that is still where it led at the start. */
void iol__say(const char *text, const char *detail);
/* Something that the user should know: records are missing. */
void iol__trouble(const char *text, const char *detail);
/* The line about a log that went to another place than it should, or (found "") to none. */
void iol__say_place(const char *wanted, int why, const char *found);
/* Everything is over: the log is written, or left where `iolite run` finds it. */
void iol__finish(unsigned how);
/* Has it called when the process ends, after what libraries do then. */
void iol__finish_last(void);
/* The first half of that, for MPI's ranks: nothing is recorded from now on. False if there was nobody to do so. */
bool iol__finish_begin(void);
void iol__process_announce(void);
/* In the run's directory: this process is a rank of an MPI job; such a job has written a log, and where. */
void iol__run_rank(void);
/* And: a child of this process ended so, or (0) is about to end and nobody knows how. */
void iol__run_ended(int pid, int status);
void iol__run_note(const char *log);
/* The root directory at the start; and whether it is another one now, by pivot_root, ours or that of another process:
   then paths lead elsewhere, and what is made there is among the files of a container. A chroot that was seen does not
   count. */
void iol__root_note(void);
bool iol__root_moved(void);
struct stat;
/* The run's directory, and what is in it, can still be reached after a chroot or a mount. */
void iol__keep_directory(void);
/* The result of a call that mounts or unmounts, and is handed on. */
int iol__mounted(int result);
/* At the end of a process that did: if the run's directory is hidden now, the run's list says that programs are missing.
   They cannot say so themselves, because they take the run for one that is over. */
void iol__hidden_announce(void);
int iol__run_open(const char *path, int flags);
/* Whether a program that is started now finds the run's directory by its name: not behind another root, or below a file
   system that was mounted over it. */
bool iol__run_in_reach(void);
/* Whether the run has made its log already, without us. */
bool iol__run_over(void);
bool iol__run_remove(const char *path, bool directory);
/* Unless there is one of the new name. */
bool iol__run_rename(const char *path, const char *to);
bool iol__run_stat(const char *path, struct stat *st);
void iol__run_mode(const char *path, unsigned mode);
/* What this program did is in no log, because its limits left no room for it: that is reported to the run, or withdrawn. */
void iol__unrecorded(void);
void iol__recorded_again(void);

/* Descriptors ------------------------------------------------------------------------------------------------------ */

/* An open file description, as far as Iolite knows it: descriptors made by dup share it. */
typedef struct iol__opened {
    iol__state *posix; /* never NULL; a state without a record until the first operation that counts */
    iol__file *file;
    int64_t offset;
    uint32_t links;
    bool append;              /* writes go to the end of the file */
    bool read_only;           /* as far as it is known */
    struct iol__opened *next; /* of those that nobody uses */
} iol__opened;

enum { IOL_DESCRIPTORS = 65536 };
extern iol__opened *iol__descriptors[IOL_DESCRIPTORS] IOL_HIDDEN;

/* There is none from here on. */
extern int iol__descriptors_end IOL_HIDDEN;

#define IOL_UNKNOWN ((iol__opened *)0)  /* to be asked for at first use */
#define IOL_NO_FILE ((iol__opened *)1)  /* a pipe, a socket */
#define IOL_EXCLUDED ((iol__opened *)2) /* a file that the filters keep out */

/* Standard error is not what it was when the process started. */
extern bool iol__stderr_changed IOL_HIDDEN;

iol__opened *iol__descriptor_discover(int fd);
/* Where a descriptor leads, as the kernel says it (a path, "pipe:[17]"); "" and 0 if it is closed, or nobody knows. */
size_t iol__descriptor_target(int fd, char *to, size_t room);

/* The file behind a descriptor, or NULL. */
static inline iol__opened *iol__descriptor(int fd) {
    if (IOL_UNLIKELY((unsigned)fd >= IOL_DESCRIPTORS)) return NULL;
    iol__opened *opened = iol__descriptors[fd];
    if (IOL_LIKELY((uintptr_t)opened > (uintptr_t)IOL_EXCLUDED)) return iol__awake() ? opened : NULL;
    if (opened != IOL_UNKNOWN || iol__core_state.phase != IOL_PHASE_RUNNING) return NULL;
    return iol__descriptor_discover(fd);
}

/* A new description for a descriptor that was just opened. It takes over the use of the file, unless it is NULL. */
iol__opened *iol__descriptor_new(int fd, iol__file *file, bool excluded);
void iol__descriptor_share(int fd, int old);
void iol__descriptor_forget(int fd);
void iol__descriptor_no_file(int fd);
void iol__descriptors_forget(unsigned first, unsigned last);
/* The name of an open directory, NULL if it cannot be found. */
const iol__file *iol__descriptor_directory(int fd, bool *excluded);

#endif
