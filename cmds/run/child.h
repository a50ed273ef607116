/* A program that runs as if nobody stood between it and the shell: signals, job control and status pass through. */
#ifndef IOL_CMDS_CHILD_H
#define IOL_CMDS_CHILD_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

typedef struct child_end {
    int start_error; /* errno: there is no such process because fork failed */
    int exec_error;  /* errno: the program could not be started */
    int status;      /* as of waitpid */
    pid_t pid;
    struct timespec ended; /* the program, or the last that it left behind within the time that we wait */
    bool someone_left;     /* descendants that had not ended when we waited no longer */
} child_end;

typedef struct child_start {
    char **command, **environment;
    char *number; /* inside the environment: IOL_RUNNER_DIGITS that the program overwrites with its own number */
} child_start;

/* How to deal with what the program leaves running. */
typedef struct child_rest {
    double seconds; /* to wait at most */
    /* Whether some of it has recorded something. If not, and if it sleeps, there is nothing to wait for. */
    bool (*records)(const void *context);
    const void *context;
} child_rest;

/* From now on our own failed writes are errors, not signals; a program gets the signals as they were. */
void ignore_failed_writes(void);
void restore_failed_writes(void);
/* Runs a program to its end, and then waits a moment for what it started and left behind. */
void run_child(const child_start *program, const child_rest *rest, child_end *end);
/* Ends this process as the program ended: with its status, or by its signal. */
void end_like(int status) __attribute__((noreturn));

#endif
