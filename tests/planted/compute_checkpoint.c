/* Reads its input once, computes, and writes a checkpoint now and then, each in one piece into a file of its own.
   PREPARE
   INNOCENT */
#include "tests/planted/planted.h"

int main(int argc, char **argv) {
    static double field[1 * MiB];
    if (preparing(argc, argv)) return make_sparse("initial.dat", sizeof field), 0;
    int fd = open("initial.dat", O_RDONLY);
    NEED(fd >= 0 && read(fd, field, sizeof field) == sizeof field && close(fd) == 0);
    for (int step = 0; step < 3; step++) {
        char path[32];
        compute_for(0.3);
        snprintf(path, sizeof path, "checkpoint.%d", step);
        fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        NEED(fd >= 0 && write(fd, field, sizeof field) == sizeof field && fsync(fd) == 0 && close(fd) == 0);
    }
    return 0;
}
