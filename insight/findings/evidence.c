/* Evidence. Records are named by module, file and rank, which is what `iolite dump` takes; their counters are read from
   the log only for those few records that are shown. */
#include "insight/findings/evidence.h"

#include <math.h>
#include <string.h>

#include "base/count.h"
#include "insight/language/rule_eval.h"

enum { SHOWN_RECORDS = 3, MOST_FILES_READ_AGAIN = 200000 };

static iol__evidence *next_entry(iol__case *job, iol__finding *f) {
    iol__evidence *list = iol__arena_grow(&job->arena, (void *)(uintptr_t)f->evidence, f->n_evidence, sizeof *list);
    f->evidence = list;
    return &list[f->n_evidence++];
}

static void add_evidence_file(iol__case *job, const iol__rule *rule, const iol__culprit *culprit, iol__finding *f) {
    const iol__facts_file *file = &job->facts.file[culprit->file];
    iol__subject subject = {0};
    iol__subject_fill(&subject, job, file);
    iol__eval_lets(rule, &subject);
    iol__figure *figures = iol__arena_alloc(&job->arena, (size_t)rule->n_figures + 1, sizeof *figures);
    for (int i = 0; i < rule->n_figures; i++)
        figures[i] = (iol__figure){.name = rule->figures[i].name, .value = iol__eval(rule->figures[i].value, &subject)};
    *next_entry(job, f) = (iol__evidence){.kind = IOL_EVIDENCE_FILE,
                                          .file_id = file->id,
                                          .name = iol__facts_name(&job->facts, file),
                                          .rank = -1,
                                          .lost_s = culprit->range.known ? culprit->range.best : NAN,
                                          .figures = figures,
                                          .n_figures = (size_t)rule->n_figures};
}

/* The record of all ranks, or that of the slowest. */
static int64_t telling_rank(const iol__facts_use *use) {
    if (use->whole) return -1;
    return use->ranks ? use->ranks->slowest_rank : use->rank;
}

static const iol__facts_use *use_of_slot(const iol__facts_file *file, int slot) {
    for (int i = 0; i < IOL_LAYERS; i++)
        if (iol__facts_slots[i] == slot) return file->layer[i];
    return NULL;
}

/* The counter that another module has for the same, as STDIO_BYTES_READ for POSIX_BYTES_READ; NULL: it has none. */
static const char *same_counter(const char *name, int slot, iol__arena *arena) {
    if (iol_counter_find(slot, name) >= 0) return name;
    const char *mark = strchr(name, '_');
    const char *other = iol__arena_print(arena, "%s%s", iol__modules[slot].name, mark ? mark : name);
    return iol_counter_find(slot, other) >= 0 ? other : NULL;
}

/* Where a file has no record in the module that the rule names, the one of its highest layer tells. */
static void add_evidence_record(iol__case *job, const iol__rule *rule, const iol__culprit *culprit, iol__finding *f) {
    const iol__facts_file *file = &job->facts.file[culprit->file];
    const iol__facts_use *use = use_of_slot(file, rule->slot);
    int slot = rule->slot;
    iol__facts_layer layer;
    if (!use) {
        use = iol__facts_top(file, &layer);
        if (!use) return;
        slot = iol__facts_slots[layer];
    }
    size_t n = 0;
    iol__figure *counters = iol__arena_alloc(&job->arena, IOL_COUNTERS + 1, sizeof *counters);
    for (int i = 0; rule->counters[i]; i++) {
        const char *name = same_counter(rule->counters[i], slot, &job->arena);
        if (name) counters[n++] = (iol__figure){.name = name, .value = NAN};
    }
    *next_entry(job, f) = (iol__evidence){.kind = IOL_EVIDENCE_RECORD,
                                          .module = iol__modules[slot].name,
                                          .file_id = file->id,
                                          .name = iol__facts_name(&job->facts, file),
                                          .rank = telling_rank(use),
                                          .lost_s = NAN,
                                          .figures = counters,
                                          .n_figures = n};
}

static void add_evidence_request(iol__case *job, const iol__traced_request *r, iol__finding *f) {
    const iol__facts_file *file = &job->facts.file[r->file];
    *next_entry(job, f) = (iol__evidence){.kind = IOL_EVIDENCE_SEGMENT,
                                          .module = iol__modules[job->tracing.slot].name,
                                          .file_id = file->id,
                                          .name = iol__facts_name(&job->facts, file),
                                          .rank = r->rank,
                                          .is_write = r->write,
                                          .segment = r->index,
                                          .offset = r->offset,
                                          .length = r->length,
                                          .t0 = r->start,
                                          .t1 = r->end,
                                          .lost_s = NAN};
}

const iol__example *iol__evidence_example(const iol__case *job, const char *id) {
    const struct {
        const char *id;
        const iol__example *example;
    } table[] = {{"conflict.overlap", &job->clashes.conflict},
                 {"lustre.lock.conflict", &job->clashes.lock},
                 {"trace.repeated", &job->clashes.repeat[IOL_READ]},
                 {"trace.rewritten", &job->clashes.repeat[IOL_WRITE]},
                 {"hdf5.meta.allranks", &job->clashes.region}};
    for (size_t i = 0; i < IOL_COUNT(table); i++)
        if (strcmp(table[i].id, id) == 0 && table[i].example->found) return table[i].example;
    return NULL;
}

static void add_example(iol__case *job, const char *id, iol__finding *f) {
    const iol__example *example = iol__evidence_example(job, id);
    if (!example) return;
    add_evidence_request(job, &example->a, f);
    add_evidence_request(job, &example->b, f);
}

/* The ranks that a finding about a pair names: the few with most small requests, or the slow one. */
static const char *ranks_of_pair(iol__case *job, const iol__rule *rule, const iol__pair *pair) {
    const char *few = rule->direction ? pair->few_ranks[rule->direction == 1 ? IOL_READ : IOL_WRITE] : NULL;
    return few ? few : iol__arena_print(&job->arena, "%lld", (long long)pair->rank);
}

static void add_phase(iol__case *job, size_t r, iol__finding *f) {
    const iol__match *match = &job->matches[r];
    const iol__phase *phase = match->phase;
    const iol__pair *pair = match->pair;
    const iol__facts_file *file = pair && pair->file >= 0 ? &job->facts.file[pair->file] : NULL;
    *next_entry(job, f) = (iol__evidence){.kind = IOL_EVIDENCE_TIMERANGE,
                                          .module = job->phases.source,
                                          .file_id = file ? file->id : 0,
                                          .name = file ? iol__facts_name(&job->facts, file) : NULL,
                                          .rank = pair ? pair->rank : phase->slowest_rank,
                                          .t0 = phase->start,
                                          .t1 = phase->end,
                                          .ranks = pair ? ranks_of_pair(job, job->book->rules[r], pair) : "all",
                                          .lost_s = NAN};
}

void iol__evidence_make(iol__case *job, size_t r, const iol__gathered *g, iol__finding *f) {
    const iol__rule *rule = job->book->rules[r];
    const iol__match *match = &job->matches[r];
    for (size_t i = 0; i < g->count; i++) add_evidence_file(job, rule, &g->worst[i], f);
    for (size_t i = 0; i < g->count && i < SHOWN_RECORDS && rule->slot >= 0; i++)
        add_evidence_record(job, rule, &g->worst[i], f);
    if (match->phase) add_phase(job, r, f);
    for (size_t k = 0; k < job->book->n_rules; k++)
        if (job->matches[k].joins == (int)r + 1) add_phase(job, k, f);
    add_example(job, rule->id, f);
    f->n_evidence_left_out = match->n_files > g->count ? match->n_files - g->count : 0;
}

/* Counters ---------------------------------------------------------------------------------------------------- */

/* A record that is shown, and where its counters go. */
typedef struct wish {
    int slot;
    uint64_t id;
    int64_t rank;
    iol__figure *counters;
    size_t count;
} wish;

static double counter_value(const iol_record *record, const char *name) {
    iol_value value;
    if (iol_record_find(record, name, &value) != IOL_OK) return NAN;
    return value.kind == IOL_INT ? (double)value.as.i : value.kind == IOL_UINT ? (double)value.as.u : value.as.d;
}

static void grant(wish *wishes, size_t count, int slot, const iol_record *record) {
    uint64_t id = iol_record_id(record);
    for (size_t i = 0; i < count; i++) {
        if (wishes[i].id != id || wishes[i].slot != slot || wishes[i].rank != iol_record_rank(record)) continue;
        for (size_t c = 0; c < wishes[i].count; c++)
            wishes[i].counters[c].value = counter_value(record, wishes[i].counters[c].name);
    }
}

void iol__evidence_counters(iol__case *job, const iol__finding *findings, size_t count) {
    if (job->facts.n_files > MOST_FILES_READ_AGAIN)
        return; /* a second reading would take long; ids and ranks are there */
    wish *wishes = NULL;
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t e = 0; e < findings[i].n_evidence; e++) {
            const iol__evidence *evidence = &findings[i].evidence[e];
            if (evidence->kind != IOL_EVIDENCE_RECORD) continue;
            wishes = iol__arena_grow(&job->arena, wishes, n, sizeof *wishes);
            wishes[n++] = (wish){iol_module_find(evidence->module), evidence->file_id, evidence->rank,
                                 (iol__figure *)(uintptr_t)evidence->figures, evidence->n_figures};
        }
    }
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        bool asked = false;
        for (size_t i = 0; i < n; i++) asked = asked || wishes[i].slot == slot;
        iol_records *records;
        const iol_record *record;
        if (!asked || iol_records_open(job->facts.log, slot, &records) != IOL_OK) continue;
        while (iol_records_next(records, &record) == IOL_OK) grant(wishes, n, slot, record);
        iol_records_close(records);
    }
}
