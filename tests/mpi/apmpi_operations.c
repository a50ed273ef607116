/* Every operation that APMPI counts, a known number of times with known bytes, and the bytes of each kind of call that
   is easy to get wrong: in place, nobody at the other end, a root in another group, types with holes. The program keeps
   the counters by itself and leaves what they must be, one file per rank, in the folder that it is given. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define LENGTH(a) (sizeof(a) / sizeof *(a))

enum {
#define MESSAGE(name) name,
#define PLAIN(name) name,
#define SYNCED_MESSAGE(name) name,
#define SYNCED_PLAIN(name) name,
#include "schema/apmpi_operations.def"
#undef MESSAGE
#undef PLAIN
    OPERATIONS
};

static const struct {
    const char *name;
    int message;
} operations[] = {
#define MESSAGE(name) {#name, 1},
#define PLAIN(name) {#name, 0},
#undef SYNCED_MESSAGE
#undef SYNCED_PLAIN
#define SYNCED_MESSAGE(name) MESSAGE(name)
#define SYNCED_PLAIN(name) PLAIN(name)
#include "schema/apmpi_operations.def"
};

static struct { uint64_t calls, bytes, sizes[6]; } expected[OPERATIONS];

enum { ROOM = 4 << 20, MOST = 64 };
static char out[ROOM], in[ROOM], *window_memory;
static int rank, size, next, before;
static MPI_Comm world;
static MPI_Datatype holes; /* 12 bytes, spread over 40 */

static void expect(int operation, int64_t bytes) {
    static const int64_t most[] = {256, 1024, 8192, 262144, 1048576};
    int larger = 0;
    while (larger < 5 && bytes > most[larger]) larger++;
    expected[operation].calls++;
    expected[operation].bytes += (uint64_t)bytes;
    expected[operation].sizes[larger]++;
}

static void must(int result) {
    if (result == MPI_SUCCESS) return;
    fprintf(stderr, "a call of MPI failed: %d\n", result);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* A call, and what it must be counted as. */
#define DO(OPERATION, bytes, call) (must(call), expect(OPERATION, bytes))
/* A collective operation and its nonblocking form. */
#define BOTH(name, nonblocking, OPERATION, bytes, ...)                         \
    do {                                                                       \
        MPI_Request its_request;                                               \
        DO(OPERATION, bytes, MPI_##name(__VA_ARGS__));                         \
        DO(I##OPERATION, bytes, MPI_##nonblocking(__VA_ARGS__, &its_request)); \
        DO(WAIT, 0, MPI_Wait(&its_request, MPI_STATUS_IGNORE));                \
    } while (0)

/* Point to point --------------------------------------------------------------------------------------------------- */

/* A receive for what is sent next. */
static MPI_Request ready(int count, MPI_Datatype type, int bytes) {
    MPI_Request request;
    DO(IRECV, bytes, MPI_Irecv(in, count, type, before, 1, world, &request));
    DO(BARRIER, 0, MPI_Barrier(world));
    return request;
}

static void wait_for(MPI_Request *request) { DO(WAIT, 0, MPI_Wait(request, MPI_STATUS_IGNORE)); }

static void sends(void) {
    static const int sizes[] = {0, 1, 256, 257, 1024, 1025, 8192, 8193, 262144, 262145, 1048576, 1048577, 3 << 20};
    for (size_t i = 0; i < LENGTH(sizes); i++) {
        const int n = sizes[i];
        MPI_Request request = ready(n, MPI_BYTE, n);
        DO(SEND, n, MPI_Send(out, n, MPI_BYTE, next, 1, world));
        wait_for(&request);
    }
    MPI_Request request = ready(3, MPI_DOUBLE, 24);
    DO(SSEND, 24, MPI_Ssend(out, 3, MPI_DOUBLE, next, 1, world));
    wait_for(&request);
    request = ready(2, holes, 24);
    DO(RSEND, 24, MPI_Rsend(out, 2, holes, next, 1, world));
    wait_for(&request);
    request = ready(100, MPI_INT, 400);
    DO(BSEND, 400, MPI_Bsend(out, 100, MPI_INT, next, 1, world));
    wait_for(&request);
    DO(SEND, 1000, MPI_Send(out, 1000, MPI_BYTE, MPI_PROC_NULL, 1, world));
#if MPI_VERSION >= 4
    request = ready(77, MPI_BYTE, 77);
    DO(SEND, 77, MPI_Send_c(out, 77, MPI_BYTE, next, 1, world));
    wait_for(&request);
#endif
}

static void receives(void) {
    MPI_Request request;
    MPI_Status status;
    DO(ISEND, 100, MPI_Isend(out, 100, MPI_BYTE, next, 2, world, &request));
    DO(RECV, 100, MPI_Recv(in, 1000, MPI_BYTE, before, 2, world, &status));
    wait_for(&request);
    DO(ISEND, 100, MPI_Isend(out, 100, MPI_BYTE, next, 2, world, &request));
    DO(RECV, 1000, MPI_Recv(in, 1000, MPI_BYTE, before, 2, world, MPI_STATUS_IGNORE));
    wait_for(&request);
    /* There was room for sixty bytes, and thirty came. */
    DO(ISEND, 30, MPI_Isend(out, 30, MPI_BYTE, next, 2, world, &request));
    DO(RECV, 30, MPI_Recv(in, 60, MPI_BYTE, before, 2, world, &status));
    wait_for(&request);
    DO(RECV, 1000, MPI_Recv(in, 1000, MPI_BYTE, MPI_PROC_NULL, 2, world, MPI_STATUS_IGNORE));
    DO(RECV, 0, MPI_Recv(in, 1000, MPI_BYTE, MPI_PROC_NULL, 2, world, &status));
    DO(IRECV, 1000, MPI_Irecv(in, 1000, MPI_BYTE, MPI_PROC_NULL, 2, world, &request));
    wait_for(&request);

    DO(SENDRECV, 300 + 300, MPI_Sendrecv(out, 300, MPI_BYTE, next, 3, in, 1000, MPI_BYTE, before, 3, world, &status));
    DO(SENDRECV, 300 + 1000,
       MPI_Sendrecv(out, 300, MPI_BYTE, next, 3, in, 1000, MPI_BYTE, before, 3, world, MPI_STATUS_IGNORE));
    DO(SENDRECV, 300 + 0,
       MPI_Sendrecv(out, 300, MPI_BYTE, MPI_PROC_NULL, 3, in, 1000, MPI_BYTE, MPI_PROC_NULL, 3, world, &status));
    DO(SENDRECV_REPLACE, 2 * 5000, MPI_Sendrecv_replace(out, 5000, MPI_BYTE, next, 4, before, 4, world, &status));
}

static void requests(void) {
    MPI_Request all[4];
    MPI_Status statuses[4];
    int flag = 0, index, n, indices[4];
    for (int i = 0; i < 3; i++) DO(IRECV, 50, MPI_Irecv(in + 64 * i, 50, MPI_BYTE, before, 10 + i, world, &all[i]));
    DO(BARRIER, 0, MPI_Barrier(world));
    DO(ISSEND, 50, MPI_Issend(out, 50, MPI_BYTE, next, 10, world, &all[3]));
    DO(WAITALL, 0, MPI_Waitall(1, &all[3], statuses));
    DO(IRSEND, 50, MPI_Irsend(out, 50, MPI_BYTE, next, 11, world, &all[3]));
    DO(WAITANY, 0, MPI_Waitany(1, &all[3], &index, statuses));
    DO(IBSEND, 50, MPI_Ibsend(out, 50, MPI_BYTE, next, 12, world, &all[3]));
    DO(WAITSOME, 0, MPI_Waitsome(1, &all[3], &n, indices, statuses));
    while (!flag) DO(TEST, 0, MPI_Test(&all[0], &flag, statuses));
    for (flag = 0; !flag;) DO(TESTALL, 0, MPI_Testall(1, &all[1], &flag, statuses));
    for (flag = 0; !flag;) DO(TESTANY, 0, MPI_Testany(1, &all[2], &index, &flag, statuses));
    DO(TESTSOME, 0, MPI_Testsome(3, all, &n, indices, statuses));

    DO(ISEND, 9, MPI_Isend(out, 9, MPI_BYTE, next, 20, world, &all[0]));
    DO(PROBE, 0, MPI_Probe(before, 20, world, statuses));
    DO(IPROBE, 0, MPI_Iprobe(before, 20, world, &flag, statuses));
    DO(RECV, 9, MPI_Recv(in, 9, MPI_BYTE, before, 20, world, statuses));
    wait_for(&all[0]);
}

/* Calls that fail are not counted. */
static void failures(void) {
    MPI_Comm careful;
    must(MPI_Comm_dup(world, &careful));
    must(MPI_Comm_set_errhandler(careful, MPI_ERRORS_RETURN));
    if (MPI_Send(out, 10, MPI_BYTE, size + 7, 1, careful) == MPI_SUCCESS) abort();
    if (MPI_Bcast(out, -1, MPI_BYTE, 0, careful) == MPI_SUCCESS) abort();
    must(MPI_Comm_free(&careful));
}

/* Collective operations -------------------------------------------------------------------------------------------- */

static void same_counts(void) {
    const int root = size - 1;
    BOTH(Bcast, Ibcast, BCAST, 40, out, 10, MPI_INT, 0, world);
    BOTH(Reduce, Ireduce, REDUCE, 16, out, in, 2, MPI_DOUBLE, MPI_SUM, root, world);
    BOTH(Allreduce, Iallreduce, ALLREDUCE, 12, out, in, 3, MPI_INT, MPI_SUM, world);
    BOTH(Allreduce, Iallreduce, ALLREDUCE, 12, MPI_IN_PLACE, in, 3, MPI_INT, MPI_SUM, world);
    BOTH(Scan, Iscan, SCAN, 20, out, in, 5, MPI_INT, MPI_SUM, world);
    BOTH(Exscan, Iexscan, EXSCAN, 24, out, in, 6, MPI_INT, MPI_SUM, world);
    BOTH(Gather, Igather, GATHER, 24, out, 2, holes, in, 24, MPI_BYTE, root, world);
    if (rank == root)
        BOTH(Gather, Igather, GATHER, 32, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 8, MPI_INT, root, world);
    if (rank != root) BOTH(Gather, Igather, GATHER, 32, out, 32, MPI_BYTE, NULL, 0, MPI_DATATYPE_NULL, root, world);
    BOTH(Scatter, Iscatter, SCATTER, 36, out, 9, MPI_INT, in, 36, MPI_BYTE, 0, world);
    if (rank == 0) BOTH(Scatter, Iscatter, SCATTER, 44, out, 11, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0, world);
    if (rank != 0) BOTH(Scatter, Iscatter, SCATTER, 44, NULL, 0, MPI_DATATYPE_NULL, in, 44, MPI_BYTE, 0, world);
    BOTH(Allgather, Iallgather, ALLGATHER, 300, out, 75, MPI_INT, in, 300, MPI_BYTE, world);
    BOTH(Allgather, Iallgather, ALLGATHER, 12, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 3, MPI_INT, world);
    BOTH(Alltoall, Ialltoall, ALLTOALL, 100 * size, out, 25, MPI_INT, in, 100, MPI_BYTE, world);
    BOTH(Alltoall, Ialltoall, ALLTOALL, 8 * size, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 2, MPI_INT, world);
    MPI_Request request;
    DO(IBARRIER, 0, MPI_Ibarrier(world, &request));
    wait_for(&request);
#if MPI_VERSION >= 4
    BOTH(Bcast_c, Ibcast_c, BCAST, 12, out, 3, MPI_INT, 0, world);
    BOTH(Alltoall_c, Ialltoall_c, ALLTOALL, 4 * size, out, 1, MPI_INT, in, 4, MPI_BYTE, world);
#endif
}

/* Rank r has r + 1 integers. */
static void own_counts(void) {
    const int root = 0, mine = rank + 1;
    int counts[MOST], places[MOST], all = 0, ones[MOST], byte_places[MOST], same[MOST], rows[MOST];
    MPI_Datatype types[MOST];
    for (int i = 0; i < size; i++) {
        counts[i] = i + 1;
        places[i] = all;
        all += i + 1;
        ones[i] = 1;
        byte_places[i] = 64 * i;
        same[i] = mine; /* what one rank sends to each, and each gets from the others by their number */
        rows[i] = 16 * i;
    }
    BOTH(Gatherv, Igatherv, GATHERV, 4 * mine, out, mine, MPI_INT, in, counts, places, MPI_INT, root, world);
    if (rank == root)
        BOTH(Gatherv, Igatherv, GATHERV, 4 * mine, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, counts, places, MPI_INT,
             root, world);
    else
        BOTH(Gatherv, Igatherv, GATHERV, 4 * mine, out, mine, MPI_INT, NULL, NULL, NULL, MPI_DATATYPE_NULL, root,
             world);
    BOTH(Scatterv, Iscatterv, SCATTERV, 4 * mine, out, counts, places, MPI_INT, in, mine, MPI_INT, root, world);
    if (rank == root)
        BOTH(Scatterv, Iscatterv, SCATTERV, 4 * mine, out, counts, places, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL,
             root, world);
    else
        BOTH(Scatterv, Iscatterv, SCATTERV, 4 * mine, NULL, NULL, NULL, MPI_DATATYPE_NULL, in, mine, MPI_INT, root,
             world);
    BOTH(Allgatherv, Iallgatherv, ALLGATHERV, 4 * mine, out, mine, MPI_INT, in, counts, places, MPI_INT, world);
    BOTH(Allgatherv, Iallgatherv, ALLGATHERV, 4 * mine, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, counts, places, MPI_INT,
         world);
    BOTH(Reduce_scatter, Ireduce_scatter, REDUCE_SCATTER, 4 * all, out, in, counts, MPI_INT, MPI_SUM, world);
    BOTH(Alltoallv, Ialltoallv, ALLTOALLV, 4 * all, out, same, rows, MPI_INT, in, counts, places, MPI_INT, world);
    int bytes = 0;
    for (int i = 0; i < size; i++) {
        types[i] = (rank + i) % 2 ? MPI_DOUBLE : MPI_INT;
        bytes += (rank + i) % 2 ? 8 : 4;
    }
    BOTH(Alltoallw, Ialltoallw, ALLTOALLW, bytes, out, ones, byte_places, types, in, ones, byte_places, types, world);
}

/* Two groups, the second of which may be larger: in rooted operations the first process of the first is the root. */
static void between_groups(void) {
    if (size < 2) return;
    MPI_Comm half, inter;
    const int first = rank < size / 2, ours = first ? size / 2 : size - size / 2, theirs = size - ours;
    int root, counts[MOST], places[MOST];
    must(MPI_Comm_split(world, first, rank, &half));
    must(MPI_Intercomm_create(half, 0, world, first ? size / 2 : 0, 99, &inter));
    root = !first ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    for (int i = 0; i < theirs; i++) counts[i] = 3, places[i] = 3 * i;
    BOTH(Bcast, Ibcast, BCAST, root == MPI_PROC_NULL ? 0 : 40, out, 10, MPI_INT, root, inter);
    BOTH(Reduce, Ireduce, REDUCE, root == MPI_PROC_NULL ? 0 : 8, out, in, 2, MPI_INT, MPI_SUM, root, inter);
    BOTH(Gather, Igather, GATHER, root < 0 ? 0 : 8, out, 2, MPI_INT, in, 2, MPI_INT, root, inter);
    BOTH(Scatter, Iscatter, SCATTER, root < 0 ? 0 : 8, out, 2, MPI_INT, in, 2, MPI_INT, root, inter);
    BOTH(Gatherv, Igatherv, GATHERV, root < 0 ? 0 : 12, out, 3, MPI_INT, in, counts, places, MPI_INT, root, inter);
    BOTH(Scatterv, Iscatterv, SCATTERV, root < 0 ? 0 : 12, out, counts, places, MPI_INT, in, 3, MPI_INT, root, inter);
    BOTH(Allreduce, Iallreduce, ALLREDUCE, 8, out, in, 2, MPI_INT, MPI_SUM, inter);
    BOTH(Allgather, Iallgather, ALLGATHER, 8, out, 2, MPI_INT, in, 2, MPI_INT, inter);
    BOTH(Alltoall, Ialltoall, ALLTOALL, 4 * theirs, out, 1, MPI_INT, in, 1, MPI_INT, inter);
    BOTH(Alltoallv, Ialltoallv, ALLTOALLV, 12 * theirs, out, counts, places, MPI_INT, in, counts, places, MPI_INT,
         inter);
    for (int i = 0; i < ours; i++) counts[i] = theirs;
    BOTH(Reduce_scatter, Ireduce_scatter, REDUCE_SCATTER, 4 * ours * theirs, out, in, counts, MPI_INT, MPI_SUM, inter);
    must(MPI_Comm_free(&inter));
    must(MPI_Comm_free(&half));
}

/* One-sided -------------------------------------------------------------------------------------------------------- */

static void moves(MPI_Win window) {
    int one = 1, seen = 0;
    DO(PUT, 28, MPI_Put(out, 7, MPI_INT, next, 0, 28, MPI_BYTE, window));
    DO(PUT, 28, MPI_Put(out, 7, MPI_INT, MPI_PROC_NULL, 0, 28, MPI_BYTE, window));
    DO(WIN_FLUSH, 0, MPI_Win_flush(next, window));
    DO(GET, 32, MPI_Get(in, 32, MPI_BYTE, next, 64, 8, MPI_INT, window));
    DO(WIN_FLUSH_LOCAL, 0, MPI_Win_flush_local(next, window));
    DO(ACCUMULATE, 36, MPI_Accumulate(out, 9, MPI_INT, next, 128, 9, MPI_INT, MPI_SUM, window));
    DO(WIN_FLUSH_ALL, 0, MPI_Win_flush_all(window));
    DO(GET_ACCUMULATE, 40,
       MPI_Get_accumulate(out, 10, MPI_INT, in, 10, MPI_INT, next, 192, 10, MPI_INT, MPI_SUM, window));
    DO(WIN_FLUSH_LOCAL_ALL, 0, MPI_Win_flush_local_all(window));
    DO(FETCH_AND_OP, 0, MPI_Fetch_and_op(&one, &seen, MPI_INT, next, 256, MPI_SUM, window));
    DO(WIN_FLUSH, 0, MPI_Win_flush(next, window));
    DO(COMPARE_AND_SWAP, 0, MPI_Compare_and_swap(&one, &seen, &seen, MPI_INT, next, 320, window));
}

static void windows(void) {
    MPI_Win window;
    MPI_Group all, to, from;
    int flag = 0;
    must(MPI_Win_allocate(4096, 1, MPI_INFO_NULL, world, &window_memory, &window));
    DO(WIN_FENCE, 0, MPI_Win_fence(0, window));
    DO(PUT, 4, MPI_Put(out, 1, MPI_INT, next, 512, 4, MPI_BYTE, window));
    DO(WIN_FENCE, 0, MPI_Win_fence(0, window));
    must(MPI_Win_lock_all(0, window)); /* not one of those that are counted */
    moves(window);
    DO(WIN_SYNC, 0, MPI_Win_sync(window));
    DO(WIN_UNLOCK_ALL, 0, MPI_Win_unlock_all(window));
    DO(WIN_LOCK, 0, MPI_Win_lock(MPI_LOCK_SHARED, next, 0, window));
    DO(WIN_UNLOCK, 0, MPI_Win_unlock(next, window));
    must(MPI_Comm_group(world, &all));
    must(MPI_Group_incl(all, 1, &next, &to));
    must(MPI_Group_incl(all, 1, &before, &from));
    for (int turn = 0; turn < 2; turn++) {
        DO(WIN_POST, 0, MPI_Win_post(from, 0, window));
        DO(WIN_START, 0, MPI_Win_start(to, 0, window));
        DO(WIN_COMPLETE, 0, MPI_Win_complete(window));
        if (turn == 0) DO(WIN_WAIT, 0, MPI_Win_wait(window));
        while (turn == 1 && !flag) DO(WIN_TEST, 0, MPI_Win_test(window, &flag));
    }
    must(MPI_Group_free(&to));
    must(MPI_Group_free(&from));
    must(MPI_Group_free(&all));
    must(MPI_Win_free(&window));
}

/* What MPI sends to itself for this is not the program's. */
static void files(const char *folder) {
    char path[4096];
    MPI_File file;
    MPI_Request request;
    snprintf(path, sizeof path, "%s/data", folder);
    must(MPI_File_open(world, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    must(MPI_File_set_size(file, 1000 * (MPI_Offset)size));
    must(MPI_File_preallocate(file, 1000 * (MPI_Offset)size));
    must(MPI_File_set_atomicity(file, 0));
    must(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    must(MPI_File_write_at_all(file, 1000 * (MPI_Offset)rank, out, 1000, MPI_BYTE, MPI_STATUS_IGNORE));
    must(MPI_File_iread_at(file, 0, in, 100, MPI_BYTE, &request));
    wait_for(&request);
    must(MPI_File_close(&file));
}

static void tell(const char *folder) {
    static const char *const classes[] = {"0_256", "256_1K", "1K_8K", "8K_256K", "256K_1M", "1M_PLUS"};
    char path[4096];
    snprintf(path, sizeof path, "%s/expected.%d", folder, rank);
    FILE *file = fopen(path, "w");
    if (!file) abort();
    for (int i = 0; i < OPERATIONS; i++) {
        fprintf(file, "%d MPI_%s_CALL_COUNT %llu\n", rank, operations[i].name, (unsigned long long)expected[i].calls);
        if (!operations[i].message) continue;
        fprintf(file, "%d MPI_%s_TOTAL_BYTES %llu\n", rank, operations[i].name, (unsigned long long)expected[i].bytes);
        for (int c = 0; c < 6; c++)
            fprintf(file, "%d MPI_%s_MSG_SIZE_AGG_%s %llu\n", rank, operations[i].name, classes[c],
                    (unsigned long long)expected[i].sizes[c]);
    }
    if (fclose(file) != 0) abort();
}

int main(int argc, char **argv) {
    static char buffer[1 << 16];
    void *detached;
    int bytes;
    if (argc < 2) return 2;
    must(MPI_Init(&argc, &argv));
    world = MPI_COMM_WORLD;
    must(MPI_Comm_rank(world, &rank));
    must(MPI_Comm_size(world, &size));
    if (size > MOST) return 2;
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    must(MPI_Type_vector(3, 1, 4, MPI_INT, &holes));
    must(MPI_Type_commit(&holes));
    must(MPI_Buffer_attach(buffer, sizeof buffer));
    sends();
    receives();
    requests();
    failures();
    same_counts();
    own_counts();
    between_groups();
    windows();
    files(argv[1]);
    must(MPI_Buffer_detach(&detached, &bytes));
    must(MPI_Type_free(&holes));
    tell(argv[1]);
    return MPI_Finalize();
}
