/* Writes the whole state over the old one whenever a little of it has changed.
   FINDS posix.redundant.write */
#include "tests/planted/planted.h"

int main(void) {
    static char state[2 * MiB];
    int fd = open("state.dat", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    NEED(fd >= 0);
    for (size_t step = 0; more(20); step++) {
        state[step % sizeof state]++;
        NEED(pwrite(fd, state, sizeof state, 0) == sizeof state); /* HERE */
    }
    return close(fd);
}
