/* MPI's own statistics: calls that send, receive and wait, for the module APMPI. Without it none of this is called. A
   wrapper calls the real function and tells the core how many bytes it moved and when. Calls that fail, and calls
   inside of other calls, leave nothing. What is asked of MPI behind a call is asked of objects that the call has just
   accepted, and never of arguments that the standard lets it ignore. */
#include <string.h>

#include "runtime/abi/abi.h"
#include "runtime/apmpi/apmpi.h"

/* Bytes ------------------------------------------------------------------------------------------------------------ */

static int64_t sum(int64_t a, int64_t b) {
    int64_t all;
    return __builtin_add_overflow(a, b, &all) ? INT64_MAX : all;
}

static int64_t product(int64_t a, int64_t b) {
    int64_t all;
    return __builtin_mul_overflow(a, b, &all) ? INT64_MAX : all;
}

/* What came, if the program wants to know; else what it had room for. */
static int64_t received(MPI_Count count, MPI_Datatype type, const MPI_Status *status) {
    MPI_Count came = 0;
    if (status == MPI_STATUS_IGNORE || mpi(Get_elements_x)(status, MPI_BYTE, &came) != MPI_SUCCESS || came < 0)
        return iol__abi_bytes(count, type);
    return came;
}

/* Between two groups, neighbours of the root have nothing to do, and their arguments may be anything. */
static int64_t at_root(int root, MPI_Count count, MPI_Datatype type) {
    return root == MPI_PROC_NULL ? 0 : iol__abi_bytes(count, type);
}

/* The same for operations in which a root of another group has no part of its own either. */
static bool takes_part(int root) { return root != MPI_ROOT && root != MPI_PROC_NULL; }

/* A rank's own part, which in place stands in the buffer that is for all parts. */
static int64_t part(const void *buffer, MPI_Count here, MPI_Datatype type_here, MPI_Count there,
                    MPI_Datatype type_there) {
    return buffer == MPI_IN_PLACE ? iol__abi_bytes(there, type_there) : iol__abi_bytes(here, type_here);
}

static int rank_in(MPI_Comm comm) {
    int rank = 0;
    mpi(Comm_rank)(comm, &rank);
    return rank;
}
#define OWN_COUNT(buffer, counts, comm) ((buffer) == MPI_IN_PLACE ? (counts)[rank_in(comm)] : 0)

static int local_ranks(MPI_Comm comm) {
    int ranks = 0;
    return mpi(Comm_size)(comm, &ranks) == MPI_SUCCESS ? ranks : 0;
}

/* With how many a rank exchanges data: all, or those of the other group. */
static int partners(MPI_Comm comm) {
    int between_groups = 0, ranks = 0;
    if (mpi(Comm_test_inter)(comm, &between_groups) != MPI_SUCCESS || !between_groups) return local_ranks(comm);
    return mpi(Comm_remote_size)(comm, &ranks) == MPI_SUCCESS ? ranks : 0;
}

#define TOTAL(counts, type, ranks) FORM(total)(counts, type, ranks)
#define TOTAL_OF_TYPES(counts, types, ranks) FORM(total_of_types)(counts, types, ranks)
#define TOTALS                                                                                       \
    static int64_t FORM(total)(const COUNT *counts, MPI_Datatype type, int ranks) {                  \
        int64_t count = 0;                                                                           \
        for (int i = 0; i < ranks; i++) count = sum(count, counts[i]);                               \
        return iol__abi_bytes(count, type);                                                          \
    }                                                                                                \
    static int64_t FORM(total_of_types)(const COUNT *counts, const MPI_Datatype *types, int ranks) { \
        int64_t bytes = 0;                                                                           \
        for (int i = 0; i < ranks; i++) bytes = sum(bytes, iol__abi_bytes(counts[i], types[i]));     \
        return bytes;                                                                                \
    }

/* Calls ------------------------------------------------------------------------------------------------------------ */

/* A call of the program itself. Without stubs all calls come here, whether they are to be counted or not. */
static bool programs_own(void) { return iol__abi_outermost() && iol__core_calls->apmpi; }

/* The time at which a call begins; -1: it does not count. */
static double starts(void) { return programs_own() && iol__core_calls->awake() ? iol__core_calls->now() : -1; }

static double enters(void) {
    const double begin = starts();
    iol__abi_enter();
    return begin;
}

static double leaves(double begin) {
    iol__abi_leave();
    return begin < 0 ? -1 : iol__core_calls->now();
}

/* How long the others took to come. Whether that is asked must be the same on all ranks, or they would wait for ever:
   so it depends on a setting, and not on whether this rank is recorded. */
static double synchronised(MPI_Comm comm) {
    if (!programs_own() || !iol__core_calls->apmpi->sync) return 0;
    const double begin = iol__core_calls->now();
    iol__abi_enter();
    mpi(Barrier)(comm);
    iol__abi_leave();
    return iol__core_calls->now() - begin;
}

static void done(int operation, int64_t bytes, double begin, double end, double sync) {
    iol__core_calls->apmpi->done(operation, bytes, begin, end, sync);
}

/* The same with a request at the end. */
#define AND_REQUEST(...) (__VA_ARGS__, request)
#define AND_REQUEST_TYPE(...) (__VA_ARGS__, MPI_Request * request)

#if IOL_BOUND
#define FUNCTION(name, parameters)                                                                    \
    __typeof__(MPI_##name) count_##name __asm__("MPI_" #name) __attribute__((visibility("default"))); \
    int count_##name parameters
#else
#define FUNCTION(name, parameters)              \
    static __typeof__(MPI_##name) count_##name; \
    static int count_##name parameters
#endif
#define COUNTED(name, OPERATION, parameters, arguments, bytes, sync)                                     \
    FUNCTION(name, parameters) {                                                                         \
        const double waited = sync, begin = enters();                                                    \
        const int result = mpi(name) arguments;                                                          \
        const double end = leaves(begin);                                                                \
        if (begin >= 0 && result == MPI_SUCCESS) done(IOL_APMPI_##OPERATION, bytes, begin, end, waited); \
        return result;                                                                                   \
    }
/* The wrapper of MPI-IO, which wants to be the outermost itself, stands between us and the real function. */
#define REQUESTS(name, OPERATION, parameters, arguments)                                                           \
    FUNCTION(name, parameters) {                                                                                   \
        const double begin = starts();                                                                             \
        const int result = wrap_##name arguments;                                                                  \
        if (begin >= 0 && result == MPI_SUCCESS) done(IOL_APMPI_##OPERATION, 0, begin, iol__core_calls->now(), 0); \
        return result;                                                                                             \
    }
#define QUIET(name, parameters, arguments) \
    FUNCTION(name, parameters) { return iol__abi_inside(mpi(name) arguments); }
#define PLAIN(name, OPERATION, parameters, arguments) COUNTED(name, OPERATION, parameters, arguments, 0, 0)
#define BARRIER(name, OPERATION, parameters, arguments) \
    COUNTED(name, OPERATION, parameters, arguments, 0, synchronised(comm))
#define MESSAGE(name, OPERATION, parameters, arguments, bytes) \
    COUNTED_FORM(name, OPERATION, parameters, arguments, bytes, 0)
#define COLLECTIVE(name, nonblocking, OPERATION, parameters, arguments, bytes)      \
    COUNTED_FORM(name, OPERATION, parameters, arguments, bytes, synchronised(comm)) \
    COUNTED_FORM(nonblocking, I##OPERATION, AND_REQUEST_TYPE parameters, AND_REQUEST arguments, bytes, 0)

#define COUNT int
#define DISPLACEMENT int
#define FORM(name) name
#define COUNTED_FORM COUNTED
TOTALS
#include "runtime/abi/messages.def"
#undef COUNT
#undef DISPLACEMENT
#undef FORM
#undef COUNTED_FORM
#undef PLAIN
#undef BARRIER
#undef REQUESTS
#undef QUIET

#define PLAIN(name, OPERATION, parameters, arguments)
#define BARRIER(name, OPERATION, parameters, arguments)
#define REQUESTS(name, OPERATION, parameters, arguments)
#define QUIET(name, parameters, arguments)
#if IOL_MPI_4
#define COUNT MPI_Count
#define DISPLACEMENT MPI_Aint
#define FORM(name) name##_c
#define COUNTED_FORM(name, OPERATION, parameters, arguments, bytes, sync) \
    COUNTED(name##_c, OPERATION, parameters, arguments, bytes, sync)
TOTALS
#include "runtime/abi/messages.def"
#endif
#undef PLAIN
#undef BARRIER
#undef REQUESTS
#undef QUIET
#undef MESSAGE
#undef COLLECTIVE

/* Their names ------------------------------------------------------------------------------------------------------ */

#define ROW(name) {"MPI_" #name, (void *)count_##name},
#if IOL_MPI_4
#define ROWS(name) ROW(name) ROW(name##_c)
#else
#define ROWS(name) ROW(name)
#endif
#define PLAIN(name, OPERATION, parameters, arguments) ROW(name)
#define BARRIER(name, OPERATION, parameters, arguments) ROW(name)
#define REQUESTS(name, OPERATION, parameters, arguments) ROW(name)
#define QUIET(name, parameters, arguments) ROW(name)
#define MESSAGE(name, OPERATION, parameters, arguments, bytes) ROWS(name)
#define COLLECTIVE(name, nonblocking, OPERATION, parameters, arguments, bytes) ROWS(name) ROWS(nonblocking)

void *iol__message_wrapper(const char *name) {
    static const struct {
        const char *name;
        void *function;
    } table[] = {
#include "runtime/abi/messages.def"
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0) return table[i].function;
    return NULL;
}
