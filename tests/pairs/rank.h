/* What the parallel programs here share: who they are, where their files are, and that everything has to work. */
#ifndef IOL_TESTS_PAIRS_RANK_H
#define IOL_TESTS_PAIRS_RANK_H

#include <fcntl.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(what)                                                            \
    do {                                                                       \
        if (!(what)) {                                                         \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #what); \
            MPI_Abort(MPI_COMM_WORLD, 1);                                      \
        }                                                                      \
    } while (0)
#define MPI(call) CHECK((call) == MPI_SUCCESS)

static int rank, ranks;
static const char *directory;

static inline const char *path_of(const char *name) {
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

/* Behind this the three above are set. */
static inline void begin_rank(int argc, char **argv, const char *files) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    directory = files;
}

static inline void *bytes_of(size_t count) {
    void *bytes = malloc(count);
    CHECK(bytes);
    memset(bytes, 'a' + rank, count);
    return bytes;
}

/* The whole life of a rank: `work` with so many bytes of its own in *part. */
static inline int run_rank(int argc, char **argv, void (*work)(void), char **part, size_t count) {
    begin_rank(argc, argv, argv[2]);
    CHECK(work);
    *part = bytes_of(count);
    work();
    free(*part);
    MPI_Finalize();
    return 0;
}

#endif
