/* A rank that the settings leave alone has nothing to say at the end, but answers: nobody waits for it in vain.
   RANKS 3
   LOGS 1 2
   ENV IOLITE_RANK_EXCLUDE=1
   RECORDS POSIX own.? 2
   EXPECT POSIX own.? POSIX_BYTES_WRITTEN = 22 */
#include "tests/mpilife/rank.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    write_own("own");
    return MPI_Finalize();
}
