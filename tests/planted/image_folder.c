/* Reads a data set that is a folder of small files, one per sample, each once.
   PREPARE
   SET level.least_seconds=0
   FINDS posix.files.many */
#include "tests/planted/planted.h"

enum { FILES = 8000 };

static const char *sample(int number) {
    static char path[32];
    snprintf(path, sizeof path, "sample-%05d.jpg", number);
    return path;
}

int main(int argc, char **argv) {
    static char data[20 * KiB];
    for (int i = 0; i < FILES && preparing(argc, argv); i++) make_sparse(sample(i), 12 * KiB);
    if (preparing(argc, argv)) return 0;
    for (int i = 0; i < FILES; i++) {
        int fd = open(sample(i), O_RDONLY);                                         /* HERE */
        NEED(fd >= 0 && read(fd, data, sizeof data) == 12 * KiB && close(fd) == 0); /* HERE */
    }
    return 0;
}
