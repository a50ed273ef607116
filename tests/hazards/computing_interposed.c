/* The program has functions of its own under names of libc for memory, texts and the time, as sanitizers and libraries
   that make up the time do. Iolite calls none of them.
   FLAGS -fno-builtin
   LINK -rdynamic
   PLAIN
   EXPECT POSIX r.dat POSIX_WRITES = 4
   EXPECT POSIX r.dat POSIX_F_WRITE_TIME < 1000
   EXPECT STDIO s.txt STDIO_WRITES = 1 */
#include <time.h>

#include "tests/hazards/hazard.h"

#define OURS __attribute__((visibility("default")))

static int calls;

OURS void *memcpy(void *restrict to, const void *restrict from, size_t n) {
    calls++;
    for (size_t i = 0; i < n; i++) ((char *)to)[i] = ((const char *)from)[i];
    return to;
}

OURS void *memset(void *to, int byte, size_t n) {
    calls++;
    for (size_t i = 0; i < n; i++) ((char *)to)[i] = (char)byte;
    return to;
}

OURS size_t strlen(const char *text) {
    calls++;
    const char *end = text;
    while (*end) end++;
    return (size_t)(end - text);
}

OURS int strcmp(const char *a, const char *b) {
    calls++;
    while (*a && *a == *b) a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}

/* An hour passes from one call to the next. */
OURS int clock_gettime(clockid_t clock, struct timespec *time) {
    static time_t hours;
    (void)clock;
    calls++;
    *time = (struct timespec){.tv_sec = 1794916800 + 3600 * hours++};
    return 0;
}

int main(void) {
    const int fd = open("r.dat", O_WRONLY | O_CREAT | O_APPEND, 0644);
    CHECK(fd >= 0);
    for (int i = 0; i < 4; i++) CHECK(write(fd, "abc", 3) == 3);
    CHECK(close(fd) == 0);
    FILE *stream = fopen("s.txt", "w");
    CHECK(stream && fwrite("x", 1, 1, stream) == 1 && fclose(stream) == 0);
    say("called %d times", calls);
    return 0;
}
