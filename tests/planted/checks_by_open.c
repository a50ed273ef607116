/* Opens the files of a folder again and again to see whether they are there, and reads none of them.
   PREPARE
   FINDS posix.open.repeat
   TELLS posix.open.unused */
#include "tests/planted/planted.h"

enum { FILES = 500 };

static const char *candidate(int number) {
    static char path[32];
    snprintf(path, sizeof path, "candidate.%d", number);
    return path;
}

int main(int argc, char **argv) {
    for (int i = 0; i < FILES && preparing(argc, argv); i++) make_sparse(candidate(i), 100);
    if (preparing(argc, argv)) return 0;
    for (int i = 0; more(20 * FILES); i++) {
        int fd = open(candidate(i % FILES), O_RDONLY); /* HERE */
        NEED(fd >= 0 && close(fd) == 0);               /* HERE */
    }
    return 0;
}
