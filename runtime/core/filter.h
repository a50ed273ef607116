/* Which names are watched. */
#ifndef IOL_RUNTIME_FILTER_H
#define IOL_RUNTIME_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "schema/resolve.h"

/* Compiles the expressions of the settings. */
void iol__filter_start(const iol__config *config);
/* Whether no module at all watches this name; cheap, and needs no table. */
bool iol__filter_excluded(const char *name, size_t length);
/* Whether a name of /dev or /proc leads to a file that has another one: through a descriptor or a directory of a process,
   as in /dev/stdout or /proc/self/fd/3. That other name decides. */
bool iol__filter_alias(const char *name);
/* Bit s: the module in slot s does not watch it. */
uint32_t iol__filter_refused(const char *name, size_t length);
/* The limit that MAX_RECORDS sets for a module, UINT64_MAX without one. */
uint64_t iol__filter_most_records(const iol__config *config, int slot);
/* Whether the settings leave this rank alone. */
bool iol__filter_rank(const iol__config *config, int rank, int size);

#endif
