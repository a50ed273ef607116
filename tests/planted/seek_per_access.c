/* Seeks through a file: asks where the end is, where it stands, goes to the record, and reads a little.
   PREPARE
   FINDS posix.seek.heavy */
#include "tests/planted/planted.h"

int main(int argc, char **argv) {
    char record[64];
    off_t size = (off_t)1024 * MiB;
    if (preparing(argc, argv)) return make_sparse("fields.dat", size), 0;
    int fd = open("fields.dat", O_RDONLY);
    NEED(fd >= 0);
    for (off_t at = 0; more(2000) && at < size; at += 64) {
        for (int i = 0; i < 4; i++) {
            off_t now = lseek(fd, 0, SEEK_CUR);
            NEED(lseek(fd, 0, SEEK_END) == size && lseek(fd, now, SEEK_SET) == now); /* HERE */
        }
        NEED(lseek(fd, at, SEEK_SET) == at && read(fd, record, sizeof record) == sizeof record);
    }
    return 0;
}
