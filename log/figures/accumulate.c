/* Totals of a module, its performance estimate and its file counts, from records added one by one.
   Per-rank times and per-file sums need a table each; they grow with what the log really holds and within its budget. */
#include <stdlib.h>
#include <string.h>

#include "log/figures/accumulate.h"
#include "log/figures/calls.h"
#include "base/idmap.h"
#include "log/old/old.h"
#include "log/read/log_internal.h"
#include "record/record.h"
#include "record/reduce.h"

typedef struct rank_accumulate_times {
    double io, meta, rw;
} rank_accumulate_times;

typedef struct file_sums {
    int64_t read, written, offset;
    int64_t processes; /* -1: a record of all ranks */
} file_sums;

struct iol_sum {
    iol_log *log;
    const iol__roles *roles;
    iol__aggregate aggregate;
    iol_record total;
    uint64_t total_bytes;
    double shared_time;
    iol__idmap rank_ids, file_ids;
    rank_accumulate_times *ranks;
    file_sums *files;
    size_t rank_room, file_room;
    uint64_t taken; /* from the log's budget */
    bool limited;   /* ranks or files are not complete */
    bool no_ranks, no_files;
    bool has_unknown; /* the version of the log lacks counters, which are -1 in its records */
    bool known[IOL_MAX_INTS + IOL_MAX_REALS], unknown[IOL_MAX_INTS + IOL_MAX_REALS]; /* in some record */
};

iol_status iol_sum_new(iol_log *log, int slot, iol_sum **out) {
    if (out) *out = NULL;
    if (!log || !out) return IOL_INVALID;
    if (!iol__aggregate_possible(slot)) return IOL_INVALID;
    iol_sum *sum = calloc(1, sizeof *sum);
    if (!sum) return iol__fail(log, IOL_SYSTEM, slot, IOL_NO_OFFSET, "out of memory");
    sum->log = log;
    sum->roles = iol__modules[slot].roles;
    sum->has_unknown = iol__old_version_of(log) != NULL;
    iol__aggregate_start(&sum->aggregate, slot, IOL_RULES_TOTALS);
    sum->total = (iol_record){.slot = slot,
                              .ints = sum->aggregate.ints,
                              .reals = sum->aggregate.reals,
                              .n_ints = iol__modules[slot].ints,
                              .n_reals = iol__modules[slot].reals};
    *out = sum;
    return IOL_OK;
}

void iol__sum_tables(iol_sum *sum, bool ranks, bool files) {
    sum->no_ranks = !ranks;
    sum->no_files = !files;
}

void iol_sum_free(iol_sum *sum) {
    if (!sum) return;
    iol__budget_return(sum->log, sum->taken);
    iol__idmap_free(&sum->rank_ids);
    iol__idmap_free(&sum->file_ids);
    free(sum->ranks);
    free(sum->files);
    free(sum);
}

/* The entry of a key in a table beside an id map, zeroed when new; NULL past the budget. */
static void *accumulate_entry(iol_sum *sum, iol__idmap *ids, uint64_t key, void **table, size_t *room, size_t bytes) {
    size_t number = iol__idmap_find(ids, key);
    if (number != IOL_IDMAP_NONE) return (char *)*table + number * bytes;
    uint64_t cost = IOL_IDMAP_COST + bytes * 3 / 2;
    if (!iol__budget_take(sum->log, cost)) return NULL;
    sum->taken += cost;
    if (ids->count == *room) {
        size_t grown_room = *room ? *room + *room / 2 : 64;
        void *grown = realloc(*table, grown_room * bytes);
        if (!grown) return NULL;
        *table = grown;
        *room = grown_room;
    }
    number = iol__idmap_add(ids, key);
    if (number == IOL_IDMAP_NONE) return NULL;
    return memset((char *)*table + number * bytes, 0, bytes);
}

static int64_t accumulate_larger(int64_t x, int64_t y) { return x > y ? x : y; }

static bool add_accumulate_times(iol_sum *sum, const iol_record *record) {
    const iol__roles *roles = sum->roles;
    if (record->rank < 0) {
        sum->shared_time += iol__record_slowest_time(sum->log, record);
        return true;
    }
    void *table = sum->ranks;
    rank_accumulate_times *times =
        accumulate_entry(sum, &sum->rank_ids, (uint64_t)record->rank, &table, &sum->rank_room, sizeof *sum->ranks);
    sum->ranks = table;
    if (!times) return false;
    double meta = record->reals[roles->meta_time];
    double rw = record->reals[roles->read_time] + record->reals[roles->write_time];
    times->io += meta + record->reals[roles->read_time] + record->reals[roles->write_time];
    times->meta += meta;
    times->rw += rw;
    return true;
}

static bool add_accumulate_file(iol_sum *sum, const iol_record *record) {
    const iol__roles *roles = sum->roles;
    void *table = sum->files;
    file_sums *file = accumulate_entry(sum, &sum->file_ids, record->id, &table, &sum->file_room, sizeof *sum->files);
    sum->files = table;
    if (!file) return false;
    file->read = (int64_t)((uint64_t)file->read + (uint64_t)record->ints[roles->bytes_read]);
    file->written = (int64_t)((uint64_t)file->written + (uint64_t)record->ints[roles->bytes_written]);
    int64_t offset = -1;
    if (roles->max_byte_read >= 0)
        offset = accumulate_larger(record->ints[roles->max_byte_read], record->ints[roles->max_byte_written]);
    if (offset == -1 || file->offset == -1)
        file->offset = -1;
    else
        file->offset = accumulate_larger(file->offset, offset);
    file->processes = record->rank < 0 ? -1 : file->processes + 1;
    return true;
}

static void note_unknown(iol_sum *sum, const iol_record *record) {
    for (size_t i = 0; i < record->n_ints; i++) *(record->ints[i] == -1 ? &sum->unknown[i] : &sum->known[i]) = true;
    for (size_t i = 0; i < record->n_reals; i++) {
        const size_t counter = record->n_ints + i;
        *(record->reals[i] == -1 ? &sum->unknown[counter] : &sum->known[counter]) = true;
    }
}

/* Of records of which some do not know it there is a first, a last and a largest value, but no sum. */
bool iol__sum_knows(const iol_sum *sum, size_t counter) {
    const uint8_t reduce = iol__modules[sum->aggregate.how.slot].counters[counter].reduce;
    const bool extreme = reduce == IOL_REDUCE_MIN_NZ || reduce == IOL_REDUCE_MAX || reduce == IOL_REDUCE_MAX_WITH;
    return !sum->unknown[counter] || (extreme && sum->known[counter]);
}

iol_status iol_sum_add(iol_sum *sum, const iol_record *record) {
    if (!sum || !record) return IOL_INVALID;
    iol__aggregate *aggregate = &sum->aggregate;
    if (record->slot != aggregate->how.slot) return IOL_INVALID;
    iol__aggregate_add(aggregate, record->id, record->rank, record->ints, record->reals);
    if (sum->has_unknown) note_unknown(sum, record);
    sum->total.id = aggregate->id;
    sum->total.rank = aggregate->rank;
    if (!sum->roles->estimated) return IOL_OK;
    sum->total_bytes += (uint64_t)record->ints[sum->roles->bytes_read];
    sum->total_bytes += (uint64_t)record->ints[sum->roles->bytes_written];
    if (sum->limited) return IOL_LIMIT;
    bool timed = sum->no_ranks || add_accumulate_times(sum, record),
         counted = sum->no_files || add_accumulate_file(sum, record);
    if (timed && counted) return IOL_OK;
    sum->limited = true;
    return iol__fail(sum->log, IOL_LIMIT, record->slot, IOL_NO_OFFSET,
                     "more ranks or files than a log of this size can justify; the estimates leave some out");
}

uint64_t iol_sum_records(const iol_sum *sum) { return sum ? sum->aggregate.records : 0; }
const iol_record *iol_sum_total(const iol_sum *sum) { return sum ? &sum->total : NULL; }

iol_status iol_sum_performance(const iol_sum *sum, iol_performance *out) {
    if (!sum || !out) return IOL_INVALID;
    *out = (iol_performance){0};
    if (!sum->roles->estimated || sum->no_ranks) return IOL_INVALID;
    out->total_bytes = (int64_t)sum->total_bytes;
    out->shared_time = sum->shared_time;
    for (size_t i = 0; i < sum->rank_ids.count; i++) {
        const rank_accumulate_times *times = &sum->ranks[i];
        int64_t rank = (int64_t)sum->rank_ids.keys[i];
        bool tie = times->io == out->slowest_rank_io_time && times->io > 0 && rank < out->slowest_rank;
        if (!(times->io > out->slowest_rank_io_time) && !tie) continue;
        out->slowest_rank = rank;
        out->slowest_rank_io_time = times->io;
        out->slowest_rank_meta_time = times->meta;
        out->slowest_rank_rw_time = times->rw;
    }
    out->time = out->slowest_rank_io_time + out->shared_time;
    if (out->time != 0) out->mib_per_second = (double)out->total_bytes / 1048576.0 / out->time;
    return sum->limited ? IOL_LIMIT : IOL_OK;
}

static bool accumulate_in_category(const file_sums *file, iol_category category) {
    switch (category) {
    case IOL_FILES_ALL: return true;
    case IOL_FILES_READ_ONLY: return file->read > 0 && file->written == 0;
    case IOL_FILES_WRITE_ONLY: return file->written > 0 && file->read == 0;
    case IOL_FILES_READ_WRITE: return file->read > 0 && file->written > 0;
    case IOL_FILES_UNIQUE: return file->processes == 1;
    case IOL_FILES_SHARED: return file->processes == -1;
    case IOL_FILES_PART_SHARED: return file->processes != 1 && file->processes != -1;
    case IOL_CATEGORIES: break;
    }
    return false;
}

iol_status iol_sum_files(const iol_sum *sum, iol_category category, iol_files *out) {
    if (!sum || !out) return IOL_INVALID;
    *out = (iol_files){0};
    if (!sum->roles->estimated || sum->no_files || (unsigned)category >= IOL_CATEGORIES) return IOL_INVALID;
    uint64_t bytes = 0;
    for (size_t i = 0; i < sum->file_ids.count; i++) {
        const file_sums *file = &sum->files[i];
        if (!accumulate_in_category(file, category)) continue;
        out->count++;
        bytes += (uint64_t)file->read + (uint64_t)file->written;
        if (file->offset == -1 || out->max_offset == -1)
            out->max_offset = -1;
        else
            out->max_offset = accumulate_larger(out->max_offset, file->offset);
    }
    out->bytes = (int64_t)bytes;
    return sum->limited ? IOL_LIMIT : IOL_OK;
}
