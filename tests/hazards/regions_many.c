/* More spans than are kept, more regions open at once than are watched, and more names than there is room for: counts
   are right all the same, and the log says what it lacks.
   ENV IOLITE_MEMORY=1
   PARTIAL REGIONS
   CUSTOM REGIONS often REGION_COUNT = 5000
   CUSTOM REGIONS open REGION_COUNT = 300
   CUSTOM REGIONS open REGION_UNMEASURED >= 44
   CUSTOM REGIONS * REGION_UNBALANCED = 0
   CUSTOM REGIONS * SPANS = 4096
   CUSTOM REGIONS * SPANS_LOST > 900
   CUSTOM REGIONS * FOLDED > 1000
   CUSTOM REGIONS * REGION_COUNT = 12300
   CUSTOM REGIONS <FOLDED> REGION_COUNT > 1000 */
#include "tests/hazards/hazard.h"

#include "iolite/iolite.h"

int main(void) {
    char name[32];
    int fd = fresh("file");
    put(fd, 10);
    for (int i = 0; i < 5000; i++) {
        iolite_region_begin("often");
        iolite_region_end("often");
    }
    for (int i = 0; i < 300; i++) iolite_region_begin("open");
    for (int i = 0; i < 300; i++) iolite_region_end("open");
    for (int i = 0; i < 7000; i++) {
        snprintf(name, sizeof name, "step %d", i);
        iolite_region_begin(name);
        iolite_region_end(name);
    }
    return 0;
}
