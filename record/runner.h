/* The process between a program and the one that started it: `iolite run`. The program is told, so that what it does to
   its parent reaches whom it means (runtime/process/parent.c). Processes are told apart from others that have the same
   number, on another machine or later, by the time of their birth. */
#ifndef IOL_RECORD_RUNNER_H
#define IOL_RECORD_RUNNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IOL_RUNNER_DIGITS = 10 };

typedef struct iol__runner {
    int32_t pid;       /* of `iolite run`; 0: not known, and then nothing is */
    int32_t outermost; /* itself, or where runs are in runs the first of them */
    uint64_t born;     /* iol__born of that one */
    int32_t caller;    /* who started that one */
    int32_t program;   /* what `run` started */
} iol__runner;

/* As a part of IOLITE_RUN, PID.OUTERMOST.BORN.CALLER.PROGRAM in decimal: moves *text behind it, or leaves it where it
   is and returns false. */
bool iol__runner_read(const char **text, iol__runner *runner);
/* The number of the program, with leading zeros: the program itself puts it in, once it has one. */
void iol__runner_number(char digits[IOL_RUNNER_DIGITS], int32_t pid);

/* What /proc/PID/stat says, NUL-terminated: the parent, and the birth in clock ticks since boot. */
bool iol__stat_line_read(const char *line, int32_t *parent, uint64_t *ticks);
/* The number of a namespace in the target of its link: "pid:[4026531836]". */
uint64_t iol__name_space_read(const char *link);

#endif
