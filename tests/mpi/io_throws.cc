// Error handlers of a program that throw: the exceptions leave calls of MPI without an end, and what comes behind them
// is recorded all the same, from deeper in the program than where they were thrown and by the same thread.
#include "tests/mpi/world.hh"

#include <cstdio>
#include <stdexcept>
#include <string>

static std::string directory;

static MPI_File open(const std::string &path, int mode) {
    MPI_File file = MPI_FILE_NULL;
    MPI_File_open(MPI_COMM_SELF, path.c_str(), mode, MPI_INFO_NULL, &file);
    return file;
}

static void throws_of_messages(MPI_Comm *, int *, ...) { throw std::runtime_error("a message"); }

// Throws; or else catches what it throws itself, so that the call that it is called in returns.
static bool catches;
static void throws(MPI_File *, int *, ...) {
    if (!catches) throw std::runtime_error("a file");
    catches = false;
    try {
        open(directory + "/not/there/either", MPI_MODE_RDONLY);
        MPI_Abort(MPI_COMM_WORLD, 1);
    } catch (const std::runtime_error &) {}
}

static void fails_to_open() {
    try {
        open(directory + "/not/there", MPI_MODE_RDONLY);
        MPI_Abort(MPI_COMM_WORLD, 1);
    } catch (const std::runtime_error &) {}
}

static void fails_to_send(int ranks) {
    MPI_Errhandler handler;
    int value = 0;
    MPI_Comm_create_errhandler(throws_of_messages, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    try {
        MPI_Send(&value, 1, MPI_INT, ranks, 0, MPI_COMM_WORLD);
        MPI_Abort(MPI_COMM_WORLD, 1);
    } catch (const std::runtime_error &) {}
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler);
}

static void write(const std::string &path, int bytes) {
    const std::string text(static_cast<size_t>(bytes), 'x');
    MPI_File file = open(path, MPI_MODE_CREATE | MPI_MODE_WRONLY);
    MPI_Errhandler held; // MPICH 4.0 lets go of it with every file, though it holds it once only
    MPI_File_get_errhandler(MPI_FILE_NULL, &held);
    MPI_File_write_at(file, 0, text.data(), bytes, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    const World world(&argc, &argv);
    const int rank = world.rank, ranks = world.ranks;
    directory = argv[1];
    const std::string own = directory + "/own." + std::to_string(rank);
    MPI_Errhandler handler;
    MPI_File_create_errhandler(throws, &handler);
    MPI_File_set_errhandler(MPI_FILE_NULL, handler);
    fails_to_open();
    write(own, 100);
    fails_to_send(ranks);
    write(own, 200);
    catches = true;
    open(directory + "/not/there", MPI_MODE_RDONLY);
    write(own, 400);
    if (FILE *expected = std::fopen((directory + "/expected." + std::to_string(rank)).c_str(), "w")) {
        std::fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_INDEP_OPENS\t3\n", own.c_str());
        std::fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_BYTES_WRITTEN\t700\n", own.c_str());
        for (int bytes : {100, 200, 400}) std::fprintf(expected, "op\t%s\tw\t0\t%d\n", own.c_str(), bytes);
        std::fclose(expected);
    }
    return 0;
}
