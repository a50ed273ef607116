/* A rank filter that is not a number, and a range without an end: no endless loop, at most one line of complaint.
   ENV DARSHAN_RANK_EXCLUDE=abc,1:
   ENV DARSHAN_RANK_INCLUDE=0:
   TALK
   PLAIN
   EXPECT POSIX out.dat POSIX_WRITES = 1 */
#include "tests/hazards/hazard.h"

int main(void) {
    put(fresh("out.dat"), 3);
    return 0;
}
