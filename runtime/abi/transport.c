/* Messages between the ranks at the end, on a communicator that is theirs alone: no receive of the program can take one,
   whatever it left behind. Making it needs every rank; one that does not come, because it ended, was killed or has no
   Iolite, is waited for as long as the setting says and no longer. Nothing here blocks inside of MPI, whose waiting
   takes a whole processor in some libraries. */
#include <sched.h>
#include <string.h>
#include <time.h>

#include "runtime/abi/abi.h"

static struct {
    MPI_Comm comm;
    MPI_Request requests[IOL_TICKETS];
    bool receives[IOL_TICKETS];
    bool busy[IOL_TICKETS];
} own;

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int new_ticket(bool receives) {
    for (int i = 0; i < IOL_TICKETS; i++) {
        if (own.busy[i]) continue;
        own.busy[i] = true;
        own.receives[i] = receives;
        return i;
    }
    return (int)IOL_BROKEN;
}

static int begun(int ticket, int result) {
    if (result == MPI_SUCCESS) return ticket;
    own.busy[ticket] = false;
    return (int)IOL_BROKEN;
}

static int send_bytes(void *self, int to, int tag, const void *bytes, size_t length) {
    (void)self;
    const int ticket = new_ticket(false);
    if (ticket < 0) return ticket;
    return begun(ticket, mpi(Isend)(bytes, (int)length, MPI_BYTE, to, tag, own.comm, &own.requests[ticket]));
}

static int receive_bytes(void *self, int from, int tag, void *bytes, size_t room) {
    (void)self;
    const int ticket = new_ticket(true);
    if (ticket < 0) return ticket;
    return begun(ticket, mpi(Irecv)(bytes, (int)room, MPI_BYTE, from, tag, own.comm, &own.requests[ticket]));
}

static long probe(void *self, int from, int tag) {
    (void)self;
    MPI_Status status;
    int there = 0, bytes = 0;
    if (mpi(Iprobe)(from, tag, own.comm, &there, &status) != MPI_SUCCESS) return IOL_BROKEN;
    if (!there) return IOL_NO_MESSAGE;
    return mpi(Get_count)(&status, MPI_BYTE, &bytes) == MPI_SUCCESS ? bytes : IOL_BROKEN;
}

static int done(void *self, int ticket) {
    (void)self;
    int is = 0;
    if (mpi(Test)(&own.requests[ticket], &is, MPI_STATUS_IGNORE) != MPI_SUCCESS) return (int)IOL_BROKEN;
    if (is) own.busy[ticket] = false;
    return is != 0;
}

/* Receives can be withdrawn at once; sends cannot, in some libraries. */
static void give_up(void *self) {
    (void)self;
    for (int i = 0; i < IOL_TICKETS; i++) {
        if (!own.busy[i]) continue;
        own.busy[i] = false;
        if (own.receives[i]) mpi(Cancel)(&own.requests[i]);
        mpi(Request_free)(&own.requests[i]);
    }
}

bool iol__abi_connect(iol__transport *transport, double seconds) {
    *transport = (iol__transport){
        .send = send_bytes, .receive = receive_bytes, .probe = probe, .done = done, .give_up = give_up};
    if (mpi(Comm_rank)(MPI_COMM_WORLD, &transport->rank) != MPI_SUCCESS ||
        mpi(Comm_size)(MPI_COMM_WORLD, &transport->size) != MPI_SUCCESS)
        return false;
    if (transport->size == 1) return true; /* nobody to talk to */
    MPI_Request request;
    if (mpi(Comm_idup)(MPI_COMM_WORLD, &own.comm, &request) != MPI_SUCCESS) return false;
    const double deadline = seconds_now() + seconds;
    for (unsigned turn = 1;; turn++) {
        int is = 0;
        if (mpi(Test)(&request, &is, MPI_STATUS_IGNORE) != MPI_SUCCESS) return false;
        if (is) break;
        if (seconds_now() > deadline) return false;
        if (turn < 1000)
            sched_yield();
        else
            nanosleep(&(struct timespec){0, 200000}, NULL);
    }
    return mpi(Comm_set_errhandler)(own.comm, MPI_ERRORS_RETURN) == MPI_SUCCESS;
}
