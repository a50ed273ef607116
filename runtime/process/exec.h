/* What becomes of the preload when another program is started: it is left out where it cannot work, and put in where
   the environment was cleared on the way (carry.c).
   All of this may run in the child of a vfork, in a signal handler, or on a small stack: nothing is allocated, nothing
   is written but what the caller hands in, and the new environment is on the caller's stack. */
#ifndef IOL_RUNTIME_EXEC_H
#define IOL_RUNTIME_EXEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/unseen.h"

typedef enum iol__exec_change {
    IOL_EXEC_AS_GIVEN,
    IOL_EXEC_TAKE_OUT, /* our library, of LD_PRELOAD */
    IOL_EXEC_ADD,      /* it, and the variables that it needs */
} iol__exec_change;

typedef struct iol__exec {
    char *const *given; /* the environment of the new program, as the caller gave it */
    size_t count;       /* entries of it */
    size_t preload;     /* which of them is LD_PRELOAD; count: none */
    const char *ours;   /* in it: the library that we are, NULL if it is not there */
    size_t ours_bytes;
    bool astray;   /* the library is there, and the variable that leads it to a run is not */
    size_t lost;   /* which entry is that variable and leads nowhere; beyond count: none */
    bool disabled; /* it says that Iolite is not wanted */
    iol__exec_change change;
    iol__unseen_why why; /* it will not be recorded */
    size_t room;         /* for the environment that is handed on; 0: it is the given one */
} iol__exec;

/* How a file is named. */
typedef enum iol__exec_file {
    IOL_EXEC_PATH,       /* relative to a directory */
    IOL_EXEC_NAME,       /* looked for in PATH if it has no slash */
    IOL_EXEC_DESCRIPTOR, /* the first argument itself */
} iol__exec_file;

/* Looks at the program and at the environment that it would get. Neither need be there: then exec will say so. */
void iol__exec_look(iol__exec *exec, iol__exec_file how, int at, const char *file, char *const environment[]);
/* There was no room for what we added, by the kernel's limit: from now on it is the given environment. */
bool iol__exec_too_much(iol__exec *exec, int error);

/* The list of the run gets to know of a program that is not recorded: before exec, as there is no time behind it, and
   what fails is taken back; after a spawn, with the process. `arguments` have its name where the file has none. */
void iol__exec_note(const iol__exec *exec, const char *file, char *const arguments[]);
void iol__exec_take_back_note(const iol__exec *exec, const char *file, char *const arguments[]);
void iol__exec_spawned(const iol__exec *exec, const char *file, const int *pid);
/* One entry of that list, unseen.c, and a line in the note of a batch job. Nothing without both. */
void iol__run_unseen(uint64_t how, int pid, const char *program);

/* execve and execveat by libc's function `syscall`. */
long iol__exec_syscall(long number, long a, long b, long c, long d, long e);

/* Functions of libc that start a shell take `environ` as it is. While the process has one thread, it may be another one
   for that time. False: it is not. */
bool iol__exec_lend(void);
void iol__exec_take_back(bool lent);

#endif
