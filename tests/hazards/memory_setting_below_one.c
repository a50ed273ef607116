/* Half a mebibyte of memory for records: less, but still a log, with every file of a small program.
   ENV DARSHAN_MODMEM=0.5
   TALK
   PLAIN
   EXPECT POSIX 0.dat POSIX_WRITES = 1
   EXPECT POSIX 99.dat POSIX_WRITES = 1 */
#include "tests/hazards/hazard.h"

int main(void) {
    for (int i = 0; i < 100; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d.dat", i);
        put(fresh(name), 3);
    }
    return 0;
}
