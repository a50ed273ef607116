/* Prints its progress to standard output, a file here, without a buffer.
   FINDS stdio.console */
#include "tests/planted/planted.h"

int main(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
    for (long step = 0; more(5000); step++)
        printf("step %ld: residual 1.2345e-6, mass 0.99999, energy 3.14\n", step); /* HERE */
    return 0;
}
