/* What the runtime says about itself when asked: its settings, and how long its own start and finish took. */
#ifndef IOL_RUNTIME_EXPLAIN_H
#define IOL_RUNTIME_EXPLAIN_H

#include <stdint.h>

#include "schema/resolve.h"

/* The settings in force, as lines that begin with #. */
void iol__explain_settings(const iol__config *config);
/* Measures steps, and prints one line for each at the end: "darshan:STEP", processes, seconds, separated by tabs. */
void iol__timing_begin(void);
void iol__timing_step(const char *step);
void iol__timing_print(const char *whole);
/* The start is over. What a launcher started is perhaps one of many ranks, of which the longest time counts: its line
   waits until they are together, or until this process ends. */
void iol__timing_started(void);
/* How long it took, once; -1 if that has been said. */
int64_t iol__timing_take_start(void);
void iol__timing_print_start(int64_t ns, int processes);
/* A head, and a line below it. */
void iol__timing_head(void);
void iol__timing_line(const char *step, int processes, int64_t ns);

#endif
