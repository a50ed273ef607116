/* What the programs about the life of MPI jobs share: a rank's own file and the file of all, with sizes that tell who
   wrote. */
#ifndef IOL_TESTS_MPILIFE_RANK_H
#define IOL_TESTS_MPILIFE_RANK_H

#include <mpi.h>

#include "tests/hazards/hazard.h"

static int rank, ranks;

static inline void start(int *argc, char ***argv) {
    CHECK(MPI_Init(argc, argv) == MPI_SUCCESS);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
}

/* 10 bytes and one more for each rank, into NAME.RANK. */
static inline void write_own(const char *name) {
    char path[64];
    snprintf(path, sizeof path, "%s.%d", name, rank);
    const int fd = fresh(path);
    put(fd, (size_t)(10 + rank));
    close(fd);
}

/* 100 bytes of each rank in one file. */
static inline void write_shared(const char *name) {
    const int fd = open(name, O_RDWR | O_CREAT, 0644);
    CHECK(fd >= 0);
    put_at(fd, 100, (off_t)rank * 100);
    close(fd);
}

/* The rank that a launcher gives to a process, before MPI has started; -1: it does not say. */
static inline int launched_as(void) {
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i])) return atoi(getenv(names[i]));
    return -1;
}

#endif
