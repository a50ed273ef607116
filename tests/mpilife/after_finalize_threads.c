/* A rank goes on after MPI_Finalize while it still has another thread, which may be in the middle of an update: records
   cannot begin again, and the log is what the ranks wrote.
   LINK -pthread
   RANKS 2
   LOGS 1
   EXPECT POSIX own.? POSIX_BYTES_WRITTEN = 21
   ABSENT POSIX late */
#include <pthread.h>

#include "tests/mpilife/rank.h"

static int pipe_ends[2];

static void *wait_for_end(void *unused) {
    char end;
    CHECK(read(pipe_ends[0], &end, 1) == 1);
    return unused;
}

int main(int argc, char **argv) {
    pthread_t thread;
    start(&argc, &argv);
    write_own("own");
    CHECK(pipe(pipe_ends) == 0 && pthread_create(&thread, NULL, wait_for_end, NULL) == 0);
    const int result = MPI_Finalize();
    write_own("late");
    CHECK(write(pipe_ends[1], "", 1) == 1);
    pthread_join(thread, NULL);
    return result;
}
