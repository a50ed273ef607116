/* Two workers write parts of one file that overlap: whose bytes stay is a matter of luck. They take turns here, so that
   their writes are close in time on any machine.
   RUN --trace
   FINDS conflict.overlap */
#include <semaphore.h>
#include <sys/mman.h>

#include "tests/planted/planted.h"

enum { BLOCK = 64 * KiB, BLOCKS = 32 };

static sem_t *turn; /* of each worker */

static void work(int number) {
    static char block[BLOCK];
    int fd = open("domain.dat", O_WRONLY | O_CREAT, 0644);
    NEED(fd >= 0);
    for (off_t i = 0; i < BLOCKS; i++) {
        NEED(sem_wait(&turn[number]) == 0);
        NEED(pwrite(fd, block, BLOCK, i * BLOCK) == BLOCK);
        NEED(sem_post(&turn[1 - number]) == 0);
    }
    NEED(close(fd) == 0);
}

int main(void) {
    turn = mmap(NULL, 2 * sizeof *turn, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    NEED(turn != MAP_FAILED && sem_init(&turn[0], 1, 1) == 0 && sem_init(&turn[1], 1, 0) == 0);
    fork_workers(2, work);
    return 0;
}
