/* Makes sure after every record that it is on the disk.
   FINDS posix.fsync.heavy */
#include "tests/planted/planted.h"

int main(void) {
    char record[200] = "";
    int fd = open("journal.dat", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    NEED(fd >= 0);
    while (more(200)) NEED(write(fd, record, sizeof record) == sizeof record && fsync(fd) == 0); /* HERE */
    return close(fd);
}
