/* Empties the buffer of its log after every line, in case it should crash.
   FINDS stdio.flush */
#include "tests/planted/planted.h"

int main(void) {
    FILE *text = fopen("run.log", "w");
    NEED(text);
    for (long step = 0; more(5000); step++) {
        fprintf(text, "step %ld done\n", step);
        fflush(text); /* HERE */
    }
    return fclose(text);
}
