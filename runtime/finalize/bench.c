/* The benchmark of the end: darshan_shutdown_bench(argc, argv), which programs that measure Darshan's call on all ranks.
   What was recorded is given up; for each of four cases records are made up, and the end is gone through as at
   MPI_Finalize. Every file has one open and one write, in POSIX and in MPI-IO, that take no time; the sizes are drawn from
   32 numbers of each rank, up to 64 KiB.

   Words in argv, for our own measurements: "phases" prints them, "case=N" does only that one, "repeat=N" repeats, "at-once"
   does not pause in between. */
#include <string.h>
#include <time.h>

#include "record/hash.h"
#include "runtime/core/added.h"
#include "runtime/core/core.h"
#include "runtime/core/files.h"
#include "runtime/core/heatmap.h"
#include "runtime/core/operations.h"
#include "runtime/core/own.h"
#include "runtime/core/store.h"
#include "runtime/core/text.h"
#include "runtime/finalize/exchange.h"
#include "runtime/finalize/finalize.h"
#include "runtime/finalize/report.h"
#include "runtime/mpi/mpi.h"
#include "runtime/mpiio/mpiio.h"

IOL_EXPORT void darshan_shutdown_bench(int argc, char **argv);

enum { SIZES = 32, LARGEST = 65536, MANY = 1024, CASES = 4 };

#define OPENED 0.5
#define WRITTEN 0.625

static const struct {
    const char *title;
    int files;
    bool shared;
} cases[CASES] = {
    {"1 unique file per proc", 1, false},
    {"1 shared file", 1, true},
    {"1024 unique files per proc", MANY, false},
    {"1024 shared files", MANY, true},
};

/* Records ---------------------------------------------------------------------------------------------------------- */

static uint64_t seed;
static uint64_t draw(void) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return seed >> 33;
}

static int bucket(int64_t size) {
    static const int64_t bounds[] = {100, 1024, 10240, 102400};
    int n = 0;
    while (n < 4 && size > bounds[n]) n++;
    return n;
}

static uint64_t *new_record(int slot, uint64_t id) {
    const size_t bytes = iol__version_find(slot, iol__modules[slot].current)->fixed_bytes;
    uint64_t *record = iol__store_record(slot, bytes, true);
    if (!record) return NULL;
    memset(record, 0, bytes);
    record[0] = id;
    iol__store_commit(slot, iol__modules[slot].current, bytes);
    return record;
}

static void make_posix(uint64_t id, int64_t size) {
    uint64_t *record = new_record(IOL_SLOT_POSIX, id);
    if (!record) return;
    int64_t *ints = (int64_t *)(void *)(record + 2);
    double *reals = (double *)(void *)(ints + IOL_POSIX_INTS);
    ints[IOL_POSIX_OPENS] = ints[IOL_POSIX_WRITES] = 1;
    ints[IOL_POSIX_MODE] = 0644;
    ints[IOL_POSIX_BYTES_WRITTEN] = size;
    ints[IOL_POSIX_MAX_BYTE_WRITTEN] = size - 1;
    ints[IOL_POSIX_MEM_ALIGNMENT] = 8;
    ints[IOL_POSIX_FILE_ALIGNMENT] = 4096;
    ints[IOL_POSIX_SIZE_WRITE_0_100 + bucket(size)] = 1;
    ints[IOL_POSIX_ACCESS1_ACCESS] = size;
    ints[IOL_POSIX_ACCESS1_COUNT] = 1;
    reals[IOL_POSIX_F_OPEN_START_TIMESTAMP] = reals[IOL_POSIX_F_OPEN_END_TIMESTAMP] = OPENED;
    reals[IOL_POSIX_F_WRITE_START_TIMESTAMP] = reals[IOL_POSIX_F_WRITE_END_TIMESTAMP] = WRITTEN;
}

static void make_mpiio(uint64_t id, int64_t size, bool shared) {
    uint64_t *record = new_record(IOL_SLOT_MPIIO, id);
    if (!record) return;
    int64_t *ints = (int64_t *)(void *)(record + 2);
    double *reals = (double *)(void *)(ints + IOL_MPIIO_INTS);
    ints[shared ? IOL_MPIIO_COLL_OPENS : IOL_MPIIO_INDEP_OPENS] = 1;
    ints[IOL_MPIIO_INDEP_WRITES] = 1;
    ints[IOL_MPIIO_MODE] = 9;
    ints[IOL_MPIIO_BYTES_WRITTEN] = size;
    ints[IOL_MPIIO_SIZE_WRITE_AGG_0_100 + bucket(size)] = 1;
    ints[IOL_MPIIO_ACCESS1_ACCESS] = size;
    ints[IOL_MPIIO_ACCESS1_COUNT] = 1;
    reals[IOL_MPIIO_F_OPEN_START_TIMESTAMP] = reals[IOL_MPIIO_F_OPEN_END_TIMESTAMP] = OPENED;
    reals[IOL_MPIIO_F_WRITE_START_TIMESTAMP] = reals[IOL_MPIIO_F_WRITE_END_TIMESTAMP] = WRITTEN;
}

static void make_records(int which, int rank) {
    int64_t sizes[SIZES];
    seed = (uint64_t)rank + 1;
    for (int i = 0; i < SIZES; i++) sizes[i] = (int64_t)(draw() % LARGEST) + 1;
    for (int i = 0; i < cases[which].files; i++) {
        char name[64];
        iol__text text = {name, sizeof name, 0};
        iol__text_add(&text, cases[which].shared ? "shared-" : "fpp-");
        iol__text_number(&text, i);
        if (!cases[which].shared) iol__text_add(&text, "_rank-"), iol__text_number(&text, rank);
        const uint64_t id = iol__hash(name, text.length, 0);
        const int64_t size = sizes[draw() % SIZES];
        if (!iol__store_name(id, name, text.length, true)) return;
        make_posix(id, size);
        make_mpiio(id, size, cases[which].shared);
    }
}

/* The course of it ------------------------------------------------------------------------------------------------- */

/* As in a forked child: nothing was recorded yet. */
static void forget(void) {
    iol__files_reset();
    iol__heat_reset();
    iol__operations_reset();
    iol__added_reset();
    iol__mpiio_reset();
    iol__store_leave();
}

/* All ranks begin together: they meet, and then wait for the same instant, so that who is last to hear of it is not late.
   Where clocks differ, nobody waits for long. */
static void meet(const iol__transport *transport) {
    enum { AFTER = 20000000, MOST = 100000000 /* nanoseconds */ };
    struct timespec now = {0};
    int64_t start = 0;
    iol__exchange x;
    iol__message message;
    iol__exchange_start(&x, transport, 600);
    for (int i = 0; i < x.n_flat; i++)
        if (iol__exchange_receive(&x, x.first_flat + i, IOL_TAG_TIMES, &message)) iol__message_free(&message);
    own(clock_gettime, CLOCK_REALTIME, &now);
    start = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec + AFTER;
    if (x.flat_parent >= 0) {
        iol__exchange_send(&x, x.flat_parent, IOL_TAG_TIMES, &start, sizeof start);
        if (iol__exchange_receive(&x, x.flat_parent, IOL_TAG_WORD, &message)) {
            if (message.length == sizeof start) memcpy(&start, message.bytes, sizeof start);
            iol__message_free(&message);
        }
    }
    iol__exchange_send_down(&x, IOL_TAG_WORD, &start, sizeof start);
    iol__exchange_settle(&x);
    iol__exchange_stop(&x);
    own(clock_gettime, CLOCK_REALTIME, &now);
    const int64_t left = start - ((int64_t)now.tv_sec * 1000000000 + now.tv_nsec);
    const struct timespec rest = {0, left};
    if (left > 0 && left < MOST) own(nanosleep, &rest, NULL);
}

static void announce(int which) {
    char line[64];
    iol__text text = {line, sizeof line, 0};
    iol__text_add(&text, "# ");
    iol__text_add(&text, cases[which].title);
    iol__text_add(&text, "\n");
    iol__write_stderr(line, text.length);
}

static void run(int which, const iol__transport *transport, bool pause) {
    const struct timespec second = {1, 0};
    forget();
    if (iol__files_enter()) {
        make_records(which, transport->rank);
        iol__files_leave();
    }
    if (transport->rank == 0) announce(which);
    meet(transport);
    iol__finalize(transport);
    if (pause)
        own(nanosleep, &second, NULL);
    else
        meet(transport); /* so that nobody cleans up while others are still at it */
    forget();
}

static int number_after(const char *text, const char *key, int otherwise) {
    const size_t length = strlen(key);
    int value = 0;
    if (strncmp(text, key, length) != 0) return otherwise;
    for (text += length; *text >= '0' && *text <= '9' && value < 1000000; text++) value = value * 10 + (*text - '0');
    return value;
}

void darshan_shutdown_bench(int argc, char **argv) {
    iol__transport transport;
    iol__core *core = &iol__core_state;
    int only = -1, repeat = 1;
    bool pause = true;
    if (!core->present || core->world_size == 0 || !iol__mpi_connect(&transport)) return;
    for (int i = 0; argv && i < argc && argv[i]; i++) {
        only = number_after(argv[i], "case=", only);
        repeat = number_after(argv[i], "repeat=", repeat);
        if (strcmp(argv[i], "phases") == 0) iol__report_phases = true;
        if (strcmp(argv[i], "at-once") == 0) pause = false;
    }
    iol__finish_begin();
    iol__store_remove();
    for (int which = 0; which < CASES; which++)
        for (int i = 0; i < repeat && (only < 0 || only == which); i++) run(which, &transport, pause);
}
