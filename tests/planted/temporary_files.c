/* Sorts in runs: writes temporary files on a local disk in large pieces, reads each back once, and removes it.
   RUN --trace
   INNOCENT */
#include "tests/planted/planted.h"

int main(void) {
    static char run[4 * MiB];
    for (int round = 0; round < 8; round++) {
        char path[] = "run-XXXXXX";
        int fd = mkstemp(path);
        NEED(fd >= 0);
        for (int i = 0; i < 4; i++) NEED(write(fd, run, sizeof run) == sizeof run);
        for (int i = 0; i < 4; i++) NEED(pread(fd, run, sizeof run, i * (off_t)sizeof run) == sizeof run);
        NEED(close(fd) == 0 && unlink(path) == 0);
    }
    return 0;
}
