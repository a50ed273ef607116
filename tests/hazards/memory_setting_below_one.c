/* Half a mebibyte of memory for records: less, but still a log.
   ENV DARSHAN_MODMEM=0.5
   TALK
   PLAIN
   EXPECT POSIX out.dat POSIX_WRITES = 1 */
#include "tests/hazards/hazard.h"

int main(void) {
    put(fresh("out.dat"), 3);
    return 0;
}
