/* When the result of a request is fetched, its descriptor may be closed and the number another file's.
   LINK -pthread
   EXPECT POSIX one.dat POSIX_READS = 1
   EXPECT POSIX one.dat POSIX_BYTES_READ = 100
   EXPECT POSIX two.dat POSIX_READS = 0
   EXPECT POSIX two.dat POSIX_BYTES_READ = 0 */
#include <aio.h>

#include "tests/hazards/hazard.h"

int main(void) {
    static char bytes[100];
    int fd = fresh("one.dat");
    put(fd, 100);
    struct aiocb block = {.aio_fildes = fd, .aio_buf = bytes, .aio_nbytes = sizeof bytes};
    CHECK(aio_read(&block) == 0);
    while (aio_error(&block) == EINPROGRESS) aio_suspend((const struct aiocb *const[]){&block}, 1, NULL);
    CHECK(close(fd) == 0);
    CHECK(fresh("two.dat") == fd);
    CHECK(aio_return(&block) == 100);
    say("done");
    return 0;
}
