/* Makes a file a little longer for each record.
   FINDS posix.resize.heavy
   REPAIRED */
#include "tests/planted/planted.h"

enum { RECORDS = 100000, RECORD = 64 };
static char all[RECORDS * RECORD];

int main(int argc, char **argv) {
    const int fd = open("records", O_RDWR | O_CREAT, 0644);
    NEED(fd >= 0);
    if (repaired(argc, argv)) {
        NEED(posix_fallocate(fd, 0, sizeof all) == 0);
    } else {
        for (int i = 0; i < RECORDS; i++) NEED(posix_fallocate(fd, (off_t)i * RECORD, RECORD) == 0); /* HERE */
    }
    NEED(write(fd, all, sizeof all) == sizeof all);
    return 0;
}
