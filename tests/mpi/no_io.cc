// A C++ program of MPI that computes and has no file but the one in which it says so.
#include "tests/mpi/world.hh"

#include <cmath>
#include <cstdio>
#include <string>

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    const World world(&argc, &argv);
    const int rank = world.rank, ranks = world.ranks;
    constexpr int steps = 10000;
    double part = 0, sum = 0;
    for (int i = rank; i < steps; i += ranks) part += 4 / (1 + std::pow((i + 0.5) / steps, 2)) / steps;
    MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (std::fabs(sum - std::acos(-1)) > 1e-6) MPI_Abort(MPI_COMM_WORLD, 1);
    if (FILE *expected = std::fopen((std::string(argv[1]) + "/expected." + std::to_string(rank)).c_str(), "w")) {
        std::fputs("none\tPOSIX\nnone\tMPI-IO\n", expected);
        std::fclose(expected);
    }
    return 0;
}
