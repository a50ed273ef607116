/* A control block is used again for another file although nobody fetched the result of its first request.
   LINK -pthread
   EXPECT POSIX one.dat POSIX_WRITES <= 1
   EXPECT POSIX one.dat POSIX_BYTES_WRITTEN <= 30
   EXPECT POSIX two.dat POSIX_WRITES = 1
   EXPECT POSIX two.dat POSIX_BYTES_WRITTEN = 50 */
#include <aio.h>

#include "tests/hazards/hazard.h"

static void write_some(struct aiocb *block, const char *path, size_t count) {
    static char bytes[100];
    *block = (struct aiocb){.aio_fildes = fresh(path), .aio_buf = bytes, .aio_nbytes = count};
    CHECK(aio_write(block) == 0);
    while (aio_error(block) == EINPROGRESS) aio_suspend((const struct aiocb *const[]){block}, 1, NULL);
}

int main(void) {
    struct aiocb block;
    write_some(&block, "one.dat", 30);
    write_some(&block, "two.dat", 50);
    CHECK(aio_return(&block) == 50);
    say("done");
    return 0;
}
