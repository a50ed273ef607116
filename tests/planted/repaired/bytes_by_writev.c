/* Writes records of a few bytes, each by a call of its own.
   FINDS posix.small.write
   REPAIRED */
#include <sys/uio.h>

#include "tests/planted/planted.h"

enum { RECORDS = 400000, RECORD = 32 };
static char all[RECORDS * RECORD];

int main(int argc, char **argv) {
    const int fd = open("records", O_WRONLY | O_CREAT, 0644);
    NEED(fd >= 0);
    if (repaired(argc, argv)) {
        NEED(write(fd, all, sizeof all) == sizeof all);
        return 0;
    }
    for (int i = 0; i < RECORDS; i++) {
        const struct iovec parts[] = {{all, RECORD / 2}, {all, RECORD / 2}};
        NEED(writev(fd, parts, 2) == RECORD); /* HERE */
    }
    return 0;
}
