/* Takes a lock by making a second name for a file, and gives it back, for each step.
   FINDS posix.names.heavy
   REPAIRED */
#include "tests/planted/planted.h"

int main(int argc, char **argv) {
    const int fd = open("file", O_CREAT | O_WRONLY, 0644);
    NEED(fd >= 0);
    for (int i = 0; i < (repaired(argc, argv) ? 1 : 30000); i++)
        NEED(link("file", "lock") == 0 && unlink("lock") == 0); /* HERE */
    return 0;
}
