/* See endings.h. */
#include "log/read/endings.h"

#include <stddef.h>
#include <string.h>

static bool ends_with(const char *name, const char *ending) {
    const size_t length = strlen(name), end = strlen(ending);
    return length > end && strcmp(name + length - end, ending) == 0;
}

bool iol__ends_as_log(const char *name) {
    return ends_with(name, ".darshan") || ends_with(name, ".darshan.gz") || ends_with(name, ".darshan.bz2");
}

bool iol__ends_as_partial_log(const char *name) { return ends_with(name, ".darshan_partial"); }
