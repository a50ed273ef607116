/* Files by the hundred, in every way that leaves records: what a file system without room must not lose in silence.
   full DIRECTORY FILES [kill]: the last word makes it end by SIGKILL. With MPI, every rank has files of its own. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

static void use(const char *directory, int rank, int number) {
    char path[4096];
    snprintf(path, sizeof path, "%s/file-of-some-length.%d.%d", directory, rank, number);
    if (number % 4 == 3) {
        FILE *stream = fopen(path, "w");
        if (!stream || fputs("some text\n", stream) < 0 || fclose(stream) != 0) abort();
    } else {
        const int fd = open(path, O_RDWR | O_CREAT, 0644);
        if (fd < 0) abort();
        for (int i = 0; i < 20; i++)
            if (pwrite(fd, path, 1, i) != 1) abort();
        if (close(fd) != 0) abort();
    }
    if (unlink(path) != 0) abort();
}

int main(int argc, char **argv) {
    int rank = 0;
    if (argc < 3) return 2;
#ifdef WITH_MPI
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
    for (int i = 0; i < atoi(argv[2]); i++) use(argv[1], rank, i);
    if (argc > 3 && strcmp(argv[3], "kill") == 0) raise(SIGKILL);
#ifdef WITH_MPI
    MPI_Finalize();
#endif
    if (rank == 0) puts("done");
    return 0;
}
