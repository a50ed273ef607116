// A C++ program of MPI that is one rank of the world, and ends it when it leaves main.
#pragma once
#include <mpi.h>

struct World {
    int rank = 0, ranks = 0;
    World(int *argc, char ***argv) {
        MPI_Init(argc, argv);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    }
    World(const World &) = delete;
    World &operator=(const World &) = delete;
    ~World() { MPI_Finalize(); }
};
