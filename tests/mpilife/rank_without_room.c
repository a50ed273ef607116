/* One rank may not write files beyond a few bytes, so that it can have no mapped file for its records: it takes part with
   those in its memory, and MPI_Finalize does not wait for ever.
   RANKS 3
   LOGS 1 2
   TALK
   RECORDS POSIX own.? 3
   EXPECT POSIX own.? POSIX_BYTES_WRITTEN = 33 */
#include <sys/resource.h>
#include <sys/syscall.h>

#include "tests/mpilife/rank.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    if (rank == 1) { /* past libc, so that nobody can prepare for it */
        const struct rlimit limit = {4096, 4096};
        CHECK(syscall(SYS_prlimit64, 0, RLIMIT_FSIZE, &limit, NULL) == 0);
        signal(SIGXFSZ, SIG_IGN);
    }
    write_own("own");
    return MPI_Finalize();
}
