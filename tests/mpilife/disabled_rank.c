/* In one rank Iolite is switched off altogether: it cannot answer, and the others do not wait for longer than the
   setting says. What they recorded is not lost. (The transport of some MPIs tells of messages that nobody took,
   and MPICH 4.2 of a communicator that was begun: without the others it can be neither finished nor taken back.)
   RANKS 3
   LOGS 1 3
   ENV IOLITE_FINALIZE_TIMEOUT=1
   ENV UCX_LOG_LEVEL=error
   TALK MPICH:
   RECORDS POSIX own.? 2
   EXPECT POSIX own.? POSIX_BYTES_WRITTEN = 22 */
#include "tests/mpilife/rank.h"

int main(int argc, char **argv) {
    if (launched_as() == 1 && argc == 1) {
        char *words[] = {argv[0], "again", NULL};
        setenv("IOLITE_DISABLE", "1", 1);
        execv("/proc/self/exe", words);
        return CHECK_FAILED;
    }
    start(&argc, &argv);
    write_own("own");
    return MPI_Finalize();
}
