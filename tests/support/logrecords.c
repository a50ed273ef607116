/* Writes records field by field. The modules of fixed layout differ only in a few numbers and come from one table;
   the others have a function each. */
#include "tests/support/logrecords.h"

#include <assert.h>
#include <string.h>

/* What stands between the base and the counters, and behind them. */
typedef enum lead { LEAD_NONE, LEAD_OWNER, LEAD_BGQ } lead;
typedef enum tail { TAIL_NONE, TAIL_UUIDS, TAIL_OBJECT } tail;

typedef struct shape {
    int slot;
    unsigned version, ints, reals;
    lead lead;
    tail tail;
} shape;

static const shape shapes[] = {
    {LM_NULL, 1, 2, 2, LEAD_NONE, TAIL_NONE},
    {LM_POSIX, 1, 68, 15, LEAD_NONE, TAIL_NONE},
    {LM_POSIX, 2, 64, 15, LEAD_NONE, TAIL_NONE},
    {LM_POSIX, 3, 64, 17, LEAD_NONE, TAIL_NONE},
    {LM_POSIX, 4, 69, 17, LEAD_NONE, TAIL_NONE},
    {LM_MPIIO, 1, 51, 15, LEAD_NONE, TAIL_NONE},
    {LM_MPIIO, 2, 51, 15, LEAD_NONE, TAIL_NONE},
    {LM_MPIIO, 3, 51, 17, LEAD_NONE, TAIL_NONE},
    {LM_STDIO, 1, 13, 15, LEAD_NONE, TAIL_NONE},
    {LM_STDIO, 2, 14, 15, LEAD_NONE, TAIL_NONE},
    {LM_H5F, 1, 1, 2, LEAD_NONE, TAIL_NONE},
    {LM_H5F, 2, 1, 4, LEAD_NONE, TAIL_NONE},
    {LM_H5F, 3, 3, 5, LEAD_NONE, TAIL_NONE},
    {LM_H5D, 1, 94, 17, LEAD_NONE, TAIL_NONE},
    {LM_H5D, 2, 94, 17, LEAD_OWNER, TAIL_NONE},
    {LM_PNETCDF_FILE, 1, 2, 2, LEAD_NONE, TAIL_NONE},
    {LM_PNETCDF_FILE, 2, 2, 4, LEAD_NONE, TAIL_NONE},
    {LM_PNETCDF_FILE, 3, 9, 8, LEAD_NONE, TAIL_NONE},
    {LM_PNETCDF_VAR, 1, 120, 17, LEAD_OWNER, TAIL_NONE},
    {LM_BGQ, 1, 11, 1, LEAD_BGQ, TAIL_NONE},
    {LM_BGQ, 2, 11, 1, LEAD_NONE, TAIL_NONE},
    {LM_DFS, 1, 52, 15, LEAD_NONE, TAIL_UUIDS},
    {LM_DAOS, 1, 64, 15, LEAD_NONE, TAIL_OBJECT},
};

static const shape *shape_find(int slot, unsigned version) {
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (shapes[i].slot == slot && shapes[i].version == version) return &shapes[i];
    return NULL;
}

bool lm_shape(int slot, unsigned version, unsigned *ints, unsigned *reals) {
    const shape *found = shape_find(slot, version);
    if (found == NULL) return false;
    *ints = found->ints;
    *reals = found->reals;
    return true;
}

unsigned lm_newest(int slot) {
    static const unsigned newest[LM_KNOWN] = {
        [LM_NULL] = 1,         [LM_POSIX] = 4,       [LM_MPIIO] = 3, [LM_H5F] = 3,    [LM_H5D] = 2,
        [LM_PNETCDF_FILE] = 3, [LM_PNETCDF_VAR] = 1, [LM_BGQ] = 2,   [LM_LUSTRE] = 2, [LM_STDIO] = 2,
        [LM_DXT_POSIX] = 2,    [LM_DXT_MPIIO] = 3,   [LM_MDHIM] = 1, [LM_APXC] = 1,   [LM_APMPI] = 1,
        [LM_HEATMAP] = 1,      [LM_DFS] = 1,         [LM_DAOS] = 1,
    };
    return newest[slot];
}

void lm_fill(lm_counts *counts, int64_t seed) {
    for (int i = 0; i < LM_MOST_INTS; i++) counts->ints[i] = 1000 * seed + i + 1;
    for (int i = 0; i < LM_MOST_REALS; i++) counts->reals[i] = (double)seed + (i + 1) / 512.0;
}

static void append_base(bytes *b, uint64_t id, int64_t rank) {
    bytes_u64(b, id);
    bytes_i64(b, rank);
}

static void append_ints(bytes *b, const int64_t *values, size_t count) {
    for (size_t i = 0; i < count; i++) bytes_i64(b, values[i]);
}

static void append_reals(bytes *b, const double *values, size_t count) {
    for (size_t i = 0; i < count; i++) bytes_f64(b, values[i]);
}

/* Fixed layouts ----------------------------------------------------------------------------------------------- */

uint8_t lm_uuid_byte(bool container, int place) { return (uint8_t)((container ? 0xc0 : 0x10) + place); }

static void append_uuids(bytes *b) {
    for (int container = 0; container < 2; container++)
        for (int place = 0; place < 16; place++) bytes_fill(b, lm_uuid_byte(container, place), 1);
}

void lm_fixed(bytes *b, int slot, unsigned version, uint64_t id, int64_t rank, uint64_t extra,
              const lm_counts *counts) {
    const shape *s = shape_find(slot, version);
    assert(s != NULL);
    append_base(b, id, rank);
    if (s->lead == LEAD_OWNER) bytes_u64(b, extra);
    if (s->lead == LEAD_BGQ) {
        bytes_u32(b, (uint32_t)extra);
        bytes_fill(b, 0xee, 4);
    }
    append_ints(b, counts->ints, s->ints);
    append_reals(b, counts->reals, s->reals);
    if (s->tail != TAIL_NONE) append_uuids(b);
    if (s->tail == TAIL_OBJECT) {
        bytes_u64(b, extra);
        bytes_u64(b, extra + 1);
    }
}

/* LUSTRE ------------------------------------------------------------------------------------------------------ */

void lm_lustre_1(bytes *b, uint64_t id, int64_t rank, int64_t stripe_size, const int64_t *osts, size_t count) {
    lm_lustre_1_of(b, id, rank, 96, stripe_size, osts, count);
}

void lm_lustre_1_of(bytes *b, uint64_t id, int64_t rank, int64_t fs_osts, int64_t stripe_size, const int64_t *osts,
                    size_t count) {
    append_base(b, id, rank);
    bytes_i64(b, fs_osts);
    bytes_i64(b, 2); /* MDTs */
    bytes_i64(b, 7); /* stripe offset */
    bytes_i64(b, stripe_size);
    bytes_i64(b, (int64_t)count);
    append_ints(b, osts, count);
}

void lm_lustre_2(bytes *b, uint64_t id, int64_t rank, const lm_component *components, size_t n_components,
                 const int64_t *osts, size_t n_osts) {
    append_base(b, id, rank);
    bytes_i64(b, (int64_t)n_components);
    bytes_i64(b, (int64_t)n_osts);
    for (size_t i = 0; i < n_components; i++) {
        append_ints(b, components[i].ints, LM_COMPONENT_INTS);
        bytes_text(b, components[i].pool, 16);
    }
    append_ints(b, osts, n_osts);
}

/* DXT --------------------------------------------------------------------------------------------------------- */

void lm_trace(bytes *b, uint64_t id, int64_t rank, const char *host, const lm_segment *segments, size_t writes,
              size_t reads, bool threads) {
    append_base(b, id, rank);
    bytes_i64(b, 0);
    bytes_text(b, host, 64);
    bytes_i64(b, (int64_t)writes);
    bytes_i64(b, (int64_t)reads);
    for (size_t i = 0; i < writes + reads; i++) {
        bytes_i64(b, segments[i].offset);
        bytes_i64(b, segments[i].length);
        bytes_f64(b, segments[i].start);
        bytes_f64(b, segments[i].end);
        if (threads) bytes_u64(b, segments[i].thread);
    }
}

/* HEATMAP ----------------------------------------------------------------------------------------------------- */

void lm_heatmap(bytes *b, uint64_t id, int64_t rank, double width, size_t bins, const int64_t *written,
                const int64_t *read) {
    append_base(b, id, rank);
    bytes_f64(b, width);
    bytes_i64(b, (int64_t)bins);
    bytes_fill(b, 0xfe, 16); /* former addresses, which mean nothing */
    append_ints(b, written, bins);
    append_ints(b, read, bins);
}

/* MDHIM, APMPI, APXC ------------------------------------------------------------------------------------------ */

void lm_mdhim(bytes *b, uint64_t id, int64_t rank, const lm_counts *counts, const int64_t *servers) {
    append_base(b, id, rank);
    append_ints(b, counts->ints, 5);
    append_reals(b, counts->reals, 4);
    append_ints(b, servers, counts->ints[4] > 1 ? (size_t)counts->ints[4] : 1);
}

void lm_apmpi_header(bytes *b, uint32_t sync, double comm_variance, double sync_variance) {
    append_base(b, lm_id("darshan-apmpi-header"), 0);
    bytes_i64(b, 0x41504d5049);
    bytes_u32(b, sync);
    bytes_fill(b, 0, 4);
    bytes_f64(b, comm_variance);
    bytes_f64(b, sync_variance);
}

void lm_apmpi(bytes *b, uint64_t id, int64_t rank, const lm_counts *counts, const char *processor) {
    append_base(b, id, rank);
    append_ints(b, counts->ints, 396);
    append_reals(b, counts->reals, 222 + 16 + 2);
    bytes_text(b, processor, 128);
}

void lm_apxc_header(bytes *b, const int64_t machine[5], uint64_t application) {
    append_base(b, lm_id("darshan-apxc-header"), 0);
    bytes_i64(b, 0x4155544f50455246);
    append_ints(b, machine, 5);
    bytes_u64(b, application);
}

void lm_apxc(bytes *b, uint64_t id, int64_t rank, const int64_t place[4], const lm_counts *counts) {
    append_base(b, id, rank);
    append_ints(b, place, 4);
    append_ints(b, counts->ints, 392);
}

/* Samples ----------------------------------------------------------------------------------------------------- */

static void sample_lustre(bytes *b, unsigned version, uint64_t id, int64_t rank, int64_t seed) {
    const int64_t osts[] = {seed, seed + 1, seed + 2, seed + 3, seed + 4};
    const lm_component components[] = {
        {{1 << 20, 1, 0, 16, 0, 4 << 20, 1}, "flash"},
        {{4 << 20, 4, 0, 0, 4 << 20, -1, 1}, ""},
    };
    if (version == 1)
        lm_lustre_1(b, id, rank, 1 << 20, osts, 4);
    else
        lm_lustre_2(b, id, rank, components, 2, osts, 5);
}

static void sample_trace(bytes *b, bool threads, uint64_t id, int64_t rank, int64_t seed) {
    lm_segment segments[5];
    for (int i = 0; i < 5; i++)
        segments[i] = (lm_segment){.offset = 4096 * i,
                                   .length = 4096 + seed,
                                   .start = 0.25 * i,
                                   .end = 0.25 * i + 0.125,
                                   .thread = 0x7f0000001000u + (uint64_t)(i % 2)};
    lm_trace(b, id, rank, "node0001", segments, 3, 2, threads);
}

static void sample_heatmap(bytes *b, uint64_t id, int64_t rank, int64_t seed) {
    int64_t written[8], read[8];
    for (int i = 0; i < 8; i++) {
        written[i] = 1000 * seed + i;
        read[i] = 2000 * seed + i;
    }
    lm_heatmap(b, id, rank, 0.1, 8, written, read);
}

static void sample_mdhim(bytes *b, uint64_t id, int64_t rank, int64_t seed) {
    const int64_t servers[] = {seed, seed + 1, seed + 2};
    lm_counts counts;
    lm_fill(&counts, seed);
    counts.ints[4] = 3;
    lm_mdhim(b, id, rank, &counts, servers);
}

static void sample_apmpi(bytes *b, uint64_t id, int64_t rank, int64_t seed) {
    lm_counts counts;
    lm_fill(&counts, seed);
    if (b->length == 0) lm_apmpi_header(b, 1, 0.5, 0.25);
    lm_apmpi(b, id, rank, &counts, "nid00042");
}

static void sample_apxc(bytes *b, uint64_t id, int64_t rank, int64_t seed) {
    static const int64_t machine[5] = {16, 4, 2, 4, 2};
    static const int64_t place[4] = {1, 2, 3, 0};
    lm_counts counts;
    lm_fill(&counts, seed);
    if (b->length == 0) lm_apxc_header(b, machine, 77);
    lm_apxc(b, id, rank, place, &counts);
}

/* POSIX 1 records with stream activity are left out by readers, and an unused table entry must stay unused: the sample
   is an ordinary record. */
static void sample_fixed(bytes *b, int slot, unsigned version, uint64_t id, int64_t rank, int64_t seed) {
    lm_counts counts;
    lm_fill(&counts, seed);
    if (slot == LM_POSIX && version == 1) memset(&counts.ints[6], 0, 4 * sizeof *counts.ints);
    lm_fixed(b, slot, version, id, rank, lm_id("/scratch/owner.h5"), &counts);
}

void lm_sample(lm_log *log, int slot, unsigned version, uint64_t id, int64_t rank, int64_t seed) {
    bytes *b = lm_records(log, slot, version);
    switch (slot) {
    case LM_LUSTRE: sample_lustre(b, version, id, rank, seed); return;
    case LM_DXT_POSIX: sample_trace(b, version >= 2, id, rank, seed); return;
    case LM_DXT_MPIIO: sample_trace(b, version >= 3, id, rank, seed); return;
    case LM_MDHIM: sample_mdhim(b, id, rank, seed); return;
    case LM_APMPI: sample_apmpi(b, id, rank, seed); return;
    case LM_APXC: sample_apxc(b, id, rank, seed); return;
    case LM_HEATMAP: sample_heatmap(b, id, rank, seed); return;
    default: sample_fixed(b, slot, version, id, rank, seed); return;
    }
}

uint8_t *lm_sample_file(int slot, unsigned version, size_t *length) {
    lm_log *log = lm_new(41, false, LM_ZLIB);
    lm_sample(log, slot, version, 1, 0, 1);
    uint8_t *file = lm_finish(log, length);
    lm_free(log);
    return file;
}
