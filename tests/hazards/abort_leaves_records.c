/* abort ends the process without any handler; what was measured is on disk.
   STATUS signal 6
   PLAIN recover
   PROCESSES 1
   EXPECT POSIX out.dat POSIX_WRITES = 3
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 15
   EXPECT STDIO out.txt STDIO_WRITES = 1 */
#include "tests/hazards/hazard.h"

int main(void) {
    int fd = fresh("out.dat");
    for (int i = 0; i < 3; i++) put(fd, 5);
    FILE *text = fopen("out.txt", "w");
    CHECK(text && fputs("text\n", text) >= 0 && fflush(text) == 0);
    abort();
}
