/* Workers append short lines to one log. Nobody writes where another has written.
   FINDS posix.small.shared.write
   LACKS posix.redundant.write */
#include "tests/planted/planted.h"

enum { WORKERS = 4 };

int main(void) {
    char line[32];
    memset(line, 'x', sizeof line);
    for (int worker = 0; worker < WORKERS; worker++) {
        if (fork() != 0) continue;
        int fd = open("workers.log", O_WRONLY | O_CREAT | O_APPEND, 0644);
        NEED(fd >= 0);
        while (more(60000)) NEED(write(fd, line, sizeof line) == sizeof line); /* HERE */
        exit(0);
    }
    while (wait(NULL) > 0) {}
    return 0;
}
