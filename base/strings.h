/* Ends of names, and names at the end of paths. */
#ifndef IOL_BASE_STRINGS_H
#define IOL_BASE_STRINGS_H

#include <stdbool.h>
#include <string.h>

static inline bool iol__ends_with(const char *text, const char *end) {
    const size_t length = strlen(text), tail = strlen(end);
    return length >= tail && memcmp(text + length - tail, end, tail) == 0;
}

/* What is behind the last slash; all of it if there is none, or nothing behind it. */
static inline const char *iol__base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

#endif
