/* The runtime inside a test program: its files, records and modules without the wrapped functions. What the life of a
   process does for them (settings, a place for the store, forks, time) is done here, as the test wants it. */
#ifndef IOL_TESTS_RUNTIME_STUBS_H
#define IOL_TESTS_RUNTIME_STUBS_H

#include "runtime/core/core.h"
#include "tests/support/opened.h"

/* Resolves settings (a config file's text, or NULL; variables up to a NULL) and starts all modules. Once a program. */
void runtime_start(const char *config, const char *const *variables);
/* The same for another set of settings, without starting anything. */
void runtime_settings(iol__config *to, const char *config, const char *const *variables);
/* Nothing is recorded any more, as at the start of a process. The files that were known stay known. */
void runtime_reset(void);
/* The same as it is in a forked child: the parent's store stays where it is. */
void runtime_forked(void);
/* Removes the store and its directory. */
void runtime_stop(void);

/* Fixtures of cmocka: runtime_start without settings before a group, runtime_reset before a test, runtime_stop after a
   group. */
int start_runtime(void **state);
int reset_runtime(void **state);
int stop_runtime(void **state);

/* The clock stands still at this time, in grains. */
void runtime_clock(int64_t grains);

/* The store as the log library reads it, now; it must be readable without complaint. */
opened runtime_log(void);
/* The record of a file in an open log; fails if there is none. */
const iol_record *runtime_record(const opened *o, int slot, const char *name, iol_records **records);

/* A number below `below`, from a fixed sequence. */
uint64_t runtime_random(uint64_t below);

#endif
