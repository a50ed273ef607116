/* Four workers write files of their own, the same amount each, in large pieces.
   INNOCENT */
#include "tests/planted/planted.h"

static void work(int number) {
    static char piece[4 * MiB];
    char path[32];
    snprintf(path, sizeof path, "rank.%d", number);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    NEED(fd >= 0);
    for (int i = 0; i < 16; i++) NEED(write(fd, piece, sizeof piece) == sizeof piece);
    NEED(close(fd) == 0);
}

int main(void) {
    fork_workers(4, work);
    return 0;
}
