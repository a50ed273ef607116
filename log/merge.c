/* Merging in three steps, with memory that grows with the number of inputs and files, not with their records:
     survey   open each input once for its job record: who is which rank, when did the job start and end
     gather   read each input once, in order of rank, and spool its records by module into nameless logs, with ranks
              and times of the merged job; count which files every rank has
     write    names, then module by module: shared files combined, all other records as they are (merge_write.c) */
#include "log/merge.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log/merge_internal.h"
#include "record/hash.h"
#include "record/reduce.h"

enum { TRAILER_MOST = 64 << 20, CONFLICTS_TOLD = 10 };

static void complain(merger *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void complain(merger *m, const char *format, ...) {
    char message[600];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    if (m->merge->complain) m->merge->complain(m->merge->context, message);
}

iol_status iol__merge_out_of_memory(merger *m) {
    return iol__error_set(m->error, IOL_SYSTEM, "merge", IOL_NO_OFFSET, "out of memory");
}

void iol__merge_progress(merger *m, double fraction) {
    if (m->merge->progress) m->merge->progress(m->merge->context, fraction);
}

/* Survey ---------------------------------------------------------------------------------------------------------- */

static int by_start(const void *a, const void *b) {
    const merge_input *x = a, *y = b;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    if (x->start_ns != y->start_ns) return x->start_ns < y->start_ns ? -1 : 1;
    return x->number < y->number ? -1 : 1;
}

/* Ranks of one job stand together and in order, so that records are combined in the order of their ranks. */
static int by_rank(const void *a, const void *b) {
    const merge_input *x = a, *y = b;
    if (x->job_id != y->job_id) return x->job_id < y->job_id ? -1 : 1;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    return by_start(a, b);
}

/* The rank of the first record that has one; 0 if none does. */
static int64_t rank_of(iol_log *log) {
    for (int slot = 1; slot < IOL_SLOTS_KNOWN; slot++) {
        iol_records *records;
        const iol_record *record;
        if (log->modules[slot].length == 0 || iol_records_open(log, slot, &records) != IOL_OK) continue;
        int64_t rank = iol_records_next(records, &record) == IOL_OK ? record->rank : -1;
        iol_records_close(records);
        if (rank >= 0) return rank;
    }
    return 0;
}

static bool earlier(int64_t s1, int64_t ns1, int64_t s2, int64_t ns2) { return s1 < s2 || (s1 == s2 && ns1 < ns2); }

static void note_times(merger *m, const merge_input *in) {
    merge_input *whole = &m->whole;
    if (in->end == 0) m->unfinished = true;
    if (!m->timed || earlier(in->start, in->start_ns, whole->start, whole->start_ns)) {
        whole->start = in->start;
        whole->start_ns = in->start_ns;
    }
    m->timed = true;
    if (earlier(whole->end, whole->end_ns, in->end, in->end_ns)) {
        whole->end = in->end;
        whole->end_ns = in->end_ns;
    }
}

/* Thread identities in any input stay in the output. */
static void note_versions(merger *m, const iol_log *log) {
    iol_write_options found = {0};
    iol__rewrite_versions(log, &found);
    if (found.dxt_posix) m->options.dxt_posix = found.dxt_posix;
    if (found.dxt_mpiio) m->options.dxt_mpiio = found.dxt_mpiio;
}

/* An input that cannot be read. */
static iol_status refuse(merger *m, const iol_error *error) {
    m->merge->damaged++;
    if (m->merge->strict) {
        *m->error = *error;
        return error->status;
    }
    complain(m, "%s", error->message);
    return IOL_OK;
}

/* False if the input is not to be merged. */
static bool wanted(merger *m, const merge_input *in) {
    const iol__merge *merge = m->merge;
    if (!merge->one_job || (!in->unknown && in->job_id == merge->job_id)) return true;
    if (in->unknown) {
        complain(m, "%s: the job record is damaged, so its job is not known; left out", merge->inputs[in->number]);
        m->merge->damaged++;
    } else {
        m->merge->skipped++;
    }
    return false;
}

static iol_status survey_input(merger *m, size_t number) {
    iol_log *log;
    iol_error error;
    if (iol_log_open(m->merge->inputs[number], &log, &error) != IOL_OK) return refuse(m, &error);
    const iol_job *job = iol_log_job(log);
    merge_input in = {.number = number,
                      .start = job->start_seconds,
                      .start_ns = job->start_nanoseconds,
                      .end = job->end_seconds,
                      .end_ns = job->end_nanoseconds,
                      .processes = job->processes < INT32_MAX ? job->processes : INT32_MAX,
                      .job_id = job->job_id,
                      .unknown = log->info.job_damaged};
    bool keep = wanted(m, &in);
    if (keep) {
        if (in.processes > 1 || in.unknown) in.rank = rank_of(log);
        note_versions(m, log);
        if (!in.unknown) note_times(m, &in);
        if (!iol__source_regular(log->source)) in.log = log;
        m->inputs[m->n_inputs++] = in;
    }
    if (!in.log) iol_log_close(log);
    return IOL_OK;
}

/* Inputs whose job record is damaged are taken for more of the first one that is sound. */
static void adopt_unknown(merger *m) {
    const merge_input *sound = NULL;
    for (size_t i = 0; i < m->n_inputs && !sound; i++)
        if (!m->inputs[i].unknown) sound = &m->inputs[i];
    for (size_t i = 0; sound && i < m->n_inputs; i++) {
        merge_input *in = &m->inputs[i];
        if (!in->unknown) continue;
        in->job_id = sound->job_id;
        in->processes = sound->processes;
        in->start = m->whole.start;
        in->start_ns = m->whole.start_ns;
    }
}

static iol_status survey(merger *m) {
    iol__merge *merge = m->merge;
    iol_status status = IOL_OK;
    m->inputs = calloc(merge->n_inputs + 1, sizeof *m->inputs);
    if (!m->inputs) return iol__merge_out_of_memory(m);
    for (size_t i = 0; status == IOL_OK && i < merge->n_inputs; i++) {
        status = survey_input(m, i);
        iol__merge_progress(m, 0.1 * (double)(i + 1) / (double)merge->n_inputs);
    }
    if (status != IOL_OK) return status;
    adopt_unknown(m);
    if (m->n_inputs) return IOL_OK;
    if (merge->skipped)
        return iol__error_set(m->error, IOL_NOT_A_LOG, "merge", IOL_NO_OFFSET,
                              "no input is of job %lld; %zu are of others", (long long)merge->job_id, merge->skipped);
    return iol__error_set(m->error, IOL_NOT_A_LOG, "merge", IOL_NO_OFFSET, "no input could be used");
}

/* Ranks: single processes are numbered in order of their start; the ranks of an MPI job stay, behind those of jobs
   before it. */
static void assign_ranks(merger *m) {
    bool mpi = false;
    for (size_t i = 0; i < m->n_inputs; i++) mpi = mpi || m->inputs[i].processes > 1;
    qsort(m->inputs, m->n_inputs, sizeof *m->inputs, mpi ? by_rank : by_start);
    for (size_t from = 0, to; from < m->n_inputs; from = to) {
        int64_t largest = 1;
        for (to = from; to < m->n_inputs && m->inputs[to].job_id == m->inputs[from].job_id; to++)
            if (m->inputs[to].processes > largest) largest = m->inputs[to].processes;
        bool single = largest == 1 && m->n_inputs > 1;
        for (size_t i = from; i < to; i++) {
            merge_input *in = &m->inputs[i];
            in->single = single;
            in->first_rank = single ? m->processes++ : m->processes;
            if (single)
                in->shift = ((double)in->start - (double)m->whole.start) +
                            ((double)in->start_ns - (double)m->whole.start_ns) / 1e9;
        }
        if (!single) m->processes += largest;
    }
    iol__merge_reduce wish = m->merge->reduce;
    m->reduce = m->n_inputs > 1 && (wish == IOL_MERGE_REDUCE || (wish == IOL_MERGE_AUTO && mpi));
}

/* Gather: changes to a record ------------------------------------------------------------------------------------- */

/* Room for a record whose counters change. */
typedef struct changed {
    iol_record record;
    int64_t ints[IOL_MAX_INTS];
    double reals[IOL_MAX_REALS];
} changed;

static bool is_timestamp(const iol__counter *counter) { return strcmp(counter->unit, "s since job start") == 0; }

static void shift_times(const iol__counter *counters, changed *c, double shift, double *last) {
    for (unsigned i = 0; i < c->record.n_reals; i++) {
        if (!(c->reals[i] > 0) || !is_timestamp(&counters[i])) continue;
        c->reals[i] += shift;
        if (c->reals[i] > *last && isfinite(c->reals[i])) *last = c->reals[i];
    }
}

/* Fastest, slowest and variance have a meaning in records of all ranks only. */
static void clear_extremes(changed *c) {
    const iol__roles *roles = iol__modules[c->record.slot].roles;
    if (!roles->traffic) return;
    c->ints[roles->fastest_rank] = c->ints[roles->fastest_bytes] = 0;
    c->ints[roles->slowest_rank] = c->ints[roles->slowest_bytes] = 0;
    c->reals[roles->fastest_time] = c->reals[roles->slowest_time] = 0;
    if (roles->variance_time >= 0) c->reals[roles->variance_time] = c->reals[roles->variance_bytes] = 0;
}

static void change(merger *m, const merge_input *in, const iol_record *record, changed *c) {
    const iol__module *module = &iol__modules[record->slot];
    c->record = *record;
    if (record->ints) {
        memcpy(c->ints, record->ints, record->n_ints * sizeof *c->ints);
        memcpy(c->reals, record->reals, record->n_reals * sizeof *c->reals);
        c->record.ints = c->ints;
        c->record.reals = c->reals;
        shift_times(module->counters + module->ints, c, in->shift, &m->last);
    }
    if (in->single) {
        c->record.rank = in->first_rank;
        if (record->rank < 0 && record->ints) clear_extremes(c);
    } else if (record->rank >= 0) {
        c->record.rank = (int64_t)((uint64_t)record->rank + (uint64_t)in->first_rank);
    }
}

/* Gather: into the spools ----------------------------------------------------------------------------------------- */

uint64_t iol__merge_mark(int64_t rank) {
    uint64_t x = ((uint64_t)rank + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* False without memory. Past what the input justifies nothing is counted any more, and nothing combined. */
static bool count_user(merger *m, spool *s, const iol_record *record) {
    size_t known = s->ids.count;
    if (s->uncounted) return true;
    if (iol__idmap_find(&s->ids, record->id) == IOL_IDMAP_NONE &&
        !iol__budget_take(m->gathering, IOL_IDMAP_COST + sizeof(users) * 3 / 2)) {
        s->uncounted = true;
        iol__fail(m->gathering, IOL_LIMIT, record->slot, IOL_NO_OFFSET,
                  "more files than a log of this size can justify; the ranks' records are not combined");
        return true;
    }
    size_t number = iol__idmap_add(&s->ids, record->id);
    if (number == IOL_IDMAP_NONE) return false;
    if (number == s->room) {
        size_t room = s->room ? s->room + s->room / 2 : 256;
        users *grown = realloc(s->users, room * sizeof *grown);
        if (!grown) return false;
        s->users = grown;
        s->room = room;
    }
    if (number == known) s->users[number] = (users){0};
    users *u = &s->users[number];
    if (record->rank < 0) u->combined = true;
    u->count++;
    u->marks += iol__merge_mark(record->rank);
    return true;
}

static bool reducible(int slot) {
    return iol__aggregate_possible(slot) || slot == IOL_SLOT_LUSTRE || slot == IOL_SLOT_BGQ;
}

static iol_status begin_spool(merger *m, int slot) {
    spool *s = &m->spools[slot];
    if (s->begun) return IOL_OK;
    s->begun = true;
    iol_status status = iol__writer_spool(&s->writer, m->error);
    if (status != IOL_OK) return status;
    status = iol_writer_job(s->writer, &(iol_job){.processes = 1}, "", NULL, 0);
    return status == IOL_OK ? iol_writer_module(s->writer, slot, false) : status;
}

bool iol__merge_heatmap_sane(const iol_heatmap *map) { return map->bin_width > 1e-9 && map->bin_width < 1e12; }

static void note_heatmap(merger *m, const merge_input *in, const iol_heatmap *map) {
    double width = map->bin_width;
    if (!iol__merge_heatmap_sane(map)) return;
    if (width > m->heatmap_width) m->heatmap_width = width;
    double end = width * (double)map->bins + in->shift;
    if (end > m->heatmap_end && end < 1e18) m->heatmap_end = end;
}

static iol_status spool_record(merger *m, const merge_input *in, iol_records *records, iol_records *ahead,
                               const iol_record *record, bool *cut) {
    changed c;
    spool *s = &m->spools[record->slot];
    if (record->header && s->begun) return IOL_OK; /* one is enough */
    iol_status status = begin_spool(m, record->slot);
    if (status != IOL_OK) return status;
    change(m, in, record, &c);
    if (m->reduce && reducible(record->slot) && !count_user(m, s, &c.record)) return iol__merge_out_of_memory(m);
    if (record->slot == IOL_SLOT_HEATMAP) note_heatmap(m, in, &record->heatmap);
    status = ahead ? iol__rewrite_trace(records, ahead, &c.record, s->writer, in->shift, &m->last, cut)
                   : iol_writer_record(s->writer, &c.record);
    if (status != IOL_OK && m->error->status == IOL_OK) *m->error = *iol_writer_error(s->writer);
    return status;
}

static iol_status spool_module(merger *m, const merge_input *in, iol_log *log, int slot) {
    iol_records *records, *ahead = NULL;
    spool *s = &m->spools[slot];
    if (iol_records_open(log, slot, &records) != IOL_OK) {
        s->partial = true;
        return IOL_OK;
    }
    iol_status status = IOL_OK, read = IOL_OK;
    if (iol__modules[slot].form == IOL_FORM_TRACE) status = iol_records_open(log, slot, &ahead);
    const iol_record *record;
    bool cut = false;
    while (status == IOL_OK && !cut && (read = iol_records_next(records, &record)) == IOL_OK)
        status = spool_record(m, in, records, ahead, record, &cut);
    s->partial = s->partial || cut || read != IOL_END;
    iol_records_close(records);
    iol_records_close(ahead);
    return status;
}

/* Names are spooled once an id; what a name was is remembered by a hash, to tell when two logs disagree. */
static bool spool_name(void *context, uint64_t id, const char *name, size_t length) {
    merger *m = context;
    uint64_t whole_hash = iol_name_id(name, length);
    uint32_t hash = (uint32_t)whole_hash;
    size_t known = m->names.count;
    /* As in names.c: an id that is the hash of its name takes its place in the file. */
    if (whole_hash != id && iol__idmap_find(&m->names, id) == IOL_IDMAP_NONE &&
        !iol__budget_take(m->gathering, IOL_IDMAP_COST + 2 * sizeof *m->name_hashes)) {
        iol__fail(m->gathering, IOL_LIMIT, -1, m->gathering->name_offset,
                  "more names than a log of this size can justify; the rest is left out");
        return false;
    }
    size_t number = iol__idmap_add(&m->names, id);
    if (number == IOL_IDMAP_NONE) return false;
    if (number == m->name_room) {
        size_t room = m->name_room ? m->name_room + m->name_room / 2 : 256;
        uint32_t *grown = realloc(m->name_hashes, room * sizeof *grown);
        if (!grown) return false;
        m->name_hashes = grown;
        m->name_room = room;
    }
    uint32_t empty = (uint32_t)iol_name_id("", 0);
    if (number < known) {
        if (m->name_hashes[number] == hash || hash == empty) return true;
        if (m->name_hashes[number] != empty) {
            if (m->conflicts++ < CONFLICTS_TOLD)
                complain(m, "record id %llu has another name in another log; the first is kept",
                         (unsigned long long)id);
            return true;
        }
    }
    m->name_hashes[number] = hash;
    return iol_writer_name(m->name_writer, id, name) == IOL_OK;
}

static iol_status keep_section(merger *m, const char *tag, const void *bytes, size_t length) {
    uint64_t seed;
    memcpy(&seed, tag, 4);
    uint64_t hash = iol__hash(bytes, length, seed & UINT32_MAX);
    if (iol__idmap_find(&m->section_hashes, hash) != IOL_IDMAP_NONE) return IOL_OK;
    if (iol__idmap_add(&m->section_hashes, hash) == IOL_IDMAP_NONE) return iol__merge_out_of_memory(m);
    if (m->n_sections == m->section_room) {
        size_t room = m->section_room ? 2 * m->section_room : 16;
        section *grown = realloc(m->sections, room * sizeof *grown);
        if (!grown) return iol__merge_out_of_memory(m);
        m->sections = grown;
        m->section_room = room;
    }
    section *s = &m->sections[m->n_sections];
    *s = (section){.bytes = malloc(length + 1), .length = length};
    if (!s->bytes) return iol__merge_out_of_memory(m);
    memcpy(s->tag, tag, sizeof s->tag);
    memcpy(s->bytes, bytes, length);
    m->section_bytes += length;
    m->n_sections++;
    return IOL_OK;
}

/* Sections of all inputs, each once. */
static iol_status keep_sections(merger *m, iol_log *log) {
    size_t count = iol_log_trailer_count(log);
    iol_status status = IOL_OK;
    for (size_t i = 0; status == IOL_OK && i < count; i++) {
        char tag[5];
        const void *bytes;
        size_t length;
        if (iol_log_trailer(log, i, tag, &bytes, &length) != IOL_OK) continue;
        if (m->section_bytes + length > TRAILER_MOST) {
            complain(m, "%s: the trailers together are too large; this one is left out", iol_log_info(log)->path);
            break;
        }
        status = keep_section(m, tag, bytes, length);
    }
    return status;
}

static iol_status gather_modules(merger *m, const merge_input *in, iol_log *log) {
    iol_status status = IOL_OK;
    for (int slot = 1; status == IOL_OK && slot < IOL_SLOTS_KNOWN; slot++) {
        if (log->modules[slot].partial) m->spools[slot].partial = true;
        if (log->modules[slot].length) status = spool_module(m, in, log, slot);
    }
    for (int slot = 0; slot < IOL_SLOTS; slot++)
        if (log->modules[slot].length && (slot == IOL_SLOT_NULL || slot >= IOL_SLOTS_KNOWN))
            complain(m, "%s: slot %d has no module that is known; its %llu bytes are left out", log->path, slot,
                     (unsigned long long)log->modules[slot].length);
    return status;
}

/* Say what is wrong with an input; for strict merging that is the end. */
static iol_status tell_errors(merger *m, const iol_log *log) {
    const iol_error *error = iol_log_error(log, 0);
    if (!error) return IOL_OK;
    if (m->merge->strict) return refuse(m, error);
    m->merge->damaged++;
    for (size_t i = 0; (error = iol_log_error(log, i)) != NULL; i++) complain(m, "%s", error->message);
    return IOL_OK;
}

/* The first input with a sound job record speaks for the job. */
static void choose_first(merger *m, const merge_input *in, iol_log *log) {
    bool better = !m->first || (m->first->info.job_damaged && !in->unknown);
    iol_log_close(better ? m->first : log);
    if (better) m->first = log;
}

static iol_status gather_input(merger *m, merge_input *in) {
    iol_log *log = in->log;
    iol_error error;
    in->log = NULL;
    if (!log && iol_log_open(m->merge->inputs[in->number], &log, &error) != IOL_OK) return refuse(m, &error);
    iol_status status = IOL_OK;
    m->gathering = log;
    if (iol__names_each(log, spool_name, m) == IOL_LIMIT && iol_writer_error(m->name_writer)->status != IOL_OK) {
        *m->error = *iol_writer_error(m->name_writer);
        status = m->error->status;
    }
    if (status == IOL_OK) status = gather_modules(m, in, log);
    if (status == IOL_OK) status = keep_sections(m, log);
    if (status == IOL_OK) status = tell_errors(m, log);
    m->merge->used++;
    choose_first(m, in, log);
    return status;
}

static iol_status gather(merger *m) {
    iol_status status = iol__writer_spool(&m->name_writer, m->error);
    if (status == IOL_OK) status = iol_writer_job(m->name_writer, &(iol_job){.processes = 1}, "", NULL, 0);
    for (size_t i = 0; status == IOL_OK && i < m->n_inputs; i++) {
        status = gather_input(m, &m->inputs[i]);
        iol__merge_progress(m, 0.1 + 0.6 * (double)(i + 1) / (double)m->n_inputs);
    }
    if (status == IOL_OK && m->merge->used == 0)
        status = iol__error_set(m->error, IOL_NOT_A_LOG, "merge", IOL_NO_OFFSET, "no input could be used");
    if (status != IOL_OK) return status;
    iol_writer *writer = m->name_writer;
    m->name_writer = NULL;
    status = iol__writer_reread(writer, &m->name_log, m->error);
    for (int slot = 1; status == IOL_OK && slot < IOL_SLOTS_KNOWN; slot++) {
        spool *s = &m->spools[slot];
        if (!s->writer) continue;
        writer = s->writer;
        s->writer = NULL;
        status = iol__writer_reread(writer, &s->log, m->error);
    }
    return status;
}

static void free_merger(merger *m) {
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        spool *s = &m->spools[slot];
        iol_writer_abort(s->writer);
        iol_log_close(s->log);
        iol__idmap_free(&s->ids);
        free(s->users);
    }
    for (size_t i = 0; i < m->n_sections; i++) free(m->sections[i].bytes);
    iol_writer_abort(m->name_writer);
    iol_log_close(m->name_log);
    iol_log_close(m->first);
    iol__idmap_free(&m->names);
    iol__idmap_free(&m->section_hashes);
    for (size_t i = 0; i < m->n_inputs; i++) iol_log_close(m->inputs[i].log);
    free(m->name_hashes);
    free(m->sections);
    free(m->inputs);
    free(m);
}

iol_status iol__merge_logs(iol__merge *merge, const char *output, const iol_write_options *options, iol_error *error) {
    merger *m = calloc(1, sizeof *m);
    *error = (iol_error){.slot = -1, .offset = IOL_NO_OFFSET};
    if (!m) return iol__error_set(error, IOL_SYSTEM, output, IOL_NO_OFFSET, "out of memory");
    m->merge = merge;
    m->error = error;
    m->options = *options;
    iol_writer *writer = NULL;
    iol_status status = survey(m);
    if (status == IOL_OK) {
        assign_ranks(m);
        /* Opened early: a target that cannot be written is told before the work and not after. */
        status = iol_writer_open(output, &m->options, &writer, error);
    }
    if (status == IOL_OK) status = gather(m);
    if (status == IOL_OK) status = iol__merge_write(m, writer);
    if (status == IOL_OK) status = iol_writer_finish(writer);
    if (status == IOL_OK) {
        writer = NULL;
    } else if (writer && error->status == IOL_OK) {
        *error = *iol_writer_error(writer);
        if (error->status == IOL_OK) iol__merge_out_of_memory(m);
    }
    iol_writer_abort(writer);
    free_merger(m);
    return status;
}
