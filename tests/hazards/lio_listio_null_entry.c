/* A null entry in the list of lio_listio is legal. Asynchronous operations count when their result is collected.
   LINK -lrt
   EXPECT POSIX out.dat POSIX_WRITES = 2
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 12
   EXPECT POSIX out.dat POSIX_READS = 1
   EXPECT POSIX out.dat POSIX_BYTES_READ = 5
   EXPECT POSIX out.dat POSIX_MAX_BYTE_WRITTEN = 106 */
#include <aio.h>

#include "tests/hazards/hazard.h"

static ssize_t result(struct aiocb *block) {
    const struct aiocb *list[] = {block};
    while (aio_error(block) == EINPROGRESS) aio_suspend(list, 1, NULL);
    return aio_return(block);
}

int main(void) {
    char text[] = "hello, world", back[8] = "";
    int fd = fresh("out.dat");
    struct aiocb a = {.aio_fildes = fd, .aio_buf = text, .aio_nbytes = 5, .aio_lio_opcode = LIO_WRITE};
    struct aiocb b = {.aio_fildes = fd, .aio_buf = text, .aio_nbytes = 7, .aio_offset = 100};
    struct aiocb c = {.aio_fildes = fd, .aio_buf = back, .aio_nbytes = 5};
    struct aiocb *list[] = {NULL, &a, NULL};
    CHECK(lio_listio(LIO_WAIT, list, 3, NULL) == 0);
    say("%zd", result(&a));
    CHECK(aio_write(&b) == 0);
    say("%zd", result(&b));
    CHECK(aio_read(&c) == 0);
    say("%zd %s", result(&c), back);
    return 0;
}
