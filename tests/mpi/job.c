/* usage: job directory writes|opens answer. Files that all ranks open and that the first one alone writes to, files of
   one rank each, and one that the last rank leaves out; the process id of the first rank goes to the file of the answer.
   Or one file that is opened and no more. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void put(const char *directory, const char *name, int rank, size_t bytes) {
    static const char data[4000];
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    if (rank >= 0) snprintf(path + strlen(path), 16, ".%d", rank);
    const int fd = open(path, O_WRONLY | O_CREAT, 0600);
    if (fd < 0 || (bytes && write(fd, data, bytes) != (ssize_t)bytes) || close(fd) != 0) abort();
}

static void tell_pid(const char *path) {
    FILE *answer = fopen(path, "w");
    if (!answer || fprintf(answer, "%d\n", (int)getpid()) < 0 || fclose(answer) != 0) abort();
}

int main(int argc, char **argv) {
    int rank, size;
    if (argc < 4) return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (strcmp(argv[2], "opens") == 0) {
        put(argv[1], "opened", -1, 0);
    } else {
        put(argv[1], "zeta", -1, rank == 0 ? 4000 : 0);
        for (int i = 0; i < 3; i++) put(argv[1], "own", 10 * rank + i, 10);
        put(argv[1], "alpha", -1, 0);
        if (rank != size - 1) put(argv[1], "most", -1, 0);
        if (rank == 0) tell_pid(argv[3]);
    }
    MPI_Finalize();
    return 0;
}
