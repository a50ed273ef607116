/* Prints a line.
   INNOCENT */
#include "tests/planted/planted.h"

int main(void) {
    puts("Hello, world.");
    return 0;
}
