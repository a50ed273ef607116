/* Writes its whole state anew in every step, into the file that it has just truncated.
   FINDS posix.redundant.write
   LACKS posix.open.repeat */
#include "tests/planted/planted.h"

int main(void) {
    static char part[MiB];
    memset(part, 1, sizeof part);
    while (more(40)) {
        int fd = open("state.dat", O_WRONLY | O_CREAT | O_TRUNC, 0644);
        NEED(fd >= 0);
        for (int i = 0; i < 4; i++) NEED(write(fd, part, sizeof part) == sizeof part); /* HERE */
        NEED(close(fd) == 0);
    }
    return 0;
}
