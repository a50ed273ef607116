/* Handlers of exit still do I/O; it belongs to the program and is counted.
   PLAIN
   EXPECT POSIX out.dat POSIX_WRITES = 3
   EXPECT POSIX late.dat POSIX_WRITES = 1
   EXPECT STDIO unflushed.txt STDIO_WRITES = 1
   EXPECT STDIO unflushed.txt STDIO_BYTES_WRITTEN = 10 */
#include "tests/hazards/hazard.h"

static int fd;

static void first(void) { put(fd, 1); }

static void second(int status, void *context) {
    (void)status, (void)context;
    put(fd, 1);
    put(fresh("late.dat"), 2);
}

int main(void) {
    fd = fresh("out.dat");
    CHECK(atexit(first) == 0 && on_exit(second, NULL) == 0);
    put(fd, 1);
    FILE *stream = fopen("unflushed.txt", "w");
    CHECK(stream && fputs("ten bytes\n", stream) >= 0);
    return 0;
}
