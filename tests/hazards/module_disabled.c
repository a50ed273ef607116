/* One layer switched off, by the older name of the setting, leaves the others.
   ENV DARSHAN_MOD_DISABLE=STDIO
   ABSENT STDIO out.txt
   EXPECT POSIX out.dat POSIX_WRITES = 1 */
#include "tests/hazards/hazard.h"

int main(void) {
    put(fresh("out.dat"), 3);
    FILE *stream = fopen("out.txt", "w");
    CHECK(stream && fputs("text", stream) >= 0 && fileno(stream) > 2 && fclose(stream) == 0);
    return 0;
}
