/* The program closes descriptor 2 and opens a file, which gets the number: the message at the
   end, that the log cannot go where it should, would end up in it.
   ENV IOLITE_LOG_FILE=/nonexistent/place/x.darshan
   TALK
   EXPECT POSIX two.dat POSIX_BYTES_WRITTEN = 7
   PLAIN */
#include "tests/hazards/hazard.h"

int main(void) {
    CHECK(close(2) == 0);
    CHECK(fresh("two.dat") == 2);
    put(2, 7);
    return 0;
}
