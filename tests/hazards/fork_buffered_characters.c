/* Characters that wait in a stream's buffer when the process forks were written by the parent, and are counted once. The child's
   copy of the buffer is not a write of the child, whatever it writes to the same stream afterwards.
   PLAIN
   FLAGS -O2
   PROCESSES 2
   EXPECT STDIO out.dat STDIO_OPENS = 1
   EXPECT STDIO out.dat STDIO_BYTES_WRITTEN = 107 */
#include "tests/hazards/hazard.h"

int main(void) {
    FILE *stream = fopen("out.dat", "w");
    CHECK(stream);
    for (int i = 0; i < 100; i++) CHECK(putc_unlocked('p', stream) == 'p');
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        for (int i = 0; i < 7; i++) CHECK(putc_unlocked('c', stream) == 'c');
        put(fresh("child.dat"), 1);
        exit(0);
    }
    collect(child);
    return 0;
}
