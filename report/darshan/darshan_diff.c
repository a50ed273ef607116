/* Comparing the records of two logs. The output goes by record id, the logs go by module, so records have to be found again.
   A first reading lists the ids and how much belongs to each. Then the logs are read once for every batch of ids whose
   records fit into memory: small logs in one go, large ones in several, with the same output. */
#include "report/darshan/darshan_diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/idmap.h"
#include "log/read/log_internal.h"
#include "record/record.h"
#include "report/darshan/darshan_lines.h"

enum {
    BATCH = 128 << 20, /* bytes of records to hold at once */
    /* All records of one id are held at once. A record that was honestly written takes twenty bytes of the file even in
       an archive, and in memory some sixty times that; what a file claims beyond is left out. */
    JUSTIFIED_BASE = 16 << 20,
    JUSTIFIED_FACTOR = 64,
};

bool iol__diff_compares(int slot) {
    if (slot < 0 || slot >= IOL_SLOTS_KNOWN) return false;
    iol__form form = (iol__form)iol__modules[slot].form;
    return form != IOL_FORM_TRACE && form != IOL_FORM_HEATMAP && form != IOL_FORM_LUSTRE;
}

bool iol__diff_versions_differ(const iol_log *one, const iol_log *two, int slot) {
    iol_module a, b;
    if (iol_log_module(one, slot, &a) != IOL_OK || iol_log_module(two, slot, &b) != IOL_OK) return false;
    return a.length > 0 && b.length > 0 && a.version != b.version;
}

/* The job --------------------------------------------------------------------------------------------------------- */

static void job_numbers(iol__out *out, const char *what, int64_t a, int64_t b) {
    if (a == b) return;
    iol__out_printf(out, "- # %s: %lld\n+ # %s: %lld\n", what, (long long)a, what, (long long)b);
}

/* Whole seconds, both ends counted; wraps where a job claims times that no clock has shown. */
static int64_t darshan_diff_seconds_of(const iol_job *job) {
    return (int64_t)((uint64_t)job->end_seconds - (uint64_t)job->start_seconds + 1);
}

void iol__diff_jobs(iol__out *out, const iol_log *one, const iol_log *two) {
    const iol_job *a = iol_log_job(one), *b = iol_log_job(two);
    if (strcmp(a->exe, b->exe) != 0) iol__out_printf(out, "- # exe:  %s\n+ # exe:  %s\n", a->exe, b->exe);
    job_numbers(out, "uid", a->uid, b->uid);
    job_numbers(out, "start_time", a->start_seconds, b->start_seconds);
    job_numbers(out, "end_time", a->end_seconds, b->end_seconds);
    job_numbers(out, "nprocs", a->processes, b->processes);
    job_numbers(out, "run time", darshan_diff_seconds_of(a), darshan_diff_seconds_of(b));
}

/* Records in memory ----------------------------------------------------------------------------------------------- */

/* A record and all that it points to, in one block. */
typedef struct darshan_diff_kept {
    size_t number;     /* of its id in the list */
    uint64_t sequence; /* its place in the log */
    iol_record record;
    uint64_t words[];
} darshan_diff_kept;

typedef struct side {
    iol_log *log;
    iol__darshan_lines lines;
    darshan_diff_kept **records; /* of the batch, by number, module, rank */
    size_t count, room, next;
    uint64_t bytes;
} side;

typedef struct diff {
    iol__out *out;
    iol__idmap ids;
    uint64_t *weights; /* bytes of records of each id, in both logs */
    size_t weights_room;
    size_t first_ids; /* the ids of the first log come first */
    uint64_t taken[2];
    side sides[2];
    iol__out texts[2]; /* lines to compare, here for the sake of their buffers */
    bool no_memory;
} diff;

static size_t darshan_diff_words_of(const iol_record *record) {
    return record->n_ints + record->n_reals + record->n_servers + (record->pool_uuid ? 4 : 0);
}

static uint64_t weight_of(const iol_record *record) {
    return sizeof(darshan_diff_kept) + sizeof(uint64_t) * darshan_diff_words_of(record) +
           2 * sizeof(darshan_diff_kept *);
}

/* Copy an array into the block and point to the copy. */
static const void *copy_darshan_diff_words(uint64_t **at, const void *from, size_t count) {
    if (!from) return NULL;
    memcpy(*at, from, count * sizeof **at);
    *at += count;
    return *at - count;
}

static darshan_diff_kept *darshan_diff_keep(const iol_record *record, size_t number, uint64_t sequence) {
    darshan_diff_kept *k = malloc(sizeof *k + darshan_diff_words_of(record) * sizeof *k->words);
    if (!k) return NULL;
    uint64_t *at = k->words;
    k->number = number;
    k->sequence = sequence;
    k->record = *record;
    k->record.ints = copy_darshan_diff_words(&at, record->ints, record->n_ints);
    k->record.reals = copy_darshan_diff_words(&at, record->reals, record->n_reals);
    k->record.servers = copy_darshan_diff_words(&at, record->servers, record->n_servers);
    k->record.pool_uuid = copy_darshan_diff_words(&at, record->pool_uuid, 2);
    k->record.container_uuid = copy_darshan_diff_words(&at, record->container_uuid, 2);
    return k;
}

static void darshan_diff_forget(side *s) {
    for (size_t i = 0; i < s->count; i++) free(s->records[i]);
    s->count = s->next = 0;
    s->bytes = 0;
}

static uint64_t justified(const iol_log *log) {
    return JUSTIFIED_BASE + JUSTIFIED_FACTOR * iol_log_info(log)->file_bytes;
}

/* False without memory. */
static bool side_add(side *s, const iol_record *record, size_t number) {
    if (!IOL_GROW(s->records, s->room, s->count)) return false;
    darshan_diff_kept *k = darshan_diff_keep(record, number, s->count);
    if (!k) return false;
    s->records[s->count++] = k;
    return true;
}

static int darshan_diff_by_place(const void *left, const void *right) {
    const darshan_diff_kept *a = *(darshan_diff_kept *const *)left, *b = *(darshan_diff_kept *const *)right;
    if (a->number != b->number) return a->number < b->number ? -1 : 1;
    if (a->record.slot != b->record.slot) return a->record.slot < b->record.slot ? -1 : 1;
    if (a->record.rank != b->record.rank) return a->record.rank < b->record.rank ? -1 : 1;
    return a->sequence < b->sequence ? -1 : 1;
}

/* Reading --------------------------------------------------------------------------------------------------------- */

/* The number of an id, listed if it is new; IOL_IDMAP_NONE past the log's budget. */
static size_t list_id(diff *d, int which, uint64_t id) {
    enum { COST = IOL_IDMAP_COST + 2 * sizeof(uint64_t) };
    size_t number = iol__idmap_find(&d->ids, id);
    if (number != IOL_IDMAP_NONE) return number;
    if (!iol__budget_take(d->sides[which].log, COST)) return IOL_IDMAP_NONE;
    d->taken[which] += COST;
    if (!IOL_GROW(d->weights, d->weights_room, d->ids.count)) return IOL_IDMAP_NONE;
    d->weights[d->ids.count] = 0;
    return iol__idmap_add(&d->ids, id);
}

static void list_module(diff *d, int which, int slot) {
    side *s = &d->sides[which];
    iol_records *records;
    const iol_record *record;
    if (iol_records_open(s->log, slot, &records) != IOL_OK) return;
    while (iol_records_next(records, &record) == IOL_OK) {
        size_t number = list_id(d, which, record->id);
        if (number == IOL_IDMAP_NONE) {
            iol__fail(s->log, IOL_LIMIT, -1, IOL_NO_OFFSET,
                      "more files than a log of this size can justify; the rest is not compared");
            break;
        }
        if (iol__diff_compares(slot)) d->weights[number] += weight_of(record);
    }
    iol_records_close(records);
}

static bool report_darshan_diff_has_data(const iol_log *log, int slot) {
    iol_module module;
    return iol_log_module(log, slot, &module) == IOL_OK && module.length > 0 && slot != IOL_SLOT_NULL;
}

/* In the first log, an id gets its empty line although nothing but a trace or stripes may be known of it. */
static void list_darshan_diff_ids(diff *d, int which) {
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        bool listed = iol__diff_compares(slot) || (which == 0 && slot != IOL_SLOT_HEATMAP);
        if (listed && report_darshan_diff_has_data(d->sides[which].log, slot)) list_module(d, which, slot);
    }
    if (which == 0) d->first_ids = d->ids.count;
}

static void load_module(diff *d, side *s, int slot, size_t from, size_t until) {
    iol_records *records;
    const iol_record *record;
    if (iol_records_open(s->log, slot, &records) != IOL_OK) return;
    while (!d->no_memory && iol_records_next(records, &record) == IOL_OK) {
        size_t number = iol__idmap_find(&d->ids, record->id);
        if (number == IOL_IDMAP_NONE || number < from || number >= until) continue;
        s->bytes += weight_of(record);
        if (s->bytes > justified(s->log)) {
            iol__fail(s->log, IOL_LIMIT, -1, IOL_NO_OFFSET,
                      "more records of one file than a log of this size can justify; the rest is not compared");
            break;
        }
        d->no_memory = !side_add(s, record, number);
    }
    iol_records_close(records);
}

static void darshan_diff_load(diff *d, side *s, size_t from, size_t until) {
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++)
        if (iol__diff_compares(slot) && report_darshan_diff_has_data(s->log, slot))
            load_module(d, s, slot, from, until);
    if (s->count) qsort(s->records, s->count, sizeof *s->records, darshan_diff_by_place);
}

/* Printing -------------------------------------------------------------------------------------------------------- */

static bool darshan_diff_same_value(const iol_record *a, const iol_record *b, unsigned counter) {
    if (counter < a->n_ints) return a->ints[counter] == b->ints[counter];
    double x = a->reals[counter - a->n_ints], y = b->reals[counter - b->n_ints];
    return x == y || (isnan(x) && isnan(y));
}

static void counter_difference(diff *d, const iol_record *a, const iol_record *b, unsigned counter) {
    bool in_a = iol__lines_has(a, counter), in_b = iol__lines_has(b, counter);
    if (in_a && in_b && darshan_diff_same_value(a, b, counter)) return;
    if (in_a) iol__lines_counter(&d->sides[0].lines, a, counter);
    if (in_b) iol__lines_counter(&d->sides[1].lines, b, counter);
}

typedef void darshan_diff_part(iol__darshan_lines *l, const iol_record *record);

static void part_lines(iol__out *text, darshan_diff_part *print, const iol_record *record) {
    iol__darshan_lines bare;
    iol__lines_start(&bare, text, NULL, "", false);
    iol__lines_about_none(&bare);
    text->length = 0;
    print(&bare, record);
    iol__lines_end(&bare);
}

static const char *line_end(const iol__out *text, size_t at) {
    const char *end = memchr(text->buffer + at, '\n', text->length - at);
    return end ? end : text->buffer + text->length;
}

/* What records have besides counters is compared as it is printed, line by line. */
static void part_difference(diff *d, darshan_diff_part *print, const iol_record *a, const iol_record *b) {
    iol__out *texts = d->texts;
    size_t at[2] = {0, 0};
    part_lines(&texts[0], print, a);
    part_lines(&texts[1], print, b);
    while (at[0] < texts[0].length || at[1] < texts[1].length) {
        const char *line[2] = {NULL, NULL};
        size_t length[2] = {0, 0};
        for (int i = 0; i < 2; i++) {
            if (at[i] >= texts[i].length) continue;
            line[i] = texts[i].buffer + at[i];
            length[i] = (size_t)(line_end(&texts[i], at[i]) - line[i]);
            at[i] += length[i] + 1;
        }
        if (line[0] && line[1] && length[0] == length[1] && memcmp(line[0], line[1], length[0]) == 0) continue;
        for (int i = 0; i < 2; i++)
            if (line[i]) iol__lines_bare(&d->sides[i].lines, line[i], length[i]);
    }
}

static void pair_difference(diff *d, const iol_record *a, const iol_record *b) {
    unsigned counters = a->n_ints + a->n_reals, more = b->n_ints + b->n_reals;
    if (iol__diff_versions_differ(d->sides[0].log, d->sides[1].log, a->slot)) return;
    /* A header record of APMPI or APXC has no counters, and where it stands is up to the writer. */
    if (counters != more) {
        iol__lines_values(&d->sides[0].lines, a);
        iol__lines_values(&d->sides[1].lines, b);
        return;
    }
    iol__lines_about(&d->sides[0].lines, a);
    iol__lines_about(&d->sides[1].lines, b);
    part_difference(d, iol__lines_before, a, b);
    for (unsigned i = 0; i < counters; i++) counter_difference(d, a, b, i);
    part_difference(d, iol__lines_after, a, b);
}

/* Which of two records comes first: -1, 1, or 0 where they are a pair. */
static int darshan_diff_order(const darshan_diff_kept *a, const darshan_diff_kept *b) {
    if (!a || !b) return a ? -1 : 1;
    if (a->record.slot != b->record.slot) return a->record.slot < b->record.slot ? -1 : 1;
    return (a->record.rank > b->record.rank) - (a->record.rank < b->record.rank);
}

static const darshan_diff_kept *darshan_diff_next_of(const side *s, size_t number) {
    return s->next < s->count && s->records[s->next]->number == number ? s->records[s->next] : NULL;
}

static void print_id(diff *d, size_t number) {
    side *one = &d->sides[0], *two = &d->sides[1];
    const darshan_diff_kept *a, *b;
    if (number < d->first_ids) iol__out_char(d->out, '\n');
    while ((a = darshan_diff_next_of(one, number)) || darshan_diff_next_of(two, number)) {
        b = darshan_diff_next_of(two, number);
        int first = darshan_diff_order(a, b);
        if (a && b && first == 0)
            pair_difference(d, &a->record, &b->record);
        else if (a && first < 0)
            iol__lines_values(&one->lines, &a->record);
        else if (b)
            iol__lines_values(&two->lines, &b->record);
        one->next += first <= 0;
        two->next += first >= 0;
    }
}

static size_t batch_end(const diff *d, size_t from) {
    size_t until = from;
    uint64_t bytes = 0, most = BATCH;
    for (int i = 0; i < 2; i++)
        if (justified(d->sides[i].log) < most) most = justified(d->sides[i].log);
    while (until < d->ids.count && (until == from || bytes + d->weights[until] <= most)) bytes += d->weights[until++];
    return until;
}

static void print_batches(diff *d) {
    for (size_t from = 0, until; from < d->ids.count && !d->out->closed && !d->no_memory; from = until) {
        until = batch_end(d, from);
        for (int i = 0; i < 2; i++) darshan_diff_load(d, &d->sides[i], from, until);
        for (size_t number = from; number < until; number++) print_id(d, number);
        for (int i = 0; i < 2; i++) darshan_diff_forget(&d->sides[i]);
    }
}

bool iol__diff_records(iol__out *out, iol_log *one, iol_log *two) {
    diff d = {.out = out, .sides = {{.log = one}, {.log = two}}};
    for (int i = 0; i < 2; i++) {
        iol__lines_start(&d.sides[i].lines, out, d.sides[i].log, i ? "+ " : "- ", false);
        iol__out_open(&d.texts[i], -1);
        iol_log_name_count(d.sides[i].log); /* names come out of the same budget as ids, and matter more */
        list_darshan_diff_ids(&d, i);
    }
    print_batches(&d);
    for (int i = 0; i < 2; i++) {
        iol__budget_return(d.sides[i].log, d.taken[i]);
        iol__lines_end(&d.sides[i].lines);
        iol__out_close(&d.texts[i]);
        free(d.sides[i].records);
    }
    iol__idmap_free(&d.ids);
    free(d.weights);
    return !d.no_memory;
}
