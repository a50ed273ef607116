// MPI-IO from C++, where errors become exceptions on their way out.
#include "tests/mpi/world.hh"

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

static void check(int result) {
    if (result != MPI_SUCCESS) throw std::runtime_error("MPI says no");
}

class File {
  public:
    File(MPI_Comm comm, const std::string &path, int mode) {
        check(MPI_File_open(comm, path.c_str(), mode, MPI_INFO_NULL, &handle));
    }
    File(const File &) = delete;
    File &operator=(const File &) = delete;
    ~File() { MPI_File_close(&handle); }
    void write(MPI_Offset at, const std::vector<double> &values) {
        check(MPI_File_write_at_all(handle, at, values.data(), static_cast<int>(values.size()), MPI_DOUBLE,
                                    MPI_STATUS_IGNORE));
    }

  private:
    MPI_File handle = MPI_FILE_NULL;
};

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    const World world(&argc, &argv);
    const int rank = world.rank, ranks = world.ranks;
    const std::string directory = argv[1], path = directory + "/of_cxx";
    try {
        File absent(MPI_COMM_WORLD, directory + "/not/there", MPI_MODE_RDONLY);
        return 1;
    } catch (const std::runtime_error &) {}
    {
        File file(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY);
        file.write(rank * 800, std::vector<double>(100, rank));
    }
    if (FILE *expected = std::fopen((directory + "/expected." + std::to_string(rank)).c_str(), "w")) {
        std::fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_%s_OPENS\t1\n", path.c_str(), ranks > 1 ? "COLL" : "INDEP");
        std::fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_COLL_WRITES\t1\n", path.c_str());
        std::fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_BYTES_WRITTEN\t800\n", path.c_str());
        std::fprintf(expected, "op\t%s\tw\t%d\t800\n", path.c_str(), rank * 800);
        std::fclose(expected);
    }
    return 0;
}
