/* A program that has not asked for the local time yet: tzname is that of a fresh process, the zone is read when the
   program asks and not before, and nothing was allocated for it.
   ENV TZ=XYZ-5:30
   PLAIN
   EXPECT POSIX r.dat POSIX_WRITES = 1 */
#include <malloc.h>
#include <time.h>

#include "tests/hazards/hazard.h"

int main(void) {
    say("%s %s %ld %d", tzname[0], tzname[1], timezone, daylight);
    say("%zu bytes are allocated", mallinfo2().uordblks);
    CHECK(setenv("TZ", "ABC+2", 1) == 0);
    const time_t noon = 1794916800;
    struct tm local;
    CHECK(localtime_r(&noon, &local) == &local);
    say("%d:%02d %s", local.tm_hour, local.tm_min, tzname[0]);
    put(fresh("r.dat"), 3);
    return 0;
}
