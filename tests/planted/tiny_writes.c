/* Writes its result number by number, one after the other, without a buffer.
   FINDS posix.small.write */
#include "tests/planted/planted.h"

int main(void) {
    int fd = open("result.dat", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    NEED(fd >= 0);
    for (double number = 0; more(2000); number++) NEED(write(fd, &number, sizeof number) == sizeof number); /* HERE */
    return close(fd);
}
