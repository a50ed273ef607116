/* A stream made from a descriptor: opens on both layers, and the number is free again after fclose.
   EXPECT POSIX d.txt POSIX_OPENS = 1
   EXPECT POSIX d.txt POSIX_WRITES = 1
   EXPECT STDIO d.txt STDIO_OPENS = 1
   EXPECT STDIO d.txt STDIO_FDOPENS = 1
   EXPECT STDIO d.txt STDIO_BYTES_WRITTEN = 5
   EXPECT POSIX next.dat POSIX_BYTES_WRITTEN = 8 */
#include "tests/hazards/hazard.h"

int main(void) {
    int fd = fresh("d.txt"), ends[2];
    put(fd, 2);
    FILE *stream = fdopen(fd, "w");
    CHECK(stream && fputs("text\n", stream) >= 0 && fclose(stream) == 0);
    CHECK(fresh("next.dat") == fd);
    put(fd, 8);
    CHECK(pipe(ends) == 0);
    FILE *pipe_stream = fdopen(ends[1], "w");
    CHECK(pipe_stream && fputs("to a pipe\n", pipe_stream) >= 0 && fclose(pipe_stream) == 0);
    say("bad: %d %s", fdopen(-1, "r") == NULL, strerrorname_np(errno));
    return 0;
}
