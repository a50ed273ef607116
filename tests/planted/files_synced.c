/* Every small result is a file of its own, and is synced before the next one is made.
   FINDS posix.sync.many */
#include "tests/planted/planted.h"

int main(void) {
    double in_syncs = 0;
    for (long i = 0; more(200); i++) {
        char path[32], result[4 * KiB] = "";
        snprintf(path, sizeof path, "result.%ld", i);
        int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        NEED(fd >= 0 && write(fd, result, sizeof result) == sizeof result);
        const double begin = seconds();
        NEED(fsync(fd) == 0); /* HERE */
        in_syncs += seconds() - begin;
        NEED(close(fd) == 0);
    }
    return costly(in_syncs);
}
