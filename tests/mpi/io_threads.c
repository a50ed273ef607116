/* Threads of one process in MPI-IO at the same time: on one file that they share, and each on its own. */
#include <pthread.h>

#include "tests/mpi/expected.h"

enum { THREADS = 3, ROUNDS = 50 };

/* Open MPI 4.1 loses nonblocking calls that several threads wait for at the same time, and they wait for good. */
#ifdef OPEN_MPI
#define ALONE(call)                   \
    do {                              \
        pthread_mutex_lock(&alone);   \
        call;                         \
        pthread_mutex_unlock(&alone); \
    } while (0)
static pthread_mutex_t alone = PTHREAD_MUTEX_INITIALIZER;
#else
#define ALONE(call) call
#endif

static MPI_File shared;
static const char *directory;

static void write_later(MPI_File file, MPI_Offset at, int value) {
    MPI_Request request;
    CHECK(MPI_File_iwrite_at(file, at, &value, 1, MPI_INT, &request));
    CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static void *work(void *number) {
    const int me = (int)(long)number;
    char path[4096];
    MPI_File own;
    int value = me;
    snprintf(path, sizeof path, "%s/own.%d.%d", directory, rank, me);
    CHECK(MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &own));
    for (int i = 0; i < ROUNDS; i++) {
        CHECK(MPI_File_write_at(shared, (MPI_Offset)(me * ROUNDS + i) * 4, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
        ALONE(write_later(own, 4 * i, value));
    }
    CHECK(MPI_File_close(&own));
    return NULL;
}

static void tell(const char *path) {
    fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_INDEP_WRITES\t%d\n", path, THREADS * ROUNDS);
    fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_BYTES_WRITTEN\t%d\n", path, THREADS * ROUNDS * 4);
    for (int i = 0; i < THREADS * ROUNDS; i++) fprintf(expected, "op\t%s\tw\t%d\t4\n", path, i * 4);
    for (int me = 0; me < THREADS; me++) {
        fprintf(expected, "count\tMPI-IO\t%s/own.%d.%d\tMPIIO_NB_WRITES\t%d\n", directory, rank, me, ROUNDS);
        for (int i = 0; i < ROUNDS; i++) fprintf(expected, "op\t%s/own.%d.%d\tw\t%d\t4\n", directory, rank, me, i * 4);
    }
}

int main(int argc, char **argv) {
    pthread_t threads[THREADS];
    char path[4096];
    int provided;
    if (argc != 2) return 2;
    CHECK(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    directory = argv[1];
    expect_begin(directory);
    if (provided == MPI_THREAD_MULTIPLE) {
        snprintf(path, sizeof path, "%s/of_all.%d", directory, rank);
        CHECK(MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &shared));
        for (long i = 0; i < THREADS; i++) REQUIRE(pthread_create(&threads[i], NULL, work, (void *)i) == 0);
        for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
        CHECK(MPI_File_close(&shared));
        tell(path);
    }
    expect_end();
    CHECK(MPI_Finalize());
    return 0;
}
