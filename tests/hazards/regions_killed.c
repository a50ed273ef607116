/* Killed in the middle of a region: what was counted so far is kept, the last span has no end.
   STATUS signal 9
   PLAIN recover
   CUSTOM REGIONS step REGION_COUNT = 3
   CUSTOM REGIONS step REGION_BYTES_WRITTEN = 200
   CUSTOM REGIONS step REGION_UNENDED = 0
   CUSTOM REGIONS step SPANS = 3 */
#include "tests/hazards/hazard.h"

#include "iolite/iolite.h"

int main(void) {
    int fd = fresh("file");
    for (int i = 0; i < 3; i++) {
        iolite_region_begin("step");
        put(fd, 100);
        if (i == 2) kill(getpid(), SIGKILL);
        iolite_region_end("step");
    }
    return 0;
}
