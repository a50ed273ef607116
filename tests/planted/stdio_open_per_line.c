/* Opens its history through stdio for every line, and closes it again.
   FINDS stdio.open.repeat */
#include "tests/planted/planted.h"

int main(void) {
    for (long step = 0; more(2000); step++) {
        FILE *history = fopen("history.csv", "a"); /* HERE */
        NEED(history);
        fprintf(history, "%ld,0.5,1.5\n", step);
        NEED(fclose(history) == 0);
    }
    return 0;
}
