/* Requests of MPI-IO among those that a program waits for or asks after. While none is under way, that is one load and
   a branch. */
#ifndef IOL_RUNTIME_ABI_REQUESTS_H
#define IOL_RUNTIME_ABI_REQUESTS_H

#include <string.h>

#include "runtime/abi/abi.h"
#include "runtime/mpiio/mpiio.h"

/* How many are under way. */
extern uint32_t iol__io_requests;

/* A nonblocking call has given out this request. */
void iol__io_begun(iol__mpiio_file *file, MPI_Request request, const iol__mpiio_transfer *transfer);

typedef struct iol__io_asked {
    iol__mpiio_operation *first;
    double begin;
} iol__io_asked;

/* Before and behind a call that is given requests. Where it had been done with one, its place is another's. */
bool iol__io_ask(iol__io_asked *asked, int count, const MPI_Request *requests);

static inline bool iol__io_asking(iol__io_asked *asked, int count, const MPI_Request *requests) {
    return __builtin_expect(iol__io_requests != 0, 0) && iol__io_ask(asked, count, requests);
}

/* Handles are an address in one MPI, and a number in another. */
#define IOL_HANDLE_NUMBER(type)                            \
    static inline uint64_t iol__number_of_##type(type h) { \
        uint64_t number = 0;                               \
        memcpy(&number, &h, sizeof h);                     \
        return number;                                     \
    }
IOL_HANDLE_NUMBER(MPI_Request)
IOL_HANDLE_NUMBER(MPI_File)
#undef IOL_HANDLE_NUMBER

#endif
