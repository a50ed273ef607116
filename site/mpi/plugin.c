/* Messages by MPI, compiled once for each MPI's header and linked with its library. */
#include "site/mpi/plugin.h"

#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <stdlib.h>

enum { TAG = 7 };

static int plugin_start(int *rank, int *size) {
    int given;
    int code = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given);
    if (code != MPI_SUCCESS) return code;
    /* A rank that has died is no reason to end the others. */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    code = MPI_Comm_rank(MPI_COMM_WORLD, rank);
    return code == MPI_SUCCESS ? MPI_Comm_size(MPI_COMM_WORLD, size) : code;
}

static void *send(const void *bytes, size_t length, int to) {
    MPI_Request *request = length > INT_MAX ? NULL : malloc(sizeof *request);
    if (!request) return NULL;
    if (MPI_Isend(bytes, (int)length, MPI_BYTE, to, TAG, MPI_COMM_WORLD, request) == MPI_SUCCESS) return request;
    free(request);
    return NULL;
}

static int sent(void *send) {
    int done = 0, code = MPI_Test(send, &done, MPI_STATUS_IGNORE);
    if (code == MPI_SUCCESS && !done) return 0;
    free(send);
    return code == MPI_SUCCESS ? 1 : -1;
}

static int plugin_look(int *from, size_t *length) {
    MPI_Status status;
    int there = 0, count = 0;
    if (MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS || !there) return 0;
    if (MPI_Get_count(&status, MPI_BYTE, &count) != MPI_SUCCESS) return 0;
    *from = status.MPI_SOURCE;
    *length = (size_t)count;
    return 1;
}

/* A long message comes in parts, which a rank that hangs does not send. */
static int receive(void *bytes, size_t length, int from, double seconds) {
    MPI_Request request;
    int done = 0, code = MPI_Irecv(bytes, (int)length, MPI_BYTE, from, TAG, MPI_COMM_WORLD, &request);
    const double until = MPI_Wtime() + seconds;
    while (code == MPI_SUCCESS && !done) {
        code = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done || code != MPI_SUCCESS) break;
        if (MPI_Wtime() > until) return MPI_ERR_PENDING;
        sched_yield();
    }
    return code;
}

static void plugin_finish(int broken) {
    if (broken)
        MPI_Abort(MPI_COMM_WORLD, 0);
    else
        MPI_Finalize();
}

__attribute__((visibility("default")))
const iolite_index_mpi iolite_index_plugin = {plugin_start, send, sent, plugin_look, receive, plugin_finish};
