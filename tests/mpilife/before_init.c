/* What a program reads before MPI_Init is its own affair, too; what MPI does on files while it starts is not.
   RANKS 2
   LOGS 1 2
   EXPECT POSIX early.dat POSIX_BYTES_READ = 0
   EXPECT POSIX early.dat POSIX_OPENS = 2
   EXPECT POSIX own.? POSIX_BYTES_WRITTEN = 21
   EXPECT POSIX own.? POSIX_F_OPEN_START_TIMESTAMP >= 0 */
#include "tests/mpilife/rank.h"

int main(int argc, char **argv) {
    const int fd = open("early.dat", O_RDWR | O_CREAT, 0644);
    CHECK(fd >= 0);
    char byte;
    CHECK(read(fd, &byte, 1) == 0);
    close(fd);
    start(&argc, &argv);
    write_own("own");
    return MPI_Finalize();
}
