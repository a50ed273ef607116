/* What compilers make of a simple printf: puts and putchar. And perror, which writes to standard error.
   EXPECT STDIO <STDOUT> STDIO_WRITES = 3
   EXPECT STDIO <STDOUT> STDIO_BYTES_WRITTEN = 9 */
#include "tests/hazards/hazard.h"

int main(void) {
    puts("hello");
    putchar('x');
    puts("y");
    errno = ENOENT;
    perror("what");
    return 0;
}
