/* Hundreds of short processes leave one log, and nothing else.
   PROCESSES 301
   EXPECT POSIX all.dat POSIX_WRITES = 300
   EXPECT POSIX all.dat POSIX_BYTES_WRITTEN = 600
   RECORDS POSIX all.dat 300 */
#include "tests/hazards/hazard.h"

int main(void) {
    for (int i = 0; i < 300; i++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            put(open("all.dat", O_WRONLY | O_CREAT | O_APPEND, 0644), 2);
            _exit(0);
        }
        collect(child);
    }
    return 0;
}
