/* Ranks write records of an odd size in turn into one file, without MPI-IO; afterwards each has a region of its own and
   writes large blocks.
   RANKS 4
   FINDS posix.small.shared.write */
#include "tests/pairs/pair.h"

enum { RECORD = 11752, RECORDS = 600 };

static void work(void) {
    size_t all = (size_t)RECORD * RECORDS;
    char *records = bytes_of(all);
    int fd = create("records");
    if (fixed) {
        off_t region = (off_t)rank * 16 * MIB;
        for (size_t at = 0; at < all; at += 4 * MIB)
            put(fd, records + at, all - at < 4 * MIB ? all - at : 4 * MIB, region + (off_t)at);
    } else {
        for (int i = 0; i < RECORDS; i++)
            put(fd, records + (size_t)i * RECORD, RECORD, ((off_t)i * ranks + rank) * RECORD);
    }
    close(fd);
    free(records);
}
