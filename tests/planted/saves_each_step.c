/* Saves its state after every step, in a new file that takes the place of the old one.
   FINDS posix.rename.repeat
   LACKS posix.open.repeat */
#include "tests/planted/planted.h"

int main(void) {
    static const char state[2 * KiB];
    while (more(300)) {
        int fd = open("state.new", O_WRONLY | O_CREAT | O_TRUNC, 0644);
        NEED(fd >= 0 && write(fd, state, sizeof state) == sizeof state && close(fd) == 0);
        NEED(rename("state.new", "state") == 0); /* HERE */
    }
    return 0;
}
