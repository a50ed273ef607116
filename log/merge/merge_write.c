/* The writing half of merging: records that every rank has become one, the rest is copied, heat maps are brought to one
   scale. Shared files are combined some at a time, each time with one pass over the spooled module. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "log/merge/merge_internal.h"
#include "record/reduce.h"
#include "record/times.h"

enum {
    AT_ONCE = 16384, /* shared files combined in one pass over a module */
    METADATA = 1024,
    OWN = 600, /* of it for what is said of this log */
};

/* Write: records of all ranks ------------------------------------------------------------------------------------- */

/* True if ranks 0 to n-1, whose marks add up to `marks`, each have exactly one record of the file. */
static bool used_by_all(const merger *m, const users *u, uint64_t marks) {
    return !u->combined && u->count == (uint64_t)m->processes && u->marks == marks;
}

/* Times that are in a log already stay what they are. */
static bool may_round(const merger *m) {
    bool fresh = m->merge->round_times;
    for (size_t i = 0; i < m->n_inputs; i++) fresh = fresh && m->inputs[i].process != MERGE_NO_PROCESS;
    return fresh;
}

iol_status iol__merge_put(const merger *m, iol_writer *writer, const iol_record *record) {
    double reals[IOL_POSIX_REALS];
    iol_record rounded = *record;
    iol__times times;
    if (!m->round_times || !record->n_reals || record->n_reals > IOL_POSIX_REALS)
        return iol_writer_record(writer, record);
    iol__times_find(&times, record->slot);
    memcpy(reals, record->reals, record->n_reals * sizeof *reals);
    iol__times_round(&times, reals);
    rounded.reals = reals;
    return iol_writer_record(writer, &rounded);
}

/* A shared file on its way to one record. */
typedef struct combined {
    uint64_t id;
    iol__aggregate aggregate;
    uint64_t owner;
    uint8_t uuids[32];
    uint64_t oid[2];
    int64_t *servers; /* MDHIM */
    size_t n_servers;
} combined;

static int by_id(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* The shared ids of a module in ascending order; NULL with *count 0 if there are none. */
static uint64_t *shared_ids(const merger *m, const spool *s, size_t *count) {
    *count = 0;
    uint64_t most = 0, marks = 0;
    uint64_t *ids = malloc((s->ids.count + 1) * sizeof *ids);
    for (size_t i = 0; i < s->ids.count; i++)
        if (s->users[i].count > most) most = s->users[i].count;
    /* No file of as many records as there are ranks: none can be shared, however many ranks the inputs claim. */
    if (s->uncounted || m->processes < (m->world ? 1 : 2) || most < (uint64_t)m->processes) return ids;
    for (int64_t rank = 0; rank < m->processes; rank++) marks += iol__merge_mark(rank);
    for (size_t i = 0; ids && i < s->ids.count; i++)
        if (used_by_all(m, &s->users[i], marks)) ids[(*count)++] = s->ids.keys[i];
    if (ids) qsort(ids, *count, sizeof *ids, by_id);
    return ids;
}

static bool add_servers(combined *c, const iol_record *record) {
    if (record->n_servers > c->n_servers) {
        int64_t *grown = realloc(c->servers, record->n_servers * sizeof *grown);
        if (!grown) return false;
        memset(grown + c->n_servers, 0, (record->n_servers - c->n_servers) * sizeof *grown);
        c->servers = grown;
        c->n_servers = record->n_servers;
    }
    for (size_t i = 0; i < record->n_servers; i++)
        c->servers[i] = (int64_t)((uint64_t)c->servers[i] + (uint64_t)record->servers[i]);
    return true;
}

static bool merge_write_add_to(combined *c, const iol_record *record) {
    if (c->aggregate.records == 0) {
        c->owner = record->owner;
        if (record->pool_uuid) {
            memcpy(c->uuids, record->pool_uuid, 16);
            memcpy(c->uuids + 16, record->container_uuid, 16);
        }
        c->oid[0] = record->oid_high;
        c->oid[1] = record->oid_low;
    }
    iol__aggregate_add(&c->aggregate, record->id, record->rank, record->ints, record->reals);
    return add_servers(c, record);
}

static iol_status write_merge_combined(const merger *m, iol_writer *writer, int slot, const combined *c) {
    iol_record record = {.slot = slot,
                         .id = c->id,
                         .rank = -1,
                         .ints = c->aggregate.ints,
                         .reals = c->aggregate.reals,
                         .n_ints = iol__modules[slot].ints,
                         .n_reals = iol__modules[slot].reals,
                         .owner = c->owner,
                         .pool_uuid = c->uuids,
                         .container_uuid = c->uuids + 16,
                         .oid_high = c->oid[0],
                         .oid_low = c->oid[1],
                         .servers = c->servers,
                         .n_servers = c->n_servers};
    return iol__merge_put(m, writer, &record);
}

/* One pass over the module for a part of its shared files: `ids` of them, ascending. */
static iol_status combine_some(merger *m, iol_writer *writer, int slot, const uint64_t *ids, size_t count) {
    combined *all = calloc(count, sizeof *all);
    iol_records *records;
    const iol_record *record;
    if (!all) return iol__merge_out_of_memory(m);
    iol_status status = iol_records_open(m->spools[slot].log, slot, &records);
    for (size_t i = 0; i < count; i++) {
        all[i].id = ids[i];
        iol__aggregate_start(&all[i].aggregate, slot, IOL_RULES_SHARED);
    }
    while (status == IOL_OK && iol_records_next(records, &record) == IOL_OK) {
        const uint64_t *at = bsearch(&record->id, ids, count, sizeof *ids, by_id);
        if (at && !merge_write_add_to(&all[at - ids], record)) status = iol__merge_out_of_memory(m);
    }
    for (size_t i = 0; i < count; i++) {
        if (status == IOL_OK) status = write_merge_combined(m, writer, slot, &all[i]);
        free(all[i].servers);
    }
    iol_records_close(records);
    free(all);
    return status;
}

/* LUSTRE: all ranks see the same stripes. BG/Q: all see the same machine, but for the I/O node, of which the
   different ones are counted. The first record stands for all. */
static iol_status write_firsts(merger *m, iol_writer *writer, int slot, const uint64_t *ids, size_t count) {
    bool *done = calloc(count + 1, sizeof *done);
    iol__idmap nodes = {0};
    iol_records *records;
    const iol_record *record;
    if (!done) return iol__merge_out_of_memory(m);
    iol_status status = iol_records_open(m->spools[slot].log, slot, &records);
    while (slot == IOL_SLOT_BGQ && status == IOL_OK && iol_records_next(records, &record) == IOL_OK)
        if (bsearch(&record->id, ids, count, sizeof *ids, by_id))
            iol__idmap_add(&nodes, (uint64_t)record->ints[IOL_BGQ_INODES]);
    if (slot == IOL_SLOT_BGQ) {
        iol_records_close(records);
        status = iol_records_open(m->spools[slot].log, slot, &records);
    }
    while (status == IOL_OK && iol_records_next(records, &record) == IOL_OK) {
        const uint64_t *at = bsearch(&record->id, ids, count, sizeof *ids, by_id);
        if (!at || done[at - ids]) continue;
        done[at - ids] = true;
        iol_record first = *record;
        int64_t ints[IOL_BGQ_INTS];
        first.rank = -1;
        if (slot == IOL_SLOT_BGQ) {
            memcpy(ints, record->ints, sizeof ints);
            if (ints[IOL_BGQ_INODES] != -1) ints[IOL_BGQ_INODES] = (int64_t)nodes.count;
            first.ints = ints;
        }
        status = iol_writer_record(writer, &first);
    }
    iol_records_close(records);
    iol__idmap_free(&nodes);
    free(done);
    return status;
}

static iol_status write_shared(merger *m, iol_writer *writer, int slot, const uint64_t *ids, size_t count) {
    if (slot == IOL_SLOT_LUSTRE || slot == IOL_SLOT_BGQ) return write_firsts(m, writer, slot, ids, count);
    iol_status status = IOL_OK;
    for (size_t from = 0; status == IOL_OK && from < count; from += AT_ONCE)
        status = combine_some(m, writer, slot, ids + from, count - from < AT_ONCE ? count - from : AT_ONCE);
    return status;
}

/* Write: all other records ---------------------------------------------------------------------------------------- */

enum { HEATMAP_BINS = 200 };

/* All heat maps of a log have one width and one number of bins. Those of a run reach to its end. */
static size_t agree_heatmaps(merger *m) {
    if (m->heatmap_width <= 0) return 0;
    if (m->n_people && m->run_time > m->heatmap_end && m->run_time < 1e9) m->heatmap_end = m->run_time;
    while (m->heatmap_end / m->heatmap_width > HEATMAP_BINS) m->heatmap_width *= 2;
    double bins = ceil(m->heatmap_end / m->heatmap_width - 1e-9);
    return bins < 1 ? 1 : (size_t)bins;
}

typedef struct merge_bins {
    int64_t written[HEATMAP_BINS], read[HEATMAP_BINS];
} merge_bins;

static void add_heatmap(const merger *m, const iol_heatmap *map, size_t bins, double shift, merge_bins *sum) {
    for (size_t i = 0; i < map->bins; i++) {
        double middle = ((double)i + 0.5) * map->bin_width + shift;
        double place = middle / m->heatmap_width;
        size_t to = place < 0 ? 0 : place < (double)bins ? (size_t)place : bins - 1;
        sum->written[to] = (int64_t)((uint64_t)sum->written[to] + (uint64_t)map->written[i]);
        sum->read[to] = (int64_t)((uint64_t)sum->read[to] + (uint64_t)map->read[i]);
    }
}

static iol_status put_heatmap(const merger *m, iol_writer *writer, iol_record record, size_t bins,
                              const merge_bins *sum) {
    record.heatmap = (iol_heatmap){m->heatmap_width, bins, sum->written, sum->read};
    return iol_writer_record(writer, &record);
}

static bool can_be_fitted(const iol_heatmap *map, size_t bins) {
    return bins > 0 && bins <= HEATMAP_BINS && iol__merge_heatmap_sane(map);
}

static iol_status write_heatmap(merger *m, iol_writer *writer, const iol_record *record, size_t bins, double shift) {
    merge_bins sum = {{0}, {0}};
    if (!can_be_fitted(&record->heatmap, bins)) return iol_writer_record(writer, record);
    add_heatmap(m, &record->heatmap, bins, shift, &sum);
    return put_heatmap(m, writer, *record, bins, &sum);
}

/* The map of a rank that went on after MPI_Finalize, which has two. */
typedef struct late_map {
    iol_record record;
    merge_bins sum;
    bool any;
} late_map;

static iol_status write_late_maps(merger *m, iol_writer *writer) {
    const spool *s = &m->spools[IOL_SLOT_HEATMAP];
    const size_t bins = agree_heatmaps(m);
    late_map *maps = calloc(s->late.count, sizeof *maps);
    iol_records *records = NULL;
    const iol_record *record;
    iol_status status = maps ? iol_records_open(s->log, IOL_SLOT_HEATMAP, &records) : iol__merge_out_of_memory(m);
    s->log->uneven_heatmaps = true;
    for (size_t i = 0; status == IOL_OK && iol_records_next(records, &record) == IOL_OK; i++) {
        const double shift = i < m->n_heatmaps ? m->heatmap_shifts[i] : 0;
        const size_t at = iol__idmap_find(&s->late, iol__merge_late_key(record));
        if (at == IOL_IDMAP_NONE || !can_be_fitted(&record->heatmap, bins)) {
            status = write_heatmap(m, writer, record, bins, shift);
            continue;
        }
        if (!maps[at].any) maps[at].record = *record;
        maps[at].any = true;
        add_heatmap(m, &record->heatmap, bins, shift, &maps[at].sum);
    }
    for (size_t i = 0; maps && i < s->late.count; i++)
        if (status == IOL_OK && maps[i].any) status = put_heatmap(m, writer, maps[i].record, bins, &maps[i].sum);
    iol_records_close(records);
    free(maps);
    return status;
}

typedef struct variance {
    double n, mean, squares;
} variance;

static void add_merge_value(variance *v, double x) {
    double before = v->mean;
    v->n += 1;
    v->mean += (x - before) / v->n;
    v->squares += (x - v->mean) * (x - before);
}

static double merge_write_variance_of(const variance *v) { return v->n > 0 ? v->squares / v->n : 0; }

/* The header of APMPI says how the ranks differ; with more ranks together that is another number. */
static iol_status apmpi_variances(merger *m, double *comm, double *sync) {
    variance c = {0}, s = {0};
    iol_records *records;
    const iol_record *record;
    iol_status status = iol_records_open(m->spools[IOL_SLOT_APMPI].log, IOL_SLOT_APMPI, &records);
    if (status != IOL_OK) return status;
    while (iol_records_next(records, &record) == IOL_OK) {
        if (record->header) continue;
        add_merge_value(&c, record->reals[IOL_MPI_TOTAL_COMM_TIME]);
        add_merge_value(&s, record->reals[IOL_MPI_TOTAL_COMM_SYNC_TIME]);
    }
    iol_records_close(records);
    *comm = merge_write_variance_of(&c);
    *sync = merge_write_variance_of(&s);
    return IOL_OK;
}

/* All but those of some files, ids ascending. */
static iol_status write_rest(merger *m, iol_writer *writer, int slot, const uint64_t *done, size_t count) {
    iol_records *records, *ahead = NULL;
    const iol_record *record;
    iol_log *log = m->spools[slot].log;
    iol_status status = iol_records_open(log, slot, &records);
    if (status == IOL_OK && iol__modules[slot].form == IOL_FORM_TRACE) status = iol_records_open(log, slot, &ahead);
    size_t bins = slot == IOL_SLOT_HEATMAP ? agree_heatmaps(m) : 0;
    log->uneven_heatmaps = true; /* they are made even here, and no bin may be lost before */
    bool cut;
    double last = 0;
    size_t map = 0; /* they come as they were spooled */
    while (status == IOL_OK && iol_records_next(records, &record) == IOL_OK) {
        if (count && bsearch(&record->id, done, count, sizeof *done, by_id)) continue;
        if (ahead)
            status = iol__rewrite_trace(records, ahead, record, writer, 0, &last, &cut);
        else if (slot == IOL_SLOT_HEATMAP)
            status = write_heatmap(m, writer, record, bins, map < m->n_heatmaps ? m->heatmap_shifts[map++] : 0);
        else if (record->header && slot == IOL_SLOT_APMPI) {
            iol_record header = *record;
            status = apmpi_variances(m, &header.comm_variance, &header.sync_variance);
            if (status == IOL_OK) status = iol_writer_record(writer, &header);
        } else
            status = iol__merge_put(m, writer, record);
    }
    iol_records_close(records);
    iol_records_close(ahead);
    return status;
}

/* Files with records of ranks that went on after MPI_Finalize, behind the ids of shared ones; NULL without memory. */
static uint64_t *add_late_ids(const merger *m, int slot, uint64_t *shared, size_t count, size_t *late) {
    const iol__idmap *all = &m->spools[slot].late;
    const bool fits = slot == IOL_SLOT_LUSTRE || iol__aggregate_possible(slot);
    *late = 0;
    if (!fits || all->count == 0) return shared;
    uint64_t *ids = realloc(shared, (count + all->count + 1) * sizeof *ids);
    if (!ids) {
        free(shared);
        return NULL;
    }
    for (size_t i = 0; i < all->count; i++)
        if (!bsearch(&all->keys[i], ids, count, sizeof *ids, by_id)) ids[count + (*late)++] = all->keys[i];
    qsort(ids + count, *late, sizeof *ids, by_id);
    return ids;
}

static iol_status write_merge_module(merger *m, iol_writer *writer, int slot) {
    spool *s = &m->spools[slot];
    if (!s->log && !s->partial) return IOL_OK;
    iol_status status = iol_writer_module(writer, slot, s->partial);
    if (status != IOL_OK || !s->log) return status;
    if (slot == IOL_SLOT_HEATMAP && s->late.count) return write_late_maps(m, writer);
    size_t count, late;
    uint64_t *ids = shared_ids(m, s, &count);
    if (ids) ids = add_late_ids(m, slot, ids, count, &late);
    if (!ids) return iol__merge_out_of_memory(m);
    if (count) status = write_shared(m, writer, slot, ids, count);
    if (status == IOL_OK && late) status = iol__merge_write_late(m, writer, slot, ids + count, late);
    if (late) qsort(ids, count + late, sizeof *ids, by_id);
    if (status == IOL_OK) status = write_rest(m, writer, slot, ids, count + late);
    free(ids);
    return status == IOL_OK ? iol__merge_system_error(m, s->log) : status;
}

/* Write: the log -------------------------------------------------------------------------------------------------- */

/* Killed processes have no end; the job lasted at least as long as anything in it. A caller who gives the end may count
   in whole seconds. */
static void set_merge_end(const merger *m, iol_job *job) {
    double last = (double)job->start_nanoseconds / 1e9 + m->last;
    int64_t seconds = m->last < 1e12 ? (int64_t)((uint64_t)job->start_seconds + (uint64_t)(int64_t)last) : 0;
    int64_t nanoseconds = (int64_t)((last - floor(last)) * 1e9);
    const bool given = m->merge->end_seconds > 0;
    job->end_seconds = given ? m->merge->end_seconds : m->whole.end;
    job->end_nanoseconds = given ? m->merge->end_nanoseconds : m->whole.end_ns;
    const bool later =
        (seconds > job->end_seconds && !given) || (seconds == job->end_seconds && nanoseconds > job->end_nanoseconds);
    if (!later || !(given || m->unfinished)) return;
    job->end_seconds = seconds;
    job->end_nanoseconds = nanoseconds;
}

/* Who, what and when. */
static iol_job merge_write_job_of(merger *m) {
    iol_job job = {.uid = (int64_t)getuid()};
    if (m->first)
        job = m->first->job;
    else if (m->merge->job)
        job = *m->merge->job;
    const char *command = m->merge->command && !m->world ? m->merge->command : iol__merge_command(m);
    if (command && !m->completes) job.exe = command;
    job.start_seconds = m->whole.start;
    job.start_nanoseconds = m->whole.start_ns;
    job.processes = m->processes;
    set_merge_end(m, &job);
    m->run_time = ((double)job.end_seconds - (double)job.start_seconds) +
                  ((double)job.end_nanoseconds - (double)job.start_nanoseconds) / 1e9;
    return job;
}

/* Which logs belong together is written again. */
static bool merge_write_is_ours(const char *key) {
    return strcmp(key, IOL_KEY_WORLD) == 0 || strcmp(key, IOL_KEY_MISSING) == 0 || strcmp(key, IOL_KEY_OFFSET) == 0 ||
           strncmp(key, IOL_KEY_LINKED, sizeof IOL_KEY_LINKED - 1) == 0;
}

static size_t put_merge_line(char *text, size_t room, const char *key, const char *value) {
    int n = snprintf(text, room, "%s=%s\n", key, value);
    if (n >= 0 && (size_t)n < room) return (size_t)n;
    text[0] = 0;
    return 0;
}

/* What there is to say of this log, then as much as fits of what was said by an input or the caller. */
static void compose_metadata(const merger *m, char *text, size_t room) {
    char own[OWN], world[24], offset[32];
    size_t length = 0, at = 0;
    const char *key, *value;
    own[0] = 0;
    snprintf(world, sizeof world, "%llx", (unsigned long long)m->world);
    if (m->world) length += put_merge_line(own, sizeof own, IOL_KEY_WORLD, world);
    if (m->origin) length += put_merge_line(own + length, sizeof own - length, "prev_ver", m->origin->version);
    if (m->n_missing) length += put_merge_line(own + length, sizeof own - length, IOL_KEY_MISSING, m->missing);
    const int64_t start = iol__merge_instant(m->whole.start, m->whole.start_ns, 0);
    snprintf(offset, sizeof offset, "%.6f", (double)(start - m->whole.run_zero) * 1e-9);
    if (m->world && m->whole.run_zero > 0 && start >= m->whole.run_zero)
        length += put_merge_line(own + length, sizeof own - length, IOL_KEY_OFFSET, offset);
    for (size_t i = 0; m->links && m->links[i]; i++) {
        char name[32] = IOL_KEY_LINKED;
        if (i) snprintf(name, sizeof name, IOL_KEY_LINKED "_%zu", i + 1);
        length += put_merge_line(own + length, sizeof own - length, name, m->links[i]);
    }
    text[0] = 0;
    for (size_t i = 0; m->first && iol_log_metadata(m->first, i, &key, &value) == IOL_OK; i++)
        if (!merge_write_is_ours(key) && !(m->origin && strcmp(key, "prev_ver") == 0))
            at += put_merge_line(text + at, room - length - at, key, value);
    if (!at && m->merge->metadata) at = (size_t)snprintf(text, room - length, "%s", m->merge->metadata);
    if (at < room - length) memcpy(text + at, own, length + 1);
}

static iol_status write_merge_job(merger *m, iol_writer *writer) {
    const iol_log *mounted = m->mounted ? m->mounted : m->first;
    size_t count = mounted ? mounted->n_mounts : 0;
    char metadata[METADATA];
    iol_job job = merge_write_job_of(m);
    compose_metadata(m, metadata, sizeof metadata);
    /* Without records nobody asks on which mount a file was. */
    if (count == 0 && m->merge->mounts && m->n_inputs) {
        const char *const *pairs = NULL;
        const size_t n_pairs = m->merge->mounts(m->merge->context, &pairs);
        return iol_writer_job(writer, &job, metadata, pairs, n_pairs);
    }
    const char **mounts = calloc(2 * count + 1, sizeof *mounts);
    if (!mounts) return iol__merge_out_of_memory(m);
    for (size_t i = 0; i < count; i++) {
        mounts[2 * i] = mounted->mounts[i].point;
        mounts[2 * i + 1] = mounted->mounts[i].type;
    }
    iol_status status = iol_writer_job(writer, &job, metadata, mounts, count);
    free(mounts);
    return status;
}

static bool write_name(void *writer, uint64_t id, const char *name, size_t length) {
    (void)length;
    return iol_writer_name(writer, id, name) == IOL_OK;
}

iol_status iol__merge_write(merger *m, iol_writer *writer) {
    m->round_times = may_round(m);
    iol_status status = write_merge_job(m, writer);
    if (status == IOL_OK && m->name_log && iol__names_each(m->name_log, write_name, writer) != IOL_OK)
        status = IOL_SYSTEM;
    for (int slot = 1; status == IOL_OK && slot < IOL_SLOTS_KNOWN; slot++) {
        status = write_merge_module(m, writer, slot);
        iol__merge_progress(m, 0.7 + 0.3 * slot / IOL_SLOTS_KNOWN);
    }
    for (size_t i = 0; status == IOL_OK && i < m->n_sections; i++)
        status = iol_writer_trailer(writer, m->sections[i].tag, m->sections[i].bytes, m->sections[i].length);
    if (status == IOL_OK) status = iol__cuts_write(writer, m->cuts);
    return status == IOL_OK ? iol__merge_write_processes(m, writer) : status;
}
