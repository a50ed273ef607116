/* The end of nonblocking MPI-IO, as the program sees it: in the calls that wait for requests or ask after them. A
   request that is done leaves MPI_REQUEST_NULL in its place, whatever call it was, so all of them are looked at alike:
   which are ours before, which of those are gone behind. */
#include "runtime/abi/requests.h"

#define io (iol__core_calls->mpiio)

uint32_t iol__io_requests;

void iol__io_begun(iol__mpiio_file *file, MPI_Request request, const iol__mpiio_transfer *transfer) {
    if (request == MPI_REQUEST_NULL)
        io->transfer(file, transfer);
    else if (io->begun(file, iol__number_of_MPI_Request(request), transfer))
        __atomic_add_fetch(&iol__io_requests, 1, __ATOMIC_RELAXED);
}

static void done(iol__mpiio_operation *operation, double begin, double end) {
    if (io->done(operation, begin, end)) __atomic_sub_fetch(&iol__io_requests, 1, __ATOMIC_RELAXED);
}

bool iol__io_ask(iol__io_asked *asked, int count, const MPI_Request *requests) {
    if (!iol__abi_outermost() || !requests) return false;
    static uint64_t turns;
    const uint64_t turn = __atomic_add_fetch(&turns, 1, __ATOMIC_RELAXED);
    asked->first = NULL;
    for (int i = 0; i < count; i++) {
        iol__mpiio_operation *operation = io->operation(iol__number_of_MPI_Request(requests[i]));
        if (!operation || operation->turn == turn) continue; /* programs give one twice, and it works */
        operation->turn = turn;
        operation->place = (size_t)i;
        operation->also = asked->first;
        asked->first = operation;
    }
    if (!asked->first) return false;
    asked->begin = iol__core_calls->now();
    iol__abi_enter();
    return true;
}

static void io_answer(const iol__io_asked *asked, const MPI_Request *requests) {
    const double end = iol__core_calls->now();
    iol__abi_leave();
    for (iol__mpiio_operation *next, *operation = asked->first; operation; operation = next) {
        next = operation->also;
        if (iol__number_of_MPI_Request(requests[operation->place]) != operation->request)
            done(operation, asked->begin, end);
    }
}

static int answered(const iol__io_asked *asked, const MPI_Request *requests, int result) {
    io_answer(asked, requests);
    return result;
}

int wrap_Wait(MPI_Request *request, MPI_Status *status) {
    iol__io_asked asked;
    if (!iol__io_asking(&asked, 1, request)) return mpi(Wait)(request, status);
    return answered(&asked, request, mpi(Wait)(request, status));
}

int wrap_Waitall(int count, MPI_Request *requests, MPI_Status *statuses) {
    iol__io_asked asked;
    if (!iol__io_asking(&asked, count, requests)) return mpi(Waitall)(count, requests, statuses);
    return answered(&asked, requests, mpi(Waitall)(count, requests, statuses));
}

int wrap_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status) {
    iol__io_asked asked;
    if (!iol__io_asking(&asked, count, requests)) return mpi(Waitany)(count, requests, index, status);
    return answered(&asked, requests, mpi(Waitany)(count, requests, index, status));
}

int wrap_Waitsome(int count, MPI_Request *requests, int *n, int *indices, MPI_Status *statuses) {
    iol__io_asked asked;
    if (!iol__io_asking(&asked, count, requests)) return mpi(Waitsome)(count, requests, n, indices, statuses);
    return answered(&asked, requests, mpi(Waitsome)(count, requests, n, indices, statuses));
}

int wrap_Test(MPI_Request *request, int *flag, MPI_Status *status) {
    iol__io_asked asked;
    if (!iol__io_asking(&asked, 1, request)) return mpi(Test)(request, flag, status);
    return answered(&asked, request, mpi(Test)(request, flag, status));
}

int wrap_Testall(int count, MPI_Request *requests, int *flag, MPI_Status *statuses) {
    iol__io_asked asked;
    if (!iol__io_asking(&asked, count, requests)) return mpi(Testall)(count, requests, flag, statuses);
    return answered(&asked, requests, mpi(Testall)(count, requests, flag, statuses));
}

int wrap_Testany(int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status) {
    iol__io_asked asked;
    if (!iol__io_asking(&asked, count, requests)) return mpi(Testany)(count, requests, index, flag, status);
    return answered(&asked, requests, mpi(Testany)(count, requests, index, flag, status));
}

int wrap_Testsome(int count, MPI_Request *requests, int *n, int *indices, MPI_Status *statuses) {
    iol__io_asked asked;
    if (!iol__io_asking(&asked, count, requests)) return mpi(Testsome)(count, requests, n, indices, statuses);
    return answered(&asked, requests, mpi(Testsome)(count, requests, n, indices, statuses));
}

/* Nobody will see its end: it counts as done. */
int wrap_Request_free(MPI_Request *request) {
    iol__io_asked asked;
    if (!iol__io_asking(&asked, 1, request)) return mpi(Request_free)(request);
    return answered(&asked, request, mpi(Request_free)(request));
}

/* The request stays, but its end has been seen. */
int wrap_Request_get_status(MPI_Request request, int *flag, MPI_Status *status) {
    iol__io_asked asked;
    if (!iol__io_asking(&asked, 1, &request)) return mpi(Request_get_status)(request, flag, status);
    const int result = mpi(Request_get_status)(request, flag, status);
    if (result == MPI_SUCCESS && *flag) request = MPI_REQUEST_NULL;
    return answered(&asked, &request, result);
}
