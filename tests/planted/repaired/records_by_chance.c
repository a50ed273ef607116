/* Reads records in no order, each by a call.
   PREPARE
   FINDS posix.random.read
   REPAIRED */
#include "tests/planted/planted.h"

enum { BITS = 19, RECORD = 64 };

int main(int argc, char **argv) {
    static char all[(1 << BITS) * RECORD];
    if (preparing(argc, argv)) {
        make_sparse("records", sizeof all);
        return 0;
    }
    const int fd = open("records", O_RDONLY);
    NEED(fd >= 0);
    if (repaired(argc, argv)) NEED(read(fd, all, sizeof all) == sizeof all);
    for (uint64_t i = 0; i < (1 << BITS); i++) {
        const off_t at = (off_t)scattered(i, BITS) * RECORD;
        if (!repaired(argc, argv)) NEED(pread(fd, all + at, RECORD, at) == RECORD); /* HERE */
        NEED(all[at] == 0);
    }
    return 0;
}
