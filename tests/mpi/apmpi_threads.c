/* Four threads a rank, each sending to itself on a communicator of its own: no call is lost, none counted twice. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, TURNS = 500 };
static MPI_Comm comms[THREADS];

static void *send_to_self(void *argument) {
    double out[3] = {1, 2, 3}, in[3];
    MPI_Status status;
    MPI_Request request;
    MPI_Comm comm = *(MPI_Comm *)argument;
    for (int i = 0; i < TURNS; i++) {
        if (MPI_Irecv(in, 3, MPI_DOUBLE, 0, 1, comm, &request) != MPI_SUCCESS) abort();
        if (MPI_Send(out, 3, MPI_DOUBLE, 0, 1, comm) != MPI_SUCCESS) abort();
        if (MPI_Wait(&request, &status) != MPI_SUCCESS) abort();
        if (MPI_Isend(out, 3, MPI_DOUBLE, 0, 2, comm, &request) != MPI_SUCCESS) abort();
        if (MPI_Recv(in, 3, MPI_DOUBLE, 0, 2, comm, &status) != MPI_SUCCESS) abort();
        if (MPI_Wait(&request, &status) != MPI_SUCCESS) abort();
    }
    return NULL;
}

int main(int argc, char **argv) {
    int provided;
    pthread_t threads[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) fputs("this MPI does not know threads\n", stderr);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 77);
    for (int i = 0; i < THREADS; i++) MPI_Comm_dup(MPI_COMM_SELF, &comms[i]);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, send_to_self, &comms[i]) != 0) abort();
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    return MPI_Finalize();
}
