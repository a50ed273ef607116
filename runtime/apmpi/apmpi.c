/* The record of MPI's statistics. There is one in a process, made at its first operation, with the header that a region
   of this module begins with. */
#include "runtime/apmpi/apmpi.h"

#include <errno.h>
#include <string.h>

#include "record/hash.h"
#include "record/record.h"
#include "runtime/core/files.h"
#include "runtime/core/store.h"
#include "runtime/mpi/mpi.h"

static struct {
    iol__guard guard;
    iol__apmpi_record *record;
    bool failed; /* there is no room for it, and will not be */
} kept;

typedef struct operation {
    int16_t count; /* the first of its integers */
    int16_t sync;  /* among the reals, -1: it has none */
    bool message;
} operation;

static const operation operations[IOL_APMPI_OPERATIONS] = {
#define MESSAGE(name) {IOL_MPI_##name##_CALL_COUNT, -1, true},
#define PLAIN(name) {IOL_MPI_##name##_CALL_COUNT, -1, false},
#define SYNCED_MESSAGE(name) {IOL_MPI_##name##_CALL_COUNT, IOL_MPI_##name##_TOTAL_SYNC_TIME, true},
#define SYNCED_PLAIN(name) {IOL_MPI_##name##_CALL_COUNT, IOL_MPI_##name##_TOTAL_SYNC_TIME, false},
#include "schema/apmpi_operations.def"
#undef MESSAGE
#undef PLAIN
#undef SYNCED_MESSAGE
#undef SYNCED_PLAIN
};

/* Where the counters of an operation are. */
enum { BYTES = 1, SIZES = 2, TIMES = 3 };
_Static_assert(IOL_MPI_SEND_TOTAL_BYTES == IOL_MPI_SEND_CALL_COUNT + BYTES &&
                   IOL_MPI_SEND_MSG_SIZE_AGG_0_256 == IOL_MPI_SEND_CALL_COUNT + SIZES &&
                   IOL_MPI_SEND_MSG_SIZE_AGG_1M_PLUS == IOL_MPI_SEND_MSG_SIZE_AGG_0_256 + 5,
               "the integers of an operation stand together");
_Static_assert(IOL_MPI_WIN_SYNC_TOTAL_TIME == TIMES * IOL_APMPI_WIN_SYNC &&
                   IOL_MPI_SEND_MIN_TIME == IOL_MPI_SEND_TOTAL_TIME + 1 &&
                   IOL_MPI_SEND_MAX_TIME == IOL_MPI_SEND_TOTAL_TIME + 2,
               "and its times, in the order of the operations");

/* Making it -------------------------------------------------------------------------------------------------------- */

static const char header_name[] = "darshan-apmpi-header", record_name[] = "APMPI";

static uint64_t id_of(const char *name) { return iol__hash(name, strlen(name), 0); }

void iol__apmpi_head(iol__apmpi_header *header) {
    *header = (iol__apmpi_header){.id = id_of(header_name), .magic = IOL_APMPI_MAGIC, .sync = iol__apmpi_calls.sync};
}

static void *new_record(const char *name, size_t bytes) {
    void *record = iol__store_record(IOL_SLOT_APMPI, bytes, true);
    return record && iol__store_name(id_of(name), name, strlen(name), true) ? record : NULL;
}

static void commit(size_t bytes) { iol__store_commit(IOL_SLOT_APMPI, iol__modules[IOL_SLOT_APMPI].current, bytes); }

/* With the lock of the files held. */
static void make(void) {
    iol__apmpi_header *header = new_record(header_name, sizeof *header);
    if (!header) return;
    iol__apmpi_head(header);
    commit(sizeof *header);
    iol__apmpi_record *record = new_record(record_name, sizeof *record);
    if (!record) return;
    record->id = id_of(record_name);
    const char *host = iol__mpi_host();
    memcpy(record->processor, host, strnlen(host, sizeof record->processor - 1));
    commit(sizeof *record);
    __atomic_store_n(&kept.record, record, __ATOMIC_RELEASE);
}

static iol__apmpi_record *make_once(void) {
    const int saved = errno;
    if (__atomic_load_n(&kept.failed, __ATOMIC_RELAXED) || !iol__files_enter()) return NULL;
    if (!kept.record && !kept.failed) {
        make();
        if (!kept.record) __atomic_store_n(&kept.failed, true, __ATOMIC_RELAXED);
        if (kept.failed && iol__store_state.made) iol__store_partial(IOL_SLOT_APMPI);
    }
    iol__files_leave();
    errno = saved;
    return __atomic_load_n(&kept.record, __ATOMIC_ACQUIRE);
}

/* Counting --------------------------------------------------------------------------------------------------------- */

static int size_class(int64_t bytes) {
    static const int64_t most[] = {256, 1 << 10, 8 << 10, 256 << 10, 1 << 20};
    int larger = 0;
    while (larger < (int)(sizeof most / sizeof *most) && bytes > most[larger]) larger++;
    return larger;
}

static void add(iol__apmpi_record *record, int number, int64_t bytes, double elapsed, double sync) {
    const operation *o = &operations[number];
    uint64_t *ints = record->ints + o->count;
    double *times = record->reals + TIMES * number;
    ints[0]++;
    if (o->message) {
        ints[BYTES] += (uint64_t)bytes;
        ints[SIZES + size_class(bytes)]++;
    }
    times[0] += elapsed;
    if (times[1] == 0 || elapsed < times[1]) times[1] = elapsed;
    if (elapsed > times[2]) times[2] = elapsed;
    if (o->sync >= 0) record->reals[o->sync] += sync;
    record->reals[IOL_MPI_TOTAL_COMM_SYNC_TIME] += sync;
    record->reals[IOL_MPI_TOTAL_COMM_TIME] += elapsed + sync;
}

/* MPI is not called from signal handlers, so whoever is in the record is another thread, which does not stay. */
static void done(int number, int64_t bytes, double begin, double end, double sync) {
    if (!iol__awake() || iol__core_state.world_size == 0 || iol__core_state.after_world) return;
    iol__apmpi_record *record = __atomic_load_n(&kept.record, __ATOMIC_ACQUIRE);
    if (!record && !(record = make_once())) return;
    if (!iol__guard_enter(&kept.guard)) {
        iol__count_lost();
        return;
    }
    add(record, number, bytes, end - begin, sync);
    iol__guard_leave(&kept.guard);
}

/* ------------------------------------------------------------------------------------------------------------------ */

struct iol__apmpi_calls iol__apmpi_calls = {.done = done};

bool iol__apmpi_wanted(void) {
    const iol__config *config = &iol__core_state.config;
    iol__apmpi_calls.sync = iol__setting_flag(config, IOL_SET_APMPI_SYNC);
    return iol__module_enabled(config, IOL_SLOT_APMPI);
}

void iol__apmpi_reset(void) {
    kept.guard.owner = 0;
    kept.record = NULL;
    kept.failed = false;
}

iol__runtime_module iol__apmpi_module = {.slot = IOL_SLOT_APMPI, .reset = iol__apmpi_reset};
