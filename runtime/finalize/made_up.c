/* In POSIX and in MPI-IO, with one open and one write that take no time. */
#include "runtime/finalize/made_up.h"

#include <stdint.h>
#include <string.h>

#include "record/hash.h"
#include "runtime/core/store.h"
#include "runtime/core/text.h"

enum { SIZES = 32, LARGEST = 65536 };

#define OPENED 0.5
#define WRITTEN 0.625

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

void iol__made_up_records(int files, bool shared, int rank) {
    int64_t sizes[SIZES];
    seed = (uint64_t)rank + 1;
    for (int i = 0; i < SIZES; i++) sizes[i] = (int64_t)(draw() % LARGEST) + 1;
    for (int i = 0; i < files; i++) {
        char name[64];
        iol__text text = {name, sizeof name, 0};
        iol__text_add(&text, shared ? "shared-" : "fpp-");
        iol__text_number(&text, i);
        if (!shared) iol__text_add(&text, "_rank-"), iol__text_number(&text, rank);
        const uint64_t id = iol__hash(name, text.length, 0);
        const int64_t size = sizes[draw() % SIZES];
        if (!iol__store_name(id, name, text.length, true)) return;
        make_posix(id, size);
        make_mpiio(id, size, shared);
    }
}
