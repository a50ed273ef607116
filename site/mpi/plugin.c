/* Messages by MPI, compiled once for each MPI's header and linked with its library. */
#include "site/mpi/plugin.h"

#include <limits.h>
#include <mpi.h>
#include <time.h>

enum { TAG = 7 };

static int start(int *rank, int *size) {
    int given;
    int code = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given);
    if (code != MPI_SUCCESS) return code;
    /* A rank that has died is no reason to end the others. */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    code = MPI_Comm_rank(MPI_COMM_WORLD, rank);
    return code == MPI_SUCCESS ? MPI_Comm_size(MPI_COMM_WORLD, size) : code;
}

/* A message of some length waits until the other side asks for it, which a rank that hangs never does. */
static int send(const void *bytes, size_t length, int to, double seconds) {
    MPI_Request request;
    if (length > INT_MAX) return MPI_ERR_COUNT;
    int done = 0, code = MPI_Isend(bytes, (int)length, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &request);
    if (seconds <= 0) return code == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : code;
    const double until = MPI_Wtime() + seconds;
    while (code == MPI_SUCCESS && !done) {
        code = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done || code != MPI_SUCCESS) break;
        if (MPI_Wtime() > until) return MPI_ERR_PENDING;
        nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
    }
    return code;
}

static int look(int *from, size_t *length) {
    MPI_Status status;
    int there = 0, count = 0;
    if (MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS || !there) return 0;
    if (MPI_Get_count(&status, MPI_BYTE, &count) != MPI_SUCCESS) return 0;
    *from = status.MPI_SOURCE;
    *length = (size_t)count;
    return 1;
}

static int receive(void *bytes, size_t length, int from) {
    return MPI_Recv(bytes, (int)length, MPI_BYTE, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void finish(int broken) {
    if (broken)
        MPI_Abort(MPI_COMM_WORLD, 0);
    else
        MPI_Finalize();
}

__attribute__((visibility("default")))
const iolite_index_mpi iolite_index_plugin = {start, send, look, receive, finish};
