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

#endif
