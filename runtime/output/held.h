/* The counter of what this user's programs have left in a place (record/held.h). */
#ifndef IOL_RUNTIME_HELD_H
#define IOL_RUNTIME_HELD_H

#include <stdbool.h>
#include <stdint.h>

/* Adds to it, or takes away. False if there is no room for more, or no counter. */
bool iol__held_change(const char *place, int64_t bytes);
/* One process more whose records are dropped. */
void iol__held_dropped(const char *place);
/* A spool is being made: what there is is counted again. */
void iol__held_correct(const char *place);
/* Whether this job has not been told yet; now it has. True where nobody can know. */
bool iol__held_speaks(const char *place, uint64_t job);
/* The memory that this process and those beside it may have, by its control groups; UINT64_MAX: as much as there is. */
uint64_t iol__memory_limit(void);

#endif
