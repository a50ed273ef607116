/* More requests of POSIX aio without a fetched result than are remembered: the others are not counted, and the log says
   how many.
   LINK -pthread
   EXPECT POSIX many.dat POSIX_WRITES = 1024
   EXPECT POSIX many.dat POSIX_BYTES_WRITTEN = 10240
   OPERATION updates LOST = 76 */
#include <aio.h>

#include "tests/hazards/hazard.h"

enum { REQUESTS = 1100 };

int main(void) {
    static struct aiocb blocks[REQUESTS];
    static char bytes[10];
    int fd = fresh("many.dat");
    for (int i = 0; i < REQUESTS; i++) {
        blocks[i] =
            (struct aiocb){.aio_fildes = fd, .aio_buf = bytes, .aio_nbytes = sizeof bytes, .aio_offset = i * 10};
        CHECK(aio_write(&blocks[i]) == 0);
        while (aio_error(&blocks[i]) == EINPROGRESS) aio_suspend((const struct aiocb *const[]){&blocks[i]}, 1, NULL);
    }
    for (int i = 0; i < REQUESTS; i++) CHECK(aio_return(&blocks[i]) == sizeof bytes);
    say("done");
    return 0;
}
