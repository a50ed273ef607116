/* What ranks did after MPI_Finalize, when their job's log was already there. It is put together with that log: sums,
   extremes and common values of a file's record are those of both. A record of all ranks stays one; who was fastest and
   slowest, and the variances, are those that the ranks agreed upon. Memory is that of the files that were used so late. */
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "log/merge/merge_internal.h"
#include "record/hash.h"
#include "record/reduce.h"

uint64_t iol__merge_late_key(const iol_record *record) {
    const uint64_t words[2] = {record->id, (uint64_t)record->rank};
    return record->slot == IOL_SLOT_HEATMAP ? iol__hash(words, sizeof words, 0) : record->id;
}

/* One record of a file that ranks came back to. */
typedef struct late_record {
    iol_record record; /* its values are behind it */
    struct late_record *next;
    int64_t ints[IOL_MAX_INTS];
    double reals[IOL_MAX_REALS];
} late_record;

static bool keep_late(late_record **list, const iol_record *record) {
    late_record *kept = malloc(sizeof *kept);
    if (!kept) return false;
    kept->record = *record;
    kept->next = NULL;
    memcpy(kept->ints, record->ints, record->n_ints * sizeof *kept->ints);
    memcpy(kept->reals, record->reals, record->n_reals * sizeof *kept->reals);
    kept->record.ints = kept->ints;
    kept->record.reals = kept->reals;
    kept->record.pool_uuid = kept->record.container_uuid = NULL;
    while (*list) list = &(*list)->next;
    *list = kept;
    return true;
}

static void keep_extremes(const iol__roles *roles, const late_record *from, int64_t *ints, double *reals) {
    const int whole[] = {roles->fastest_rank, roles->fastest_bytes, roles->slowest_rank, roles->slowest_bytes};
    const int timed[] = {roles->fastest_time, roles->slowest_time, roles->variance_time, roles->variance_bytes};
    for (size_t i = 0; i < IOL_COUNT(whole); i++)
        if (whole[i] >= 0) ints[whole[i]] = from->ints[whole[i]];
    for (size_t i = 0; i < IOL_COUNT(timed); i++)
        if (timed[i] >= 0) reals[timed[i]] = from->reals[timed[i]];
}

/* What one of the two does not know, both together do not. */
static void add_late(iol__aggregate *a, late_record *to, const iol_record *more) {
    const int slot = more->slot;
    const iol__module *module = &iol__modules[slot];
    iol__aggregate_start(a, slot, IOL_RULES_SHARED);
    iol__aggregate_add(a, more->id, 0, to->ints, to->reals);
    iol__aggregate_add(a, more->id, 0, more->ints, more->reals);
    for (unsigned i = 0; i < module->ints; i++)
        if (module->counters[i].reduce == IOL_REDUCE_SUM && (to->ints[i] < 0 || more->ints[i] < 0)) a->ints[i] = -1;
    if (module->roles->traffic) keep_extremes(module->roles, to, a->ints, a->reals);
    memcpy(to->ints, a->ints, module->ints * sizeof *to->ints);
    memcpy(to->reals, a->reals, module->reals * sizeof *to->reals);
}

/* The log that was there comes first: a record of all ranks takes what any of them adds. */
static bool take_late(iol__aggregate *a, late_record **list, const iol_record *record) {
    for (late_record *k = *list; k; k = k->next)
        if (k->record.rank == record->rank || k->record.rank == -1) {
            add_late(a, k, record);
            return true;
        }
    return keep_late(list, record);
}

static int merge_late_by_id(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static iol_status write_late_files(merger *m, iol_writer *writer, int slot, const uint64_t *ids, size_t count) {
    late_record **all = calloc(count, sizeof *all);
    iol__aggregate *aggregate = malloc(sizeof *aggregate);
    iol_records *records = NULL;
    const iol_record *record;
    iol_status status = all && aggregate ? iol_records_open(m->spools[slot].log, slot, &records) : IOL_SYSTEM;
    if (!all || !aggregate) iol__merge_out_of_memory(m);
    while (status == IOL_OK && iol_records_next(records, &record) == IOL_OK) {
        const uint64_t *at = bsearch(&record->id, ids, count, sizeof *ids, merge_late_by_id);
        if (at && !take_late(aggregate, &all[at - ids], record)) status = iol__merge_out_of_memory(m);
    }
    for (size_t i = 0; all && i < count; i++)
        for (late_record *k = all[i], *next; k; k = next) {
            next = k->next;
            if (status == IOL_OK) status = iol__merge_put(m, writer, &k->record);
            free(k);
        }
    iol_records_close(records);
    free(aggregate);
    free(all);
    return status;
}

/* Layouts of files: the first one counts. */
static iol_status write_late_firsts(merger *m, iol_writer *writer, int slot, const uint64_t *ids, size_t count) {
    bool *done = calloc(count, sizeof *done);
    iol_records *records = NULL;
    const iol_record *record;
    iol_status status = done ? iol_records_open(m->spools[slot].log, slot, &records) : iol__merge_out_of_memory(m);
    while (status == IOL_OK && iol_records_next(records, &record) == IOL_OK) {
        const uint64_t *at = bsearch(&record->id, ids, count, sizeof *ids, merge_late_by_id);
        if (!at || done[at - ids]) continue;
        done[at - ids] = true;
        status = iol_writer_record(writer, record);
    }
    iol_records_close(records);
    free(done);
    return status;
}

iol_status iol__merge_write_late(merger *m, iol_writer *writer, int slot, const uint64_t *ids, size_t count) {
    if (slot == IOL_SLOT_LUSTRE) return write_late_firsts(m, writer, slot, ids, count);
    return write_late_files(m, writer, slot, ids, count);
}
