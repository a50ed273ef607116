/* Asks for a stream that goes out with each line, and writes short ones.
   FINDS stdio.tiny */
#include "tests/planted/planted.h"

int main(void) {
    FILE *log = fopen("run.log", "w");
    NEED(log && setvbuf(log, NULL, _IOLBF, 0) == 0);
    while (more(100000)) NEED(fputs("1\n", log) >= 0); /* HERE */
    return fclose(log);
}
