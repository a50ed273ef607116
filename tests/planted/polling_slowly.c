/* Waits for a file that does not come, with a short sleep after each question: the calls cost little, the waiting a lot.
   FINDS posix.lookup.poll */
#include "tests/planted/planted.h"

int main(void) {
    struct stat facts;
    int fd = open("started", O_CREAT | O_WRONLY, 0644);
    NEED(fd >= 0 && write(fd, "yes\n", 4) == 4 && close(fd) == 0);
    for (int i = 0; i < 3000; i++) {
        NEED(stat("never", &facts) != 0); /* HERE */
        usleep(500);
    }
    return 0;
}
