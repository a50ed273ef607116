/* What a program file is, from its first bytes and its ELF headers: whether a preloaded library can be in it. `run` and
   `doctor` ask before a program starts, the runtime asks at every exec. Nothing is allocated and nothing is called but
   what the caller hands in: the runtime may be in the child of a vfork, or in a signal handler. */
#ifndef IOL_RECORD_PROGRAM_H
#define IOL_RECORD_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

typedef enum iol__program_libc {
    IOL_PROGRAM_STATIC, /* no dynamic loader is asked for */
    IOL_PROGRAM_GLIBC,
    IOL_PROGRAM_MUSL,
    IOL_PROGRAM_OTHER_LIBC,
} iol__program_libc;

enum { IOL_PROGRAM_LOADER = 256, IOL_PROGRAM_CARRIED = 32, IOL_PROGRAM_START = 256 };

typedef struct iol__program {
    bool elf;        /* all below is only known of these */
    unsigned bits;   /* 32 or 64 */
    bool native;     /* of the class and machine that this code was compiled for */
    bool privileged; /* runs with more rights than its user: the loader takes no library from the user */
    iol__program_libc libc;
    bool go;                           /* made by the Go compiler */
    char loader[IOL_PROGRAM_LOADER];   /* "" for none */
    char carried[IOL_PROGRAM_CARRIED]; /* the version of the Iolite that it is linked with, "" for none */
} iol__program;

/* How files are looked at. Failures are negative errno. */
typedef struct iol__program_calls {
    int (*open)(int at, const char *path); /* for reading, and such that a FIFO or a device does not block */
    long (*read_at)(int fd, void *to, size_t bytes, uint64_t offset);
    int (*status)(int fd, struct stat *facts);
    void (*close)(int fd);
    int (*may_run)(int at, const char *path); /* 0: a regular file that exec would take */
    bool (*gains_rights)(int fd, const struct stat *facts);
} iol__program_calls;

/* What is behind a descriptor. `name` is what it was opened as: a loader can be started like a program. */
void iol__program_look(const iol__program_calls *calls, int fd, const char *name, iol__program *program);

/* The interpreter of a script, from the first bytes of the file. False: it is none, or there is no room for it. */
bool iol__program_script(const char *start, size_t length, char *interpreter, size_t room);

/* As execvp: a name with a slash is a path, others are looked for in `list` (PATH, or NULL for the usual one). Errno
   of exec otherwise; no right to run one is reported last. Paths that have no room are passed over. */
int iol__program_search(const iol__program_calls *calls, const char *name, const char *list, char *path, size_t room);

/* Under limits (RLIMIT_AS and so on) below these the loader may have no room, or no descriptor, for one more library: then
   it says so on the program's standard error, or the program's own libraries do not fit any more. */
typedef struct iol__program_limit {
    int what;
    uint64_t least;
} iol__program_limit;

enum { IOL_PROGRAM_LIMITS = 4 };
extern const iol__program_limit iol__program_limits[IOL_PROGRAM_LIMITS];

/* Whether a preloaded library would do harm there: the loader complains, or the program does not start. */
bool iol__program_harmed(const iol__program *program);

#endif
