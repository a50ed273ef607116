/* What is seldom done: opens and transfers that fail leave nothing and give back their own error; files without
   positions are not asked for any, which would be an error; handles that are used again, transfers of nothing, a file
   that is opened, removed and opened again. */
#include "tests/mpi/expected.h"

static void path_of(char *path, size_t room, const char *directory, const char *name) {
    snprintf(path, room, "%s/%s.%d", directory, name, rank);
}

static void failures(const char *directory) {
    char path[4096];
    MPI_File file;
    int value = 7, error_class = MPI_SUCCESS;
    path_of(path, sizeof path, directory, "absent");
    const int result = MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    REQUIRE(result != MPI_SUCCESS);
    CHECK(MPI_Error_class(result, &error_class));
    REQUIRE(error_class == MPI_ERR_NO_SUCH_FILE);
    path_of(path, sizeof path, directory, "written");
    CHECK(MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file));
    REQUIRE(MPI_File_read(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE) != MPI_SUCCESS);
    CHECK(MPI_File_write(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK(MPI_File_write(file, NULL, 0, MPI_INT, MPI_STATUS_IGNORE));
    CHECK(MPI_File_close(&file));
    fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_INDEP_READS\t0\n", path);
    fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_INDEP_WRITES\t2\n", path);
    fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_BYTES_WRITTEN\t%d\n", path, (int)sizeof value);
    fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_SIZE_WRITE_AGG_0_100\t2\n", path);
    fprintf(expected, "op\t%s\tw\t0\t%d\n", path, (int)sizeof value);
    fprintf(expected, "op\t%s\tw\t%d\t0\n", path, (int)sizeof value);
}

static int complaints;
static void complain(MPI_File *file, int *error, ...) {
    (void)file;
    (void)error;
    complaints++;
}

/* Only calls on the shared position may be used here. One that is not hears one complaint, its own. */
static void without_positions(const char *directory) {
    char path[4096];
    MPI_File file;
    MPI_Errhandler handler;
    int value = 7;
    path_of(path, sizeof path, directory, "sequential");
    CHECK(MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL, MPI_INFO_NULL,
                        &file));
    CHECK(MPI_File_create_errhandler(complain, &handler));
    CHECK(MPI_File_set_errhandler(file, handler));
    CHECK(MPI_File_write_shared(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
    REQUIRE(complaints == 0);
    const int allowed = MPI_File_write(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE) == MPI_SUCCESS;
    REQUIRE(complaints == !allowed);
    CHECK(MPI_File_close(&file));
    CHECK(MPI_Errhandler_free(&handler));
    fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_INDEP_WRITES\t%d\n", path, 1 + allowed);
    for (int i = 0; i < 1 + allowed; i++) fprintf(expected, "op\t%s\tw\t-1\t%d\n", path, (int)sizeof value);
}

/* Twenty files one after the other; their handles are likely to be the same. */
static void handles_again(const char *directory) {
    char path[4096], name[32];
    MPI_File file;
    MPI_Request request;
    static int values[20][16];
    for (int i = 0; i < 20; i++) {
        snprintf(name, sizeof name, "again%d", i);
        path_of(path, sizeof path, directory, name);
        CHECK(MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
        CHECK(MPI_File_iwrite_at(file, 4 * i, values[i], i % 16, MPI_INT, &request));
        CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK(MPI_File_close(&file));
        fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_NB_WRITES\t1\n", path);
        fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_BYTES_WRITTEN\t%d\n", path, 4 * (i % 16));
        fprintf(expected, "op\t%s\tw\t%d\t%d\n", path, 4 * i, 4 * (i % 16));
    }
}

static void opened_twice(const char *directory) {
    char path[4096];
    MPI_File file;
    int value = 3;
    path_of(path, sizeof path, directory, "twice");
    for (int i = 0; i < 2; i++) {
        CHECK(MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                            MPI_INFO_NULL, &file));
        CHECK(MPI_File_write_at(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
        CHECK(MPI_File_read_at(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
        CHECK(MPI_File_close(&file));
    }
    fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_INDEP_OPENS\t2\n", path);
    fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_RW_SWITCHES\t3\n", path);
    fprintf(expected, "value\tMPI-IO\t%s\tMPIIO_MODE\t%d\n", path,
            MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    CHECK(MPI_Init(&argc, &argv));
    expect_begin(argv[1]);
    failures(argv[1]);
    without_positions(argv[1]);
    handles_again(argv[1]);
    opened_twice(argv[1]);
    expect_end();
    CHECK(MPI_Finalize());
    return 0;
}
