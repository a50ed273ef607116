/* Switched off: nothing is recorded, and nothing breaks.
   ENV IOLITE_DISABLE=1
   LOGS 0 1
   PLAIN
   ABSENT POSIX out.dat
   ABSENT STDIO out.txt */
#include "tests/hazards/hazard.h"

int main(int argc, char **argv) {
    (void)argv;
    put(fresh("out.dat"), 3);
    FILE *stream = fopen("out.txt", "w");
    CHECK(stream && fputs("text", stream) >= 0 && fclose(stream) == 0);
    if (argc == 1) again("second");
    return 0;
}
