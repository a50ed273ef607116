/* How much memory the control groups of this process allow, in both versions of the kernel's interface. Each group above
   may allow less than the one below. Asked once, when a spool is made. */
#include <string.h>

#include "runtime/output/held.h"
#include "runtime/core/sys.h"
#include "runtime/core/text.h"

enum { TABLE = 4096, PATH_ROOM = 1024 };

/* "max" is none; version 1 says so by a number near the largest. */
static uint64_t read_limit(const char *directory, size_t length, const char *file) {
    char path[PATH_ROOM + 64], text[32];
    iol__text name = {path, sizeof path, 0};
    iol__text_bytes(&name, directory, length);
    iol__text_add(&name, file);
    const long got = iol__sys_read_file(path, text, sizeof text - 1);
    uint64_t value = 0;
    if (got <= 0 || text[0] < '0' || text[0] > '9') return UINT64_MAX;
    text[got] = 0;
    for (const char *c = text; *c >= '0' && *c <= '9'; c++)
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, (uint64_t)(*c - '0'), &value))
            return UINT64_MAX;
    return value;
}

/* The least of a group and all above it. */
static uint64_t least_of(const char *root, const char *group, const char *file) {
    char path[PATH_ROOM];
    iol__text text = {path, sizeof path, 0};
    iol__text_add(&text, root);
    const size_t top = text.length;
    iol__text_bytes(&text, group, strcspn(group, "\n"));
    uint64_t least = UINT64_MAX;
    for (size_t length = text.length;;) {
        while (length > top && path[length - 1] == '/') length--;
        const uint64_t limit = read_limit(path, length, file);
        if (limit < least) least = limit;
        if (length <= top) return least;
        while (length > top && path[length - 1] != '/') length--;
    }
}

uint64_t iol__memory_limit(void) {
    char table[TABLE];
    uint64_t least = UINT64_MAX, one = UINT64_MAX;
    const long got = iol__sys_read_file("/proc/self/cgroup", table, sizeof table - 1);
    if (got <= 0) return least;
    table[got] = 0;
    for (const char *line = table; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group) break;
        group++;
        if (strncmp(controllers, "::", 2) == 0)
            one = least_of("/sys/fs/cgroup", group, "/memory.max");
        else if (memmem(controllers, (size_t)(group - controllers), "memory", 6))
            one = least_of("/sys/fs/cgroup/memory", group, "/memory.limit_in_bytes");
        if (one < least) least = one;
    }
    return least;
}
