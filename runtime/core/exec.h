/* What becomes of the preload when another program is started: it is left out where it cannot work.
   All of this may run in the child of a vfork, in a signal handler, or on a small stack: nothing is allocated, nothing
   is written but what the caller hands in, and the new environment is on the caller's stack. */
#ifndef IOL_RUNTIME_EXEC_H
#define IOL_RUNTIME_EXEC_H

#include <stdbool.h>
#include <stddef.h>

typedef struct iol__exec {
    char *const *given; /* the environment of the new program, as the caller gave it */
    size_t count;       /* entries of it */
    size_t preload;     /* which of them is LD_PRELOAD; count: none */
    const char *ours;   /* in it: the library that we are, NULL if it is not there */
    size_t ours_bytes;
    bool take_out; /* of LD_PRELOAD */
    size_t room;   /* for the environment that is handed on; 0: it is the given one */
} iol__exec;

/* How a file is named. */
typedef enum iol__exec_file {
    IOL_EXEC_PATH,       /* relative to a directory */
    IOL_EXEC_NAME,       /* looked for in PATH if it has no slash */
    IOL_EXEC_DESCRIPTOR, /* the first argument itself */
} iol__exec_file;

/* Before main: which entry of LD_PRELOAD is us. Without one, nothing is ever changed. */
void iol__exec_start(char **environment);

/* Looks at the program and at the environment that it would get. Neither need be there: then exec will say so. */
void iol__exec_look(iol__exec *exec, iol__exec_file how, int at, const char *file, char *const environment[]);
/* The environment to hand on, made in `room` bytes. */
char *const *iol__exec_environment(const iol__exec *exec, void *room);

/* execve and execveat by libc's function `syscall`. */
long iol__exec_syscall(long number, long a, long b, long c, long d, long e);

#endif
