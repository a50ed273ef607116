/* See endings.h. */
#include "log/read/endings.h"

#include <stddef.h>
#include <string.h>

#include "base/strings.h"

static bool endings_ends_with(const char *name, const char *ending) {
    return *name && iol__ends_with(name + 1, ending);
}

bool iol__ends_as_log(const char *name) {
    return endings_ends_with(name, ".darshan") || endings_ends_with(name, ".darshan.gz") ||
           endings_ends_with(name, ".darshan.bz2");
}

bool iol__ends_as_partial_log(const char *name) { return endings_ends_with(name, ".darshan_partial"); }
