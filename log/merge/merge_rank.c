/* Records of one process, put together before they are spooled. A process that ran several programs one after the other
   has a record of the same file from each; and each of its threads keeps a heat map of its own. Memory is that of the
   records of one process. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "log/merge/merge_internal.h"
#include "record/reduce.h"
#include "record/where.h"

enum { BATCH = 512 };

/* A record that may grow. Which part is used follows from the module's form. */
typedef struct merge_rank_kept {
    uint64_t id;
    struct fixed {
        int64_t *ints;
        double *reals; /* behind the integers */
        uint64_t owner, oid[2];
        uint8_t uuids[32];
    } * fixed;
    struct map {
        double width;
        size_t bins;
        int64_t *written, *read; /* one block */
    } * map;
    struct trace {
        char host[65];
        bool threads;
        iol_segment *segments[2]; /* writes, reads */
        size_t count[2], room[2];
    } * trace;
} merge_rank_kept;

typedef struct kept_module {
    iol__idmap ids;
    merge_rank_kept *records;
    size_t room;
} kept_module;

struct rank_records {
    kept_module modules[IOL_SLOTS_KNOWN];
    bool any;
    iol__aggregate aggregate; /* too large for the stack of a function that is called for every record */
};

bool iol__merge_waits(const merger *m, const merge_input *in, int slot) {
    if (in->process == MERGE_NO_PROCESS) return false;
    if (slot == IOL_SLOT_HEATMAP) return true;
    if (m->people[in->process].n_inputs < 2) return false;
    return iol__modules[slot].form == IOL_FORM_TRACE || slot == IOL_SLOT_LUSTRE ||
           (iol__modules[slot].form == IOL_FORM_FIXED && iol__aggregate_possible(slot));
}

/* Counters -------------------------------------------------------------------------------------------------------- */

static bool new_fixed(merge_rank_kept *k, const iol_record *record) {
    struct fixed *f = k->fixed = calloc(1, sizeof *f);
    if (!f) return false;
    f->ints = malloc((record->n_ints + record->n_reals + 1) * sizeof *f->ints);
    if (!f->ints) return false;
    _Static_assert(sizeof(double) == sizeof(int64_t), "they share a block");
    f->reals = (double *)(void *)(f->ints + record->n_ints);
    memcpy(f->ints, record->ints, record->n_ints * sizeof *f->ints);
    memcpy(f->reals, record->reals, record->n_reals * sizeof *f->reals);
    f->owner = record->owner;
    f->oid[0] = record->oid_high;
    f->oid[1] = record->oid_low;
    if (record->pool_uuid) memcpy(f->uuids, record->pool_uuid, 16);
    if (record->container_uuid) memcpy(f->uuids + 16, record->container_uuid, 16);
    return true;
}

/* The rules for shared files, but it stays the record of one rank: there is no fastest one. What one of the two does
   not know, as the record of folded files, both together do not. */
static void add_fixed(iol__aggregate *a, const merge_rank_kept *k, const iol_record *record) {
    const iol__module *module = &iol__modules[record->slot];
    struct fixed *f = k->fixed;
    iol__aggregate_start(a, record->slot, IOL_RULES_SHARED);
    iol__aggregate_add(a, k->id, record->rank, f->ints, f->reals);
    iol__aggregate_add(a, k->id, record->rank, record->ints, record->reals);
    for (unsigned i = 0; i < module->ints; i++)
        if (module->counters[i].reduce == IOL_REDUCE_SUM && (f->ints[i] < 0 || record->ints[i] < 0)) a->ints[i] = -1;
    memcpy(f->ints, a->ints, module->ints * sizeof *f->ints);
    memcpy(f->reals, a->reals, module->reals * sizeof *f->reals);
    iol__merge_clear_extremes(record->slot, f->ints, f->reals);
}

/* Heat maps ------------------------------------------------------------------------------------------------------- */

static bool new_map(merge_rank_kept *k, double width, size_t bins) {
    struct map *map = calloc(1, sizeof *map);
    int64_t *block = calloc(2 * bins + 1, sizeof *block);
    if (!map || !block) {
        free(map);
        free(block);
        return false;
    }
    *map = (struct map){width, bins, block, block + bins};
    k->map = map;
    return true;
}

static void free_map(struct map *map) {
    if (!map) return;
    free(map->written);
    free(map);
}

/* By the middle of each bin, so that nothing of it is lost whatever the widths are. */
static void add_bins(struct map *map, double width, size_t bins, const int64_t *written, const int64_t *read) {
    for (size_t i = 0; i < bins; i++) {
        double place = width == map->width ? (double)i : ((double)i + 0.5) * width / map->width;
        size_t to = place < (double)map->bins ? (size_t)place : map->bins - 1;
        map->written[to] = (int64_t)((uint64_t)map->written[to] + (uint64_t)written[i]);
        map->read[to] = (int64_t)((uint64_t)map->read[to] + (uint64_t)read[i]);
    }
}

/* Maps of one process start together; the wider bins win, and as many as reach as far as either did. */
static bool add_map(merge_rank_kept *k, const iol_heatmap *other) {
    struct map *mine = k->map;
    double width = fmax(mine->width, other->bin_width);
    double end = fmax(mine->width * (double)mine->bins, other->bin_width * (double)other->bins);
    size_t most = mine->bins > other->bins ? mine->bins : other->bins,
           bins = (size_t)fmin(ceil(end / width - 1e-9), (double)most);
    if (bins == 0) return true;
    if (width != mine->width || bins > mine->bins) {
        if (!new_map(k, width, bins)) return false;
        add_bins(k->map, mine->width, mine->bins, mine->written, mine->read);
        free_map(mine);
    }
    add_bins(k->map, other->bin_width, other->bins, other->written, other->read);
    return true;
}

/* Traces ---------------------------------------------------------------------------------------------------------- */

static bool add_merge_rank_segments(struct trace *t, int which, const iol_segment *segments, size_t count) {
    if (t->count[which] + count > t->room[which]) {
        size_t room = t->room[which] + t->room[which] / 2 + count;
        iol_segment *grown = realloc(t->segments[which], room * sizeof *grown);
        if (!grown) return false;
        t->segments[which] = grown;
        t->room[which] = room;
    }
    memcpy(t->segments[which] + t->count[which], segments, count * sizeof *segments);
    t->count[which] += count;
    return true;
}

static bool add_merge_rank_trace(merger *m, const merge_input *in, merge_rank_kept *k, const iol_record *record,
                                 iol_records *records, bool *cut) {
    iol_segment batch[BATCH];
    uint64_t writes = record->trace.writes, total = writes + record->trace.reads, done = 0;
    size_t got;
    if (!k->trace) {
        k->trace = calloc(1, sizeof *k->trace);
        if (!k->trace) return false;
        memcpy(k->trace->host, record->trace.host, sizeof k->trace->host);
    }
    k->trace->threads = k->trace->threads || record->trace.threads;
    /* A batch never crosses from writes to reads. */
    while (done < total) {
        uint64_t left = done < writes ? writes - done : total - done;
        if (iol_records_segments(records, batch, left < BATCH ? (size_t)left : BATCH, &got) != IOL_OK) break;
        for (size_t i = 0; i < got; i++) {
            iol__where_shift(&batch[i].start, &batch[i].end, in->shift);
            if (batch[i].end > m->last && isfinite(batch[i].end)) m->last = batch[i].end;
        }
        if (!add_merge_rank_segments(k->trace, done >= writes, batch, got)) return false;
        done += got;
    }
    *cut = *cut || done < total;
    return true;
}

/* Keeping --------------------------------------------------------------------------------------------------------- */

static void free_record(merge_rank_kept *k) {
    if (k->fixed) free(k->fixed->ints);
    free(k->fixed);
    free_map(k->map);
    if (k->trace) {
        free(k->trace->segments[0]);
        free(k->trace->segments[1]);
    }
    free(k->trace);
}

static void merge_rank_forget(kept_module *module) {
    for (size_t i = 0; i < module->ids.count; i++) free_record(&module->records[i]);
    free(module->records);
    iol__idmap_free(&module->ids);
    *module = (kept_module){0};
}

void iol__merge_free_kept(merger *m) {
    for (int slot = 0; m->kept && slot < IOL_SLOTS_KNOWN; slot++) merge_rank_forget(&m->kept->modules[slot]);
    free(m->kept);
    m->kept = NULL;
}

static merge_rank_kept *merge_rank_record_of(kept_module *module, uint64_t id, bool *fresh) {
    size_t number = iol__idmap_find(&module->ids, id);
    *fresh = number == IOL_IDMAP_NONE;
    if (!*fresh) return &module->records[number];
    if (!IOL_GROW(module->records, module->room, module->ids.count)) return NULL;
    number = iol__idmap_add(&module->ids, id);
    if (number == IOL_IDMAP_NONE) return NULL;
    module->records[number] = (merge_rank_kept){.id = id};
    return &module->records[number];
}

iol_status iol__merge_keep(merger *m, const merge_input *in, const iol_record *record, iol_records *records,
                           bool *cut) {
    bool fresh, good = true;
    if (!m->kept) m->kept = calloc(1, sizeof *m->kept);
    merge_rank_kept *k = m->kept ? merge_rank_record_of(&m->kept->modules[record->slot], record->id, &fresh) : NULL;
    if (!k) return iol__merge_out_of_memory(m);
    m->kept->any = true;
    if (record->slot == IOL_SLOT_LUSTRE)
        return fresh ? iol__merge_spool(m, in, record) : IOL_OK; /* the first one counts */
    if (record->slot == IOL_SLOT_HEATMAP) {
        /* A map that no clock can have made is passed on as it is. */
        if (!iol__merge_heatmap_sane(&record->heatmap)) return iol__merge_spool(m, in, record);
        good = (k->map || new_map(k, record->heatmap.bin_width, record->heatmap.bins)) && add_map(k, &record->heatmap);
    } else if (iol__modules[record->slot].form == IOL_FORM_TRACE) {
        good = add_merge_rank_trace(m, in, k, record, records, cut);
    } else if (fresh) {
        good = new_fixed(k, record);
    } else {
        add_fixed(&m->kept->aggregate, k, record);
    }
    return good ? IOL_OK : iol__merge_out_of_memory(m);
}

/* Flushing -------------------------------------------------------------------------------------------------------- */

static bool empty_map(const struct map *map) {
    int64_t any = 0;
    for (size_t i = 0; i < map->bins; i++) any |= map->written[i] | map->read[i];
    return any == 0;
}

static iol_status flush_trace(merger *m, const merge_input *in, iol_record *record, const struct trace *t) {
    record->trace = (iol_trace){.writes = t->count[0], .reads = t->count[1], .threads = t->threads};
    memcpy(record->trace.host, t->host, sizeof t->host);
    iol_status status = iol__merge_spool(m, in, record);
    for (int i = 0; status == IOL_OK && i < 2; i++)
        status = iol_writer_segments(m->spools[record->slot].writer, t->segments[i], t->count[i]);
    return status;
}

static iol_status flush_record(merger *m, const merge_input *in, int slot, const merge_rank_kept *k) {
    iol_record record = {.slot = slot, .id = k->id, .rank = in->first_rank};
    if (k->trace) return flush_trace(m, in, &record, k->trace);
    if (k->map) {
        if (empty_map(k->map)) return IOL_OK;
        record.heatmap = (iol_heatmap){k->map->width, k->map->bins, k->map->written, k->map->read};
    } else if (k->fixed) {
        record.ints = k->fixed->ints;
        record.reals = k->fixed->reals;
        record.n_ints = iol__modules[slot].ints;
        record.n_reals = iol__modules[slot].reals;
        record.owner = k->fixed->owner;
        record.pool_uuid = k->fixed->uuids;
        record.container_uuid = k->fixed->uuids + 16;
        record.oid_high = k->fixed->oid[0];
        record.oid_low = k->fixed->oid[1];
    } else {
        return IOL_OK; /* spooled already */
    }
    return iol__merge_spool(m, in, &record);
}

iol_status iol__merge_flush(merger *m, const merge_input *in) {
    iol_status status = IOL_OK;
    if (!m->kept || !m->kept->any) return IOL_OK;
    for (int slot = 1; slot < IOL_SLOTS_KNOWN; slot++) {
        kept_module *module = &m->kept->modules[slot];
        for (size_t i = 0; status == IOL_OK && i < module->ids.count; i++)
            status = flush_record(m, in, slot, &module->records[i]);
        if (module->room) merge_rank_forget(module);
    }
    m->kept->any = false;
    return status;
}
