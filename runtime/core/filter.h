/* Which names are watched. */
#ifndef IOL_RUNTIME_FILTER_H
#define IOL_RUNTIME_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "schema/resolve.h"

/* Compiles the expressions of the settings. */
void iol__filter_start(const iol__config *config);
/* For each letter those behind it with which a directory of the system begins: /etc, /dev, /usr, /bin, /boot, /lib, /opt,
   /sbin, /sys, /proc, /var. */
extern const uint32_t iol__filter_second[26] __attribute__((visibility("hidden")));
/* False if a name that begins so may be in one of these, by two letters alone; a name that begins with two slashes, or a
   dot, may be anything. */
static inline bool iol__filter_harmless(const char *name) {
    if (name[0] != '/' || name[1] == 0 || name[1] == '/' || name[1] == '.') return false;
    const unsigned first = (unsigned)(name[1] - 'a'), second = (unsigned)(name[2] - 'a');
    return first > 25 || second > 25 || !(iol__filter_second[first] >> second & 1);
}
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
