/* A rank forks. The child's I/O is not the parent's: with records in memory that both share it would be, and the file
   that the parent opens next would start with the child's counts.
   RANKS 2
   LOGS 1 2
   EXPECT POSIX child.? POSIX_BYTES_WRITTEN = 14000
   EXPECT POSIX next.? POSIX_BYTES_WRITTEN = 21
   EXPECT POSIX first.? POSIX_BYTES_WRITTEN = 21 */
#include "tests/mpilife/rank.h"

static void child(void) {
    char path[64];
    snprintf(path, sizeof path, "child.%d", rank);
    const int fd = fresh(path);
    for (int i = 0; i < 7; i++) put(fd, 1000);
    close(fd);
    _exit(0);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    write_own("first");
    const pid_t pid = fork();
    if (pid == 0) child();
    int status = 1;
    CHECK(waitpid(pid, &status, 0) == pid && status == 0);
    write_own("next");
    return MPI_Finalize();
}
