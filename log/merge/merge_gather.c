/* The middle step of merging: each input is read once, and its records go, with the ranks and times of the merged job,
   into one nameless log per module. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/grow.h"
#include "log/merge/merge_internal.h"
#include "log/read/dialect.h"
#include "record/hash.h"
#include "record/reduce.h"
#include "record/removals.h"

enum { TRAILER_MOST = 64 << 20, CONFLICTS_REPORTED = 10 };

/* Changes to a record --------------------------------------------------------------------------------------------- */

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

void iol__merge_clear_extremes(int slot, int64_t *ints, double *reals) {
    const iol__roles *roles = iol__modules[slot].roles;
    if (!roles->traffic) return;
    ints[roles->fastest_rank] = ints[roles->fastest_bytes] = 0;
    ints[roles->slowest_rank] = ints[roles->slowest_bytes] = 0;
    reals[roles->fastest_time] = reals[roles->slowest_time] = 0;
    if (roles->variance_time >= 0) reals[roles->variance_time] = reals[roles->variance_bytes] = 0;
}

static void merge_gather_change(merger *m, const merge_input *in, const iol_record *record, changed *c) {
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
        if (record->rank < 0 && record->ints) iol__merge_clear_extremes(record->slot, c->ints, c->reals);
    } else if (record->rank >= 0) {
        c->record.rank = (int64_t)((uint64_t)record->rank + (uint64_t)in->first_rank);
    }
}

/* Into the spools ------------------------------------------------------------------------------------------------- */

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
    if (m->gathering && iol__idmap_find(&s->ids, record->id) == IOL_IDMAP_NONE &&
        !iol__budget_take(m->gathering, IOL_IDMAP_COST + sizeof(users) * 3 / 2)) {
        s->uncounted = true;
        iol__fail(m->gathering, IOL_LIMIT, record->slot, IOL_NO_OFFSET,
                  "more files than a log of this size can justify; the ranks' records are not combined");
        return true;
    }
    size_t number = iol__idmap_add(&s->ids, record->id);
    if (number == IOL_IDMAP_NONE) return false;
    if (!IOL_GROW(s->users, s->room, number)) return false;
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

/* The maps of running processes have all their bins, most of them for times to come. */
static size_t used_bins(const merge_input *in, const iol_heatmap *map) {
    size_t bins = map->bins;
    if (in->process == MERGE_NO_PROCESS) return bins;
    while (bins > 0 && map->written[bins - 1] == 0 && map->read[bins - 1] == 0) bins--;
    return bins;
}

/* False without memory. */
static bool note_heatmap(merger *m, const merge_input *in, const iol_heatmap *map) {
    double width = map->bin_width;
    if (!IOL_GROW(m->heatmap_shifts, m->heatmap_room, m->n_heatmaps)) return false;
    m->heatmap_shifts[m->n_heatmaps++] = in->shift;
    if (!iol__merge_heatmap_sane(map)) return true;
    if (width > m->heatmap_width) m->heatmap_width = width;
    double end = width * (double)used_bins(in, map) + in->shift;
    if (end > m->heatmap_end && end < 1e18) m->heatmap_end = end;
    return true;
}

/* What must be known of a record before it is spooled. */
static iol_status merge_gather_prepare(merger *m, const merge_input *in, const iol_record *record) {
    iol_status status = begin_spool(m, record->slot);
    if (status != IOL_OK) return status;
    if (m->completes && in->process != MERGE_NO_PROCESS &&
        iol__idmap_add(&m->spools[record->slot].late, iol__merge_late_key(record)) == IOL_IDMAP_NONE)
        return iol__merge_out_of_memory(m);
    if (m->reduce && reducible(record->slot) && !count_user(m, &m->spools[record->slot], record))
        return iol__merge_out_of_memory(m);
    if (record->slot == IOL_SLOT_HEATMAP && !note_heatmap(m, in, &record->heatmap)) return iol__merge_out_of_memory(m);
    return IOL_OK;
}

iol_status iol__merge_spool(merger *m, const merge_input *in, const iol_record *record) {
    iol_status status = merge_gather_prepare(m, in, record);
    if (status != IOL_OK) return status;
    iol_writer *writer = m->spools[record->slot].writer;
    status = iol_writer_record(writer, record);
    if (status != IOL_OK && m->error->status == IOL_OK) *m->error = *iol_writer_error(writer);
    return status;
}

/* Every process has these three; a finished log has those that were used. */
static bool unused_standard(const merger *m, const merge_input *in, const iol_record *record) {
    if (in->process == MERGE_NO_PROCESS || record->slot != IOL_SLOT_STDIO) return false;
    if (record->ints[IOL_STDIO_READS] || record->ints[IOL_STDIO_WRITES]) return false;
    return record->id == m->standard[0] || record->id == m->standard[1] || record->id == m->standard[2];
}

/* A layout that grew has a new record further on. */
static bool replaced(const merge_input *in, const iol_record *record) {
    return in->process != MERGE_NO_PROCESS && record->slot == IOL_SLOT_LUSTRE && record->n_components == 0;
}

static iol_status spool_record(merger *m, const merge_input *in, iol_records *records, iol_records *ahead,
                               const iol_record *record, bool *cut) {
    changed c;
    spool *s = &m->spools[record->slot];
    if (record->header && s->begun) return IOL_OK; /* one is enough */
    if (unused_standard(m, in, record) || replaced(in, record)) return IOL_OK;
    merge_gather_change(m, in, record, &c);
    if (iol__merge_waits(m, in, record->slot)) return iol__merge_keep(m, in, &c.record, records, cut);
    if (!ahead) return iol__merge_spool(m, in, &c.record);
    iol_status status = merge_gather_prepare(m, in, &c.record);
    if (status != IOL_OK) return status;
    status = iol__rewrite_trace(records, ahead, &c.record, s->writer, in->shift, &m->last, cut);
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
    if (iol__modules[slot].form == IOL_FORM_TRACE && !iol__merge_waits(m, in, slot))
        status = iol_records_open(log, slot, &ahead);
    const iol_record *record;
    bool cut = false;
    while (status == IOL_OK && !cut && (read = iol_records_next(records, &record)) == IOL_OK)
        status = spool_record(m, in, records, ahead, record, &cut);
    s->partial = s->partial || cut || read != IOL_END;
    iol_records_close(records);
    iol_records_close(ahead);
    return status;
}

static bool merge_gather_no_memory(merger *m) {
    iol__merge_out_of_memory(m);
    return false;
}

/* What is left of the room of a name that a shorter one took over, in a mapped file (runtime/core/store.c). */
static bool is_name_of_nobody(uint64_t id, const char *name, size_t length) {
    return id == 0 && strspn(name, "-") == length;
}

/* Names are spooled once per id; what a name was is remembered by a hash, to see when two logs disagree. */
static bool spool_name(void *context, uint64_t id, const char *name, size_t length) {
    merger *m = context;
    if (is_name_of_nobody(id, name, length)) return true;
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
    if (number == IOL_IDMAP_NONE) return merge_gather_no_memory(m);
    if (!IOL_GROW(m->name_hashes, m->name_room, number)) return merge_gather_no_memory(m);
    uint32_t empty = (uint32_t)iol_name_id("", 0);
    if (number < known) {
        if (m->name_hashes[number] == hash || hash == empty) return true;
        if (m->name_hashes[number] != empty) {
            if (m->conflicts++ < CONFLICTS_REPORTED)
                iol__merge_complain(m, "record id %llu has another name in another log; the first is kept",
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
    if (!IOL_GROW(m->sections, m->section_room, m->n_sections)) return iol__merge_out_of_memory(m);
    section *s = &m->sections[m->n_sections];
    *s = (section){.bytes = malloc(length + 1), .length = length};
    if (!s->bytes) return iol__merge_out_of_memory(m);
    memcpy(s->tag, tag, sizeof s->tag);
    memcpy(s->bytes, bytes, length);
    m->section_bytes += length;
    m->n_sections++;
    return IOL_OK;
}

static bool has_room_for_section(merger *m, const iol_log *log, size_t length) {
    if (m->section_bytes + length <= TRAILER_MOST) return true;
    iol__merge_complain(m, "%s: the trailers together are too large; this one is left out", iol_log_info(log)->path);
    return false;
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
        if (strcmp(tag, IOL_TAG_PROCESSES) == 0 || strcmp(tag, IOL_TAG_FOLDED) == 0 ||
            strcmp(tag, IOL_TAG_OPERATIONS) == 0 || strcmp(tag, IOL_TAG_LUSTRE) == 0 ||
            strcmp(tag, IOL_TAG_SIZES) == 0 || strcmp(tag, IOL_TAG_REMOVED) == 0 ||
            strcmp(tag, IOL_TAG_REMOVED_NAMES) == 0 || strcmp(tag, IOL_TAG_CUSTOM) == 0 ||
            strcmp(tag, IOL_TAG_CUTS) == 0 || strcmp(tag, IOL_TAG_UNSEEN) == 0 || strcmp(tag, IOL_TAG_OLD_MOUNTS) == 0)
            continue; /* made again */
        if (!has_room_for_section(m, log, length)) break;
        status = keep_section(m, tag, bytes, length);
    }
    return status;
}

static iol_status keep_text_section(merger *m, const iol_log *log, const char *tag, bool good, char *text,
                                    size_t length) {
    iol_status status = good ? IOL_OK : iol__merge_out_of_memory(m);
    if (good && length && has_room_for_section(m, log, length)) status = keep_section(m, tag, text, length);
    free(text);
    return status;
}

/* What logs of 1.x and 2.x, logs made from them and dialects have besides records becomes part of the merged log. */
static iol_status keep_old_sections(merger *m, const merge_input *in, iol_log *log) {
    const iol__old_version *version = iol__old_version_of(log);
    char *text;
    size_t length;
    if (log->facts) return IOL_OK; /* a mapped file of Iolite */
    if (version && (!m->origin || version->knows < m->origin->knows)) m->origin = version;
    bool good = iol__old_rest_text(log, in->first_rank, &text, &length);
    iol_status status = keep_text_section(m, log, IOL_TAG_OLD, good, text, length);
    if (status != IOL_OK) return status;
    good = iol__old_mounts_text(log, true, &text, &length);
    status = keep_text_section(m, log, IOL_TAG_OLD_MOUNTS, good, text, length);
    if (status != IOL_OK) return status;
    good = iol__segment_texts(log, in->first_rank, &text, &length);
    return keep_text_section(m, log, IOL_TAG_SEGMENT_TEXTS, good, text, length);
}

static iol_status gather_modules(merger *m, const merge_input *in, iol_log *log) {
    iol_status status = IOL_OK;
    for (int slot = 1; status == IOL_OK && slot < IOL_SLOTS_KNOWN; slot++) {
        if (log->modules[slot].partial) m->spools[slot].partial = true;
        if (log->modules[slot].length) status = spool_module(m, in, log, slot);
    }
    return status;
}

/* Say what is wrong with an input; for strict merging that is the end. */
static iol_status tell_errors(merger *m, const iol_log *log) {
    const iol_error *error = iol_log_error(log, 0);
    if (!error) return IOL_OK;
    if (m->merge->strict) return iol__merge_refuse(m, error);
    m->merge->damaged++;
    for (size_t i = 0; (error = iol_log_error(log, i)) != NULL; i++) iol__merge_complain(m, "%s", error->message);
    return IOL_OK;
}

/* The one that stands for none, see writer.c, is none. */
static bool has_mounts(const iol_log *log) {
    return log->n_mounts > 1 || (log->n_mounts == 1 && log->mounts[0].point[0] == '/');
}

/* The first input with a sound job record speaks for the job, and the first with mounts for the node. */
static void choose_first(merger *m, const merge_input *in, iol_log *log) {
    bool better = !m->first || (m->first->info.job_damaged && !in->unknown) || (in->seated && !m->first_seated);
    if (better) m->first_seated = in->seated;
    iol_log *other = better ? m->first : log;
    if (better) m->first = log;
    if (other && !m->mounted && !has_mounts(m->first) && has_mounts(other))
        m->mounted = other;
    else
        iol_log_close(other);
}

iol_status iol__merge_open(const iol__input *input, iol_log **log, iol_error *error) {
    char name[400];
    *log = NULL;
    if (input->length == 0 && !input->found) return iol_log_open(input->path, log, error);
    const int fd = iol__input_open(input);
    if (fd < 0) {
        const int failed = errno;
        const char *why = failed == EINVAL ? "not a regular file" : strerror(failed);
        iol__error_set(error, IOL_SYSTEM, input->path, IOL_NO_OFFSET, "cannot open: %s", why);
        errno = failed;
        return IOL_SYSTEM;
    }
    snprintf(name, sizeof name, input->length ? "%s (frame at %llu)" : "%s", input->path,
             (unsigned long long)input->offset);
    uint8_t *bytes = input->unpacked ? iol__input_unpack(input, fd) : NULL;
    iol_status status = bytes ? iol__log_open_owned(bytes, input->unpacked, name, log, error)
                        : input->unpacked
                            ? iol__error_set(error, IOL_DAMAGED, name, IOL_NO_OFFSET, "not a packed frame")
                            : iol__log_open_part(fd, name, input->offset, input->length, log, error);
    close(fd);
    return status;
}

/* Whether ranks may be combined is known of Iolite's own modules; with others they are only if somebody asks for it. */
static bool add_merge_gather_custom(merger *m, const merge_input *in, iol_log *log) {
    const iol__custom_fit fit = {.single = in->single,
                                 .together = m->merge->reduce == IOL_MERGE_REDUCE,
                                 .first_rank = in->first_rank,
                                 .shift = in->shift,
                                 .last = &m->last};
    return iol__custom_read(log, &fit, &m->custom);
}

static iol_status gather_log(merger *m, const merge_input *in, iol_log *log) {
    m->gathering = log;
    if (iol__names_each(log, spool_name, m) == IOL_LIMIT && iol_writer_error(m->name_writer)->status != IOL_OK)
        *m->error = *iol_writer_error(m->name_writer);
    iol_status status = m->error->status;
    if (status == IOL_OK) status = gather_modules(m, in, log);
    if (status == IOL_OK) status = keep_sections(m, log);
    if (status == IOL_OK) status = keep_old_sections(m, in, log);
    if (status == IOL_OK) status = iol__merge_keep_lines(m, in, log);
    iol__folded_add(log, &m->folded);
    iol__unseen_add(log, &m->unseen);
    iol__operations_add(log, &m->operations);
    iol__lustre_add(log, &m->lustre);
    m->cuts |= log->damaged | iol__cuts_of(log);
    if (status == IOL_OK && !(iol__id_pairs_add(log, IOL_PAIRS_SIZES, 0, &m->sizes) &&
                              iol__id_pairs_add(log, IOL_PAIRS_REMOVED, in->shift, &m->removed)))
        status = iol__merge_out_of_memory(m);
    if (status == IOL_OK && !add_merge_gather_custom(m, in, log)) status = iol__merge_out_of_memory(m);
    return status == IOL_OK ? tell_errors(m, log) : status;
}

static iol_status gather_input(merger *m, merge_input *in) {
    iol__input *input = &m->found.all[in->number];
    iol_log *log = in->log;
    iol_error error;
    in->log = NULL;
    if (!log && iol__merge_open(input, &log, &error) != IOL_OK) return iol__merge_refuse_input(m, input, &error);
    iol_status status = gather_log(m, in, log);
    m->used++;
    m->merge->used++;
    input->fate = iol_log_error(log, 0) ? IOL_INPUT_LEFT : IOL_INPUT_USED;
    m->gathering = NULL;
    choose_first(m, in, log);
    return status;
}

static iol_status gather_inputs(merger *m) {
    iol_status status = IOL_OK;
    for (size_t i = 0; status == IOL_OK && i < m->n_inputs; i++) {
        const merge_input *in = &m->inputs[i];
        status = gather_input(m, &m->inputs[i]);
        bool last = i + 1 == m->n_inputs || in[1].first_rank != in->first_rank;
        if (status == IOL_OK && last) status = iol__merge_flush(m, in);
        iol__merge_progress(m, 0.1 + 0.6 * (double)(i + 1) / (double)m->n_inputs);
    }
    return status;
}

static iol_status begin_names(merger *m) {
    iol_status status = iol__writer_spool(&m->name_writer, m->error);
    return status == IOL_OK ? iol_writer_job(m->name_writer, &(iol_job){.processes = 1}, "", NULL, 0) : status;
}

/* Where there are no inputs, there is only a list of processes, and no name. */
iol_status iol__merge_gather(merger *m) {
    iol_status status = m->n_inputs ? begin_names(m) : IOL_OK;
    if (status == IOL_OK) status = gather_inputs(m);
    if (status == IOL_OK && m->used == 0 && m->n_people == 0)
        status = iol__error_set(m->error, IOL_NOT_A_LOG, "merge", IOL_NO_OFFSET, "no input could be used");
    if (status != IOL_OK) return status;
    iol_writer *writer = m->name_writer;
    m->name_writer = NULL;
    if (writer) status = iol__writer_reread(writer, NULL, &m->name_log, m->error);
    for (int slot = 1; status == IOL_OK && slot < IOL_SLOTS_KNOWN; slot++) {
        spool *s = &m->spools[slot];
        if (!s->writer) continue;
        writer = s->writer;
        s->writer = NULL;
        status = iol__writer_reread(writer, NULL, &s->log, m->error);
    }
    return status;
}
