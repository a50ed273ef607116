/* Waits for the device after each record.
   FINDS posix.fsync.heavy
   REPAIRED */
#include "tests/planted/planted.h"

int main(int argc, char **argv) {
    const int fd = open("records", O_RDWR | O_CREAT, 0644);
    char record[512] = "";
    double in_syncs = 0;
    NEED(fd >= 0);
    for (int i = 0; i < 400; i++) {
        NEED(write(fd, record, sizeof record) == sizeof record);
        const double begin = seconds();
        if (!repaired(argc, argv)) NEED(fdatasync(fd) == 0); /* HERE */
        in_syncs += seconds() - begin;
    }
    NEED(fdatasync(fd) == 0);
    return repaired(argc, argv) ? 0 : costly(in_syncs);
}
