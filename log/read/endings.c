/* See endings.h. */
#include "log/read/endings.h"

#include <stddef.h>
#include <string.h>

static bool endings_ends_with(const char *name, const char *ending) {
    const size_t length = strlen(name), end = strlen(ending);
    return length > end && strcmp(name + length - end, ending) == 0;
}

bool iol__ends_as_log(const char *name) {
    return endings_ends_with(name, ".darshan") || endings_ends_with(name, ".darshan.gz") ||
           endings_ends_with(name, ".darshan.bz2");
}

bool iol__ends_as_partial_log(const char *name) { return endings_ends_with(name, ".darshan_partial"); }
