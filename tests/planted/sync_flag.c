/* Opens its journal so that every record waits for the disk, without a single fsync.
   FINDS posix.sync.open */
#include "tests/planted/planted.h"

int main(void) {
    char record[200] = "";
    int fd = open("journal.dat", O_WRONLY | O_CREAT | O_TRUNC | O_DSYNC, 0644); /* HERE */
    NEED(fd >= 0);
    for (int i = 0; i < 10 && more(200); i++) NEED(write(fd, record, sizeof record) == sizeof record);
    double begin = seconds();
    NEED(write(fd, record, sizeof record) == sizeof record);
    if (seconds() - begin < 1e-4) {
        fprintf(stderr, "this file system does not wait for its device\n");
        return 77;
    }
    while (more(200)) NEED(write(fd, record, sizeof record) == sizeof record);
    return close(fd);
}
