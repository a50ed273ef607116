/* Ranks with threads, and the other way to start MPI.
   RANKS 2
   LOGS 1 2
   LINK -pthread
   EXPECT POSIX thread.? POSIX_WRITES = 800
   EXPECT POSIX thread.? POSIX_BYTES_WRITTEN = 8000 */
#include <pthread.h>

#include "tests/mpilife/rank.h"

static void *work(void *number) {
    char path[64];
    snprintf(path, sizeof path, "thread.%d", rank * 4 + (int)(intptr_t)number);
    const int fd = fresh(path);
    for (int i = 0; i < 100; i++) put(fd, 10);
    close(fd);
    return NULL;
}

int main(int argc, char **argv) {
    int provided;
    CHECK(MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided) == MPI_SUCCESS);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i) == 0);
    for (int i = 0; i < 4; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    return MPI_Finalize();
}
