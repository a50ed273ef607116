/* Every call of MPI-IO that moves bytes, of count and of large count where there is one: a file for each pair of write
   and read, each rank its own blocks, written and read back. Views and types change from file to file, and so do the
   calls that wait for requests. What the log must have is written down (expected.h), what was read is compared. */
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "tests/mpi/expected.h"

enum { ROUNDS = 3, MOST_INTS = 64 };

/* How to move one block: the call itself, or the one that begins it. */
typedef struct block {
    MPI_File file;
    MPI_Offset position;
    int *memory;
    int count;
    MPI_Datatype type;
    MPI_Request *request;
} block;
typedef void move(const block *b);

/* What is begun here does not end before this has passed. */
#define LITTLE 0.02
static void wait_a_little(void) {
    const struct timespec little = {0, (long)(LITTLE * 1e9)};
    struct timespec left = little;
    while (nanosleep(&left, &left) != 0) continue;
}

#define CALL(name)                                                                        \
    static void name(const block *b) {                                                    \
        CHECK(MPI_File_##name(b->file, b->memory, b->count, b->type, MPI_STATUS_IGNORE)); \
    }
#define CALL_AT(name)                                                                                  \
    static void name(const block *b) {                                                                 \
        CHECK(MPI_File_##name(b->file, b->position, b->memory, b->count, b->type, MPI_STATUS_IGNORE)); \
    }
#define BEGIN_AT(name, suffix)                                                                      \
    static void split_##name##suffix(const block *b) {                                              \
        CHECK(MPI_File_##name##_begin##suffix(b->file, b->position, b->memory, b->count, b->type)); \
        wait_a_little();                                                                            \
        CHECK(MPI_File_##name##_end(b->file, b->memory, MPI_STATUS_IGNORE));                        \
    }
#define BEGIN(name, suffix)                                                            \
    static void split_##name##suffix(const block *b) {                                 \
        CHECK(MPI_File_##name##_begin##suffix(b->file, b->memory, b->count, b->type)); \
        wait_a_little();                                                               \
        CHECK(MPI_File_##name##_end(b->file, b->memory, MPI_STATUS_IGNORE));           \
    }
#define START(name) \
    static void name(const block *b) { CHECK(MPI_File_##name(b->file, b->memory, b->count, b->type, b->request)); }
#define START_AT(name)                                                                          \
    static void name(const block *b) {                                                          \
        CHECK(MPI_File_##name(b->file, b->position, b->memory, b->count, b->type, b->request)); \
    }

typedef enum kind { INDEP, COLL, SPLIT, NB } kind;
typedef enum pointer { OWN, AT, SHARED } pointer;

/* FORM(shape, what comes behind "read" or "write", what comes last, kind, pointer) */
#define FORMS(FORM, suffix)                    \
    FORM(CALL, , suffix, INDEP, OWN)           \
    FORM(CALL_AT, _at, suffix, INDEP, AT)      \
    FORM(CALL, _all, suffix, COLL, OWN)        \
    FORM(CALL_AT, _at_all, suffix, COLL, AT)   \
    FORM(CALL, _shared, suffix, INDEP, SHARED) \
    FORM(CALL, _ordered, suffix, COLL, SHARED)
#define SPLIT_FORMS(FORM, suffix)              \
    FORM(BEGIN, _all, suffix, SPLIT, OWN)      \
    FORM(BEGIN_AT, _at_all, suffix, SPLIT, AT) \
    FORM(BEGIN, _ordered, suffix, SPLIT, SHARED)
#define START_FORMS(FORM, suffix)           \
    FORM(START, , suffix, NB, OWN)          \
    FORM(START_AT, _at, suffix, NB, AT)     \
    FORM(START, _all, suffix, NB, OWN)      \
    FORM(START_AT, _at_all, suffix, NB, AT) \
    FORM(START, _shared, suffix, NB, SHARED)

#define DEFINE(shape, form, suffix, kind, pointer) shape(write##form##suffix) shape(read##form##suffix)
#define DEFINE_SPLIT(shape, form, suffix, kind, pointer) shape(write##form, suffix) shape(read##form, suffix)
#define DEFINE_START(shape, form, suffix, kind, pointer) shape(iwrite##form##suffix) shape(iread##form##suffix)
FORMS(DEFINE, )
SPLIT_FORMS(DEFINE_SPLIT, )
START_FORMS(DEFINE_START, )
#if MPI_VERSION >= 4
FORMS(DEFINE, _c)
SPLIT_FORMS(DEFINE_SPLIT, _c)
START_FORMS(DEFINE_START, _c)
#endif

typedef struct call_form {
    const char *name;
    move *write, *read;
    kind kind;
    pointer pointer;
} call_form;

#define ROW(shape, form, suffix, kind, pointer) \
    {"plain" #form #suffix, write##form##suffix, read##form##suffix, kind, pointer},
#define ROW_SPLIT(shape, form, suffix, kind, pointer) \
    {"split" #form #suffix, split_write##form##suffix, split_read##form##suffix, kind, pointer},
#define ROW_START(shape, form, suffix, kind, pointer) \
    {"start" #form #suffix, iwrite##form##suffix, iread##form##suffix, kind, pointer},
static const call_form forms[] = {FORMS(ROW, ) SPLIT_FORMS(ROW_SPLIT, ) START_FORMS(ROW_START, )
#if MPI_VERSION >= 4
                                      FORMS(ROW, _c) SPLIT_FORMS(ROW_SPLIT, _c) START_FORMS(ROW_START, _c)
#endif
};
enum { N_FORMS = sizeof forms / sizeof *forms };

/* Types in memory -------------------------------------------------------------------------------------------------- */

/* 26 integers, or 5 times every other one of eight. */
static MPI_Datatype every_other;

static void make_types(void) {
    MPI_Datatype vector;
    CHECK(MPI_Type_vector(4, 1, 2, MPI_INT, &vector));
    CHECK(MPI_Type_create_resized(vector, 0, 8 * sizeof(int), &every_other));
    CHECK(MPI_Type_commit(&every_other));
    CHECK(MPI_Type_free(&vector));
}

static bool spread(int number) { return number % 3 == 1; }
static int block_ints(int number) { return spread(number) ? 20 : 26; }
static int64_t block_bytes(int number) { return block_ints(number) * (int64_t)sizeof(int); }
/* The place in memory of the i-th integer that is moved. */
static int place(int number, int i) { return spread(number) ? 2 * i : i; }

static int content(int of, int round, int i) { return of * 10000 + round * 100 + i; }

/* Views ------------------------------------------------------------------------------------------------------------ */

typedef enum view { BYTES, INTS, BLOCKS, PIECES } view;

/* A shared position needs the same view everywhere; and ROMIO mixes up nonblocking collectives on views of several
   pieces when more than one is under way. */
static view view_of(int number) {
    const call_form *w = &forms[number];
    return (view)(number % (w->pointer == SHARED ? 2 : w->kind == NB ? 3 : 4));
}

/* Tiles that have a place for each rank, in one piece or in two. */
static MPI_Datatype tile_of(int number, bool in_two) {
    const int ints = block_ints(number) / (in_two ? 2 : 1);
    MPI_Datatype pieces, tile;
    CHECK(MPI_Type_vector(in_two ? 2 : 1, ints, ranks * ints, MPI_INT, &pieces));
    CHECK(MPI_Type_create_resized(pieces, 0, (MPI_Aint)ranks * block_bytes(number), &tile));
    CHECK(MPI_Type_commit(&tile));
    CHECK(MPI_Type_free(&pieces));
    return tile;
}

static void set_view(MPI_File file, int number) {
    const view v = view_of(number);
    if (v == BYTES) return;
    if (v == INTS) {
        CHECK(MPI_File_set_view(file, 100, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
        return;
    }
    const MPI_Offset begin = 64 + rank * block_bytes(number) / (v == PIECES ? 2 : 1);
    MPI_Datatype tile = tile_of(number, v == PIECES);
    CHECK(MPI_File_set_view(file, begin, MPI_INT, tile, "native", MPI_INFO_NULL));
    CHECK(MPI_Type_free(&tile));
}

/* Of a round, in the view's own units. */
static MPI_Offset position_of(int number, int round) {
    const MPI_Offset bytes = block_bytes(number);
    switch (view_of(number)) {
    case BYTES: return (rank * ROUNDS + round) * bytes;
    case INTS: return (rank * ROUNDS + round) * bytes / (MPI_Offset)sizeof(int);
    default: return round * bytes / (MPI_Offset)sizeof(int);
    }
}

/* In the file; -1 where that cannot be known. */
static long long offset_of(int number, int round) {
    const long long bytes = block_bytes(number);
    if (forms[number].pointer == SHARED) return -1;
    switch (view_of(number)) {
    case BYTES: return (rank * ROUNDS + round) * bytes;
    case INTS: return 100 + (rank * ROUNDS + round) * bytes;
    case BLOCKS: return 64 + (round * ranks + rank) * bytes;
    default: break;
    }
#ifdef OPEN_MPI
    if (ranks > 1) return -1;
#endif
    return 64 + round * ranks * bytes + rank * bytes / 2;
}

/* Waiting ---------------------------------------------------------------------------------------------------------- */

/* More ranks than processors: whoever asks again and again lets the others go on. */
static int again(int result) {
    sched_yield();
    return result;
}

static void wait_one_by_one(int number, MPI_Request *requests) {
    int index, flag = 0;
    for (int i = 0; i < ROUNDS; i++) {
        if (number % 8 == 0) CHECK(MPI_Wait(&requests[i], MPI_STATUS_IGNORE));
        if (number % 8 == 1) CHECK(MPI_Waitany(ROUNDS, requests, &index, MPI_STATUS_IGNORE));
        for (flag = 0; number % 8 == 2 && !flag;) CHECK(again(MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE)));
        for (flag = 0; number % 8 == 3 && !flag;)
            CHECK(again(MPI_Testany(ROUNDS, requests, &index, &flag, MPI_STATUS_IGNORE)));
    }
}

/* MPICH 4.2 speaks of an error in a status and sets none. */
static int test_some(MPI_Request *requests, int *some, int *indices) {
    MPI_Status statuses[ROUNDS] = {{.MPI_ERROR = MPI_SUCCESS}};
    CHECK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    int result = MPI_Testsome(ROUNDS, requests, some, indices, statuses);
    CHECK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    CHECK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
    if (result != MPI_ERR_IN_STATUS) return result;
    for (int i = 0; i < *some; i++) CHECK(statuses[i].MPI_ERROR);
    return MPI_SUCCESS;
}

static void wait_for_all(int number, MPI_Request *requests) {
    int flag = 0, some, indices[ROUNDS];
    if (number % 8 == 4) CHECK(MPI_Waitall(ROUNDS, requests, MPI_STATUSES_IGNORE));
    while (number % 8 == 5 && !flag) CHECK(again(MPI_Testall(ROUNDS, requests, &flag, MPI_STATUSES_IGNORE)));
    for (int done = 0; number % 8 == 6 && done < ROUNDS; done += some)
        CHECK(MPI_Waitsome(ROUNDS, requests, &some, indices, MPI_STATUSES_IGNORE));
    for (int done = 0; number % 8 == 7 && done < ROUNDS; done += some) {
        CHECK(again(test_some(requests, &some, indices)));
        REQUIRE(some != MPI_UNDEFINED);
    }
    for (int i = 0; i < ROUNDS; i++) REQUIRE(requests[i] == MPI_REQUEST_NULL);
}

/* Moving ----------------------------------------------------------------------------------------------------------- */

static void move_all(MPI_File file, int number, bool write, int memory[ROUNDS][MOST_INTS]) {
    const call_form *w = &forms[number];
    MPI_Request requests[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        const block b = {.file = file,
                         .position = position_of(number, round),
                         .memory = memory[round],
                         .count = spread(number) ? 5 : 26,
                         .type = spread(number) ? every_other : MPI_INT,
                         .request = &requests[round]};
        (write ? w->write : w->read)(&b);
    }
    if (w->kind != NB) return;
    wait_a_little();
    /* Some may be seen to be done before they are waited for. */
    int flag;
    if (number % 2) CHECK(MPI_Request_get_status(requests[1], &flag, MPI_STATUS_IGNORE));
    wait_one_by_one(number, requests);
    wait_for_all(number, requests);
}

static void go_to_begin(MPI_File file, int number) {
    if (forms[number].pointer == OWN) CHECK(MPI_File_seek(file, position_of(number, 0), MPI_SEEK_SET));
    if (forms[number].pointer == SHARED) CHECK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
}

static void fill(int number, int memory[ROUNDS][MOST_INTS]) {
    memset(memory, 0, sizeof(int) * ROUNDS * MOST_INTS);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < block_ints(number); i++) memory[round][place(number, i)] = content(rank, round, i);
}

/* Shared positions give every rank whatever comes next: then all together have what all together wrote. */
static void compare(int number, int memory[ROUNDS][MOST_INTS]) {
    long long sum[2] = {0, 0}, all[2];
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < block_ints(number); i++) {
            sum[0] += memory[round][place(number, i)];
            sum[1] += content(rank, round, i);
            if (forms[number].pointer != SHARED) REQUIRE(memory[round][place(number, i)] == content(rank, round, i));
        }
    CHECK(MPI_Allreduce(sum, all, 2, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD));
    REQUIRE(all[0] == all[1]);
}

static void tell(int number, const char *path, bool hinted) {
    static const char *const kinds[] = {"INDEP", "COLL", "SPLIT", "NB"};
    const long long bytes = block_bytes(number);
    fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_%s_OPENS\t1\n", path, ranks > 1 ? "COLL" : "INDEP");
    for (int i = 0; i < 4; i++)
        for (int write = 0; write < 2; write++)
            fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_%s_%s\t%d\n", path, kinds[i], write ? "WRITES" : "READS",
                    forms[number].kind == (kind)i ? ROUNDS : 0);
    fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_BYTES_READ\t%lld\n", path, ROUNDS * bytes);
    fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_BYTES_WRITTEN\t%lld\n", path, ROUNDS * bytes);
    fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_SIZE_%s\t%d\n", path,
            bytes > 100 ? "READ_AGG_100_1K" : "READ_AGG_0_100", ROUNDS);
    fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_SIZE_%s\t%d\n", path,
            bytes > 100 ? "WRITE_AGG_100_1K" : "WRITE_AGG_0_100", ROUNDS);
    fprintf(expected, "value\tMPI-IO\t%s\tMPIIO_ACCESS1_ACCESS\t%lld\n", path, bytes);
    fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_ACCESS1_COUNT\t%d\n", path, 2 * ROUNDS);
    fprintf(expected, "value\tMPI-IO\t%s\tMPIIO_MODE\t%d\n", path, MPI_MODE_CREATE | MPI_MODE_RDWR);
    fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_VIEWS\t%d\n", path, view_of(number) != BYTES);
    fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_HINTS\t%d\n", path, hinted);
    if (hinted) fprintf(expected, "hint\t%s\tcb_nodes\t1\n", path);
    fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_SYNCS\t1\n", path);
    fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_RW_SWITCHES\t1\n", path);
    static const char *const times[] = {"F_OPEN_START_TIMESTAMP",
                                        "F_OPEN_END_TIMESTAMP",
                                        "F_READ_START_TIMESTAMP",
                                        "F_READ_END_TIMESTAMP",
                                        "F_WRITE_START_TIMESTAMP",
                                        "F_WRITE_END_TIMESTAMP",
                                        "F_CLOSE_START_TIMESTAMP",
                                        "F_CLOSE_END_TIMESTAMP",
                                        "F_READ_TIME",
                                        "F_WRITE_TIME",
                                        "F_META_TIME",
                                        "F_MAX_READ_TIME",
                                        "F_MAX_WRITE_TIME"};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        fprintf(expected, "above\tMPI-IO\t%s\tMPIIO_%s\n", path, times[i]);
    if (forms[number].kind == SPLIT || forms[number].kind == NB) fprintf(expected, "span\t%s\t%g\n", path, LITTLE);
    for (int write = 0; write < 2; write++)
        for (int round = 0; round < ROUNDS; round++)
            fprintf(expected, "op\t%s\t%c\t%lld\t%lld\n", path, write ? 'w' : 'r', offset_of(number, round), bytes);
}

static void sweep(int number, const char *directory) {
    char path[4096];
    int memory[ROUNDS][MOST_INTS];
    MPI_File file;
    MPI_Info info = MPI_INFO_NULL;
    const bool hinted = number % 2;
    snprintf(path, sizeof path, "%s/%s", directory, forms[number].name);
    if (hinted) {
        CHECK(MPI_Info_create(&info));
        CHECK(MPI_Info_set(info, "cb_nodes", "1"));
    }
    CHECK(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file));
    if (hinted) CHECK(MPI_Info_free(&info));
    set_view(file, number);
    go_to_begin(file, number);
    fill(number, memory);
    move_all(file, number, true, memory);
    CHECK(MPI_File_sync(file));
    CHECK(MPI_Barrier(MPI_COMM_WORLD));
    go_to_begin(file, number);
    memset(memory, 0, sizeof memory);
    move_all(file, number, false, memory);
    compare(number, memory);
    CHECK(MPI_File_close(&file));
    tell(number, path, hinted);
}

/* A file for each process, opened by it alone; where MPI-IO is ROMIO, under a name with the prefix of its file system.
   */
static void one_alone(const char *directory) {
    char path[4096], prefixed[4200];
    MPI_File file;
    int value = rank;
    snprintf(path, sizeof path, "%s/alone.%d", directory, rank);
#ifdef OPEN_MPI
    snprintf(prefixed, sizeof prefixed, "%s", path);
#else
    snprintf(prefixed, sizeof prefixed, "ufs:%s", path);
#endif
    CHECK(MPI_File_open(MPI_COMM_SELF, prefixed, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    CHECK(MPI_File_write_at(file, 8, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK(MPI_File_close(&file));
    fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_INDEP_OPENS\t1\n", path);
    fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_COLL_OPENS\t0\n", path);
    fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_INDEP_WRITES\t1\n", path);
    fprintf(expected, "count\tMPI-IO\t%s\tMPIIO_BYTES_WRITTEN\t%d\n", path, (int)sizeof value);
    fprintf(expected, "above\tPOSIX\t%s\tPOSIX_OPENS\n", path);
    fprintf(expected, "count\tPOSIX\t%s\tPOSIX_BYTES_WRITTEN\t%d\n", path, (int)sizeof value);
    fprintf(expected, "op\t%s\tw\t8\t%d\n", path, (int)sizeof value);
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    CHECK(MPI_Init(&argc, &argv));
    expect_begin(argv[1]);
    make_types();
    for (int number = 0; number < N_FORMS; number++) sweep(number, argv[1]);
    one_alone(argv[1]);
    CHECK(MPI_Type_free(&every_other));
    expect_end();
    CHECK(MPI_Finalize());
    return 0;
}
