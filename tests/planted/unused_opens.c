/* Opens each file of a folder once, and reads none of them: reported, but it costs next to nothing.
   PREPARE
   INNOCENT
   TELLS posix.open.unused */
#include "tests/planted/planted.h"

enum { FILES = 500 };

int main(int argc, char **argv) {
    char path[32];
    for (int i = 0; i < FILES; i++) {
        snprintf(path, sizeof path, "candidate.%d", i);
        int fd = open(path, preparing(argc, argv) ? O_WRONLY | O_CREAT : O_RDONLY, 0644);
        NEED(fd >= 0 && close(fd) == 0);
    }
    if (!preparing(argc, argv)) compute_for(ENOUGH);
    return 0;
}
