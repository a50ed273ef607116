/* The memory of a control block is gone as soon as its callback has run, which may be before aio_write has returned.
   LINK -pthread
   EXPECT POSIX out.dat POSIX_WRITES = 1000
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 8000
   EXPECT POSIX out.dat POSIX_MAX_BYTE_WRITTEN = 7999 */
#include <aio.h>
#include <semaphore.h>
#include <sys/mman.h>

#include "tests/hazards/hazard.h"

enum { TIMES = 1000, PIECE = 8 };

static sem_t over;

static void on_done(union sigval value) {
    struct aiocb *block = value.sival_ptr;
    CHECK(aio_error(block) == 0 && aio_return(block) == PIECE);
    CHECK(munmap(block, sizeof *block) == 0);
    CHECK(sem_post(&over) == 0);
}

int main(void) {
    static char bytes[PIECE];
    int fd = fresh("out.dat");
    CHECK(sem_init(&over, 0, 0) == 0);
    for (int i = 0; i < TIMES; i++) {
        struct aiocb *block = mmap(NULL, sizeof *block, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CHECK(block != MAP_FAILED);
        block->aio_fildes = fd;
        block->aio_offset = i * PIECE;
        block->aio_buf = bytes;
        block->aio_nbytes = PIECE;
        block->aio_sigevent.sigev_notify = SIGEV_THREAD;
        block->aio_sigevent.sigev_notify_function = on_done;
        block->aio_sigevent.sigev_value.sival_ptr = block;
        CHECK(aio_write(block) == 0);
        while (sem_wait(&over) != 0) CHECK(errno == EINTR);
    }
    say("done");
    return 0;
}
