/* See dialect.h. */
#include "log/read/dialect.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log/read/log_internal.h"
#include "log/trailer/plain_json.h"
#include "record/record.h"

/* Segments ---------------------------------------------------------------------------------------------------------- */

enum {
    HEAD = 104,  /* of a trace record */
    LOOK = 4096, /* bytes that are looked at first */
    FORMS = 4,
    MOST_RANKS = 1 << 24,
    CLOCK_SLACK = 3600, /* seconds: clocks of nodes differ, and old logs know whole seconds */
};

static const iol__segment_form forms[FORMS] = {{32, 0, false}, {40, 0, true}, {96, 64, false}, {112, 80, false}};

static const iol__segment_form *declared_form(int slot, unsigned version) {
    const bool threads = (slot == IOL_SLOT_DXT_POSIX && version >= 2) || (slot == IOL_SLOT_DXT_MPIIO && version >= 3);
    return &forms[threads];
}

typedef struct dialect_head {
    uint64_t id, count;
    int64_t rank;
} dialect_head;

/* Whether this can be the head of a trace record: a rank, counts, the name of a host. */
static bool read_dialect_head(const iol_log *log, const uint8_t *bytes, dialect_head *h) {
    const int64_t rank = iol__i64(bytes + 8, log->swap);
    const int64_t writes = iol__i64(bytes + 88, log->swap), reads = iol__i64(bytes + 96, log->swap);
    const int64_t most = INT64_MAX / 1024;
    if (rank < -1 || rank > MOST_RANKS) return false;
    if (writes < 0 || reads < 0 || writes > most || reads > most) return false;
    for (int i = 24; i < 88 && bytes[i]; i++)
        if (bytes[i] < ' ' || bytes[i] > '~') return false;
    h->id = iol__u64(bytes, log->swap);
    h->rank = rank;
    h->count = (uint64_t)writes + (uint64_t)reads;
    return true;
}

/* Times that run forward within the job, and bytes of a file that may exist. */
static bool believable_segment(const iol_log *log, int slot, const uint8_t *bytes) {
    const double start = iol__f64(bytes + 16, log->swap), end = iol__f64(bytes + 24, log->swap);
    const int64_t offset = iol__i64(bytes, log->swap), length = iol__i64(bytes + 8, log->swap);
    const bool placed = slot == IOL_SLOT_DXT_POSIX;
    if (!isfinite(start) || !isfinite(end) || end < start - 0.001 || start < -CLOCK_SLACK) return false;
    if (log->job.end_seconds > 0 && log->job.run_time >= 0 && end > log->job.run_time + CLOCK_SLACK) return false;
    return length >= 0 && (!placed || (offset >= -1 && offset < INT64_C(1) << 60 && length < INT64_C(1) << 60));
}

/* A log without names is read too. */
static bool is_named(iol_log *log, uint64_t id) {
    return iol_log_name(log, id) || (id != 0 && iol_log_name_count(log) == 0);
}

/* What nearly all segments are, and what stands behind one of a dialect is not, be it zeros, a text or addresses. What is
   refused here is looked at once more, with all of its region. */
static bool plain_segment(const iol_log *log, int slot, const uint8_t *bytes) {
    const double start = iol__f64(bytes + 16, log->swap), end = iol__f64(bytes + 24, log->swap);
    const int64_t offset = iol__i64(bytes, log->swap), length = iol__i64(bytes + 8, log->swap);
    const int64_t most = INT64_C(1) << 50;
    return believable_segment(log, slot, bytes) && start > 1e-9 && end >= start && offset >= -1 && offset < most &&
           length < most;
}

/* A look at what is in the window anyway: false if something there is not as declared. */
static bool looks_declared(iol_log *log, int slot, iol__stream *stream, const iol__segment_form *form) {
    const uint8_t *bytes;
    size_t have = iol__stream_peek(stream, LOOK, &bytes), at = 0;
    if (have > LOOK) have = LOOK; /* of what is there anyway */
    while (at < have) {
        dialect_head h;
        if (have - at < HEAD) return have >= LOOK;
        if (!read_dialect_head(log, bytes + at, &h) || h.count == 0 || !is_named(log, h.id)) return false;
        at += HEAD;
        for (uint64_t k = 0; k < h.count && have - at >= (k + 1) * form->bytes; k++)
            if (!plain_segment(log, slot, bytes + at + k * form->bytes)) return false;
        if (h.count > (have - at) / form->bytes) return have >= LOOK;
        at += (size_t)h.count * form->bytes;
    }
    return true;
}

typedef struct fit {
    bool exact;     /* every head is one, and the last segment ends with the region */
    bool cut;       /* every head is one, and the region ends inside a record */
    uint64_t right; /* segments that make sense */
    uint64_t wrong; /* those that do not */
} fit;

enum { CUT_SEGMENTS = 4 }; /* so many in a row make no sense in any other form */

/* All that is there of a region whose end is missing. */
static bool fits_cut(const fit *f) { return f->cut && f->wrong == 0 && f->right >= CUT_SEGMENTS; }

static bool pass_segments(iol_log *log, int slot, iol__stream *stream, const iol__segment_form *form, uint64_t count,
                          fit *f) {
    while (count > 0) {
        const uint8_t *bytes;
        size_t here = iol__stream_peek(stream, form->bytes, &bytes) / form->bytes;
        if (here == 0) return false;
        if (here > count) here = (size_t)count;
        for (size_t i = 0; i < here; i++)
            ++*(believable_segment(log, slot, bytes + i * form->bytes) ? &f->right : &f->wrong);
        iol__stream_consume(stream, here * form->bytes);
        count -= here;
    }
    return true;
}

/* Read all of the region with segments of one form. */
static fit try_form(iol_log *log, int slot, const iol__segment_form *form) {
    const iol_module *module = &log->modules[slot];
    fit f = {0};
    dialect_head h;
    const uint8_t *bytes;
    iol__stream *stream;
    if (iol__stream_open(log, slot, module->offset, module->length, &stream) != IOL_OK) return f;
    for (;;) {
        const size_t have = iol__stream_peek(stream, HEAD, &bytes);
        f.exact = have == 0 && iol__stream_status(stream) == IOL_OK;
        f.cut = !f.exact && have < HEAD;
        if (have < HEAD || !read_dialect_head(log, bytes, &h) || !is_named(log, h.id)) break;
        iol__stream_consume(stream, HEAD);
        f.cut = !pass_segments(log, slot, stream, form, h.count, &f);
        if (f.cut) break;
    }
    iol__stream_close(stream);
    return f;
}

bool iol__segment_can_be(const iol_log *log, int slot, const uint8_t *segment) {
    return !log->segments_doubted[slot == IOL_SLOT_DXT_MPIIO] || believable_segment(log, slot, segment);
}

bool iol__trace_head_can_be(iol_log *log, int slot, const uint8_t *head) {
    dialect_head h;
    if (!log->segments_doubted[slot == IOL_SLOT_DXT_MPIIO]) return true;
    return read_dialect_head(log, head, &h) && (h.rank < log->job.processes || iol_log_name(log, h.id));
}

static bool fits_better(const fit *f, const fit *best) {
    if (f->exact) return !best->exact || f->wrong < best->wrong;
    return !best->exact && fits_cut(f) && !fits_cut(best);
}

static const iol__segment_form *best_form(iol_log *log, int slot, const iol__segment_form *declared) {
    const iol__segment_form *best = declared;
    fit of_best = try_form(log, slot, declared);
    for (int i = 0; i < FORMS; i++) {
        if (&forms[i] == declared || (of_best.exact && of_best.wrong == 0)) continue;
        const fit f = try_form(log, slot, &forms[i]);
        if (!fits_better(&f, &of_best)) continue;
        best = &forms[i];
        of_best = f;
    }
    log->segments_doubted[slot == IOL_SLOT_DXT_MPIIO] = !of_best.exact;
    return best;
}

const iol__segment_form *iol__segment_form_of(iol_log *log, int slot, iol__stream *stream) {
    const unsigned version = log->modules[slot].version;
    const iol__segment_form *declared = declared_form(slot, version);
    const int place = slot == IOL_SLOT_DXT_MPIIO;
    if (log->segment_forms[place]) return log->segment_forms[place];
    const iol__segment_form *form = declared;
    if (!log->trace_chunks && !looks_declared(log, slot, stream, declared)) form = best_form(log, slot, declared);
    log->segment_forms[place] = form;
    if (form != declared)
        iol__note(log, "%s has segments of %d bytes, %s, under the version of those with %d.", iol__modules[slot].name,
                  form->bytes,
                  form->text     ? form->text == 64 ? "64 of them text" : "80 of them text or addresses"
                  : form->thread ? "with a thread"
                                 : "without a thread",
                  declared->bytes);
    return form;
}

uint64_t iol__segment_text_thread(const uint8_t *text, size_t length) {
    static const char key[] = "pthread_id=";
    const size_t skip = sizeof key - 1;
    if (length <= skip || memcmp(text, key, skip) != 0) return 0;
    uint64_t thread = 0;
    for (size_t i = skip; i < length && text[i] >= '0' && text[i] <= '9'; i++) thread = 10 * thread + (text[i] - '0');
    return thread;
}

/* What a converted log keeps of them: "texts" is a list of pairs, a text and how many segments in a row have it. Of bytes that
   are no text (addresses of a stack) the pair has {"hex": "..."}, without the zeros at their end. */
typedef struct text_list {
    FILE *out;
    const iol_record *record;
    int64_t first_rank;
    uint8_t text[IOL_SEGMENT_TEXT];
    uint64_t run; /* segments that have it */
    bool any;
} text_list;

static size_t length_of_text(const uint8_t *bytes) {
    size_t length = 0;
    while (length < IOL_SEGMENT_TEXT && bytes[length] >= ' ' && bytes[length] <= '~') length++;
    return length;
}

/* Behind a text is what was in memory there. Other bytes all count. */
static void clear_behind_text(uint8_t *bytes) {
    const size_t length = length_of_text(bytes);
    if (length > 0 && length < IOL_SEGMENT_TEXT && bytes[length] == 0)
        memset(bytes + length, 0, IOL_SEGMENT_TEXT - length);
}

static void print_text(FILE *out, const uint8_t *bytes) {
    char text[IOL_SEGMENT_TEXT + 1] = {0};
    size_t used = IOL_SEGMENT_TEXT;
    while (used > 0 && bytes[used - 1] == 0) used--;
    if (used == length_of_text(bytes)) {
        memcpy(text, bytes, used);
        iol__plain_print_text(out, text);
        return;
    }
    fputs("{\"hex\": \"", out);
    for (size_t i = 0; i < used; i++) fprintf(out, "%02x", bytes[i]);
    fputs("\"}", out);
}

static void print_run(text_list *list) {
    if (list->run == 0) return;
    if (!list->any)
        fprintf(list->out, "{\"module\": \"%s\", \"id\": \"%" PRIu64 "\", \"rank\": %" PRId64 ", \"texts\": [",
                iol__modules[list->record->slot].name, list->record->id, list->record->rank + list->first_rank);
    fputs(list->any ? ", [" : "[", list->out);
    print_text(list->out, list->text);
    fprintf(list->out, ", %" PRIu64 "]", list->run);
    list->any = true;
}

static void print_texts(FILE *out, iol_records *records, const iol_record *record, int64_t first_rank) {
    enum { BATCH = 64 };
    uint8_t batch[BATCH][IOL_SEGMENT_TEXT];
    text_list list = {.out = out, .record = record, .first_rank = first_rank};
    size_t got;
    while (iol__records_texts(records, batch, BATCH, &got) == IOL_OK)
        for (size_t i = 0; i < got; i++) {
            clear_behind_text(batch[i]);
            if (list.run == 0 || memcmp(batch[i], list.text, IOL_SEGMENT_TEXT) != 0) {
                print_run(&list);
                memcpy(list.text, batch[i], IOL_SEGMENT_TEXT);
                list.run = 0;
            }
            list.run++;
        }
    print_run(&list);
    if (list.any) fputs("]}\n", out);
}

static void print_slot_texts(FILE *out, iol_log *log, int slot, int64_t first_rank) {
    iol_records *records;
    const iol_record *record;
    if (!log->modules[slot].length || iol_records_open(log, slot, &records) != IOL_OK) return;
    if (iol__records_form(records)->text)
        while (iol_records_next(records, &record) == IOL_OK) print_texts(out, records, record, first_rank);
    iol_records_close(records);
}

bool iol__segment_texts(iol_log *log, int64_t first_rank, char **text, size_t *length) {
    *text = NULL;
    FILE *out = open_memstream(text, length);
    if (!out) return false;
    print_slot_texts(out, log, IOL_SLOT_DXT_POSIX, first_rank);
    print_slot_texts(out, log, IOL_SLOT_DXT_MPIIO, first_rank);
    return fclose(out) == 0;
}

/* Gaps of LUSTRE ---------------------------------------------------------------------------------------------------- */

enum {
    LUSTRE_1 = 56,
    LUSTRE_2 = 32,
    COMPONENT = 72,
    STEP = 8,
    MOST_STRIPES = 1 << 16,
    MOST_COMPONENTS = 1 << 12,
    WINDOW = 1 << 20
};

typedef struct layout_head {
    uint64_t id, bytes; /* of the whole record */
    int64_t rank;
    bool striped; /* by a multiple of 64 KiB, as Lustre does */
} layout_head;

static bool read_layout_head(const iol_log *log, unsigned version, const uint8_t *bytes, size_t have, layout_head *h) {
    const bool swap = log->swap;
    *h = (layout_head){.id = iol__u64(bytes, swap), .rank = iol__i64(bytes + 8, swap)};
    if (h->rank < -1 || h->rank > MOST_RANKS || h->id == 0) return false;
    int64_t size, components = 0, stripes;
    if (version == 1) {
        size = iol__i64(bytes + 40, swap);
        stripes = iol__i64(bytes + 48, swap);
        h->bytes = LUSTRE_1 + 8 * (uint64_t)stripes;
    } else {
        components = iol__i64(bytes + 16, swap);
        stripes = iol__i64(bytes + 24, swap);
        size = have >= LUSTRE_2 + 8 ? iol__i64(bytes + LUSTRE_2, swap) : 0;
        h->bytes = LUSTRE_2 + COMPONENT * (uint64_t)components + 8 * (uint64_t)stripes;
    }
    h->striped = size > 0 && size % 65536 == 0;
    return components >= 0 && components <= MOST_COMPONENTS && stripes >= 0 && stripes <= MOST_STRIPES;
}

/* A record where one is expected: it has a name. In a log without names it is striped as Lustre does. */
static bool believable_layout(iol_log *log, unsigned version, const uint8_t *bytes, size_t have) {
    layout_head h;
    if (!read_layout_head(log, version, bytes, have, &h)) return false;
    return iol_log_name(log, h.id) || (h.striped && iol_log_name_count(log) == 0);
}

/* A record among leftover memory: it has a name, a rank of the job, stripes, and all its OSTs. */
static bool certain_layout(iol_log *log, unsigned version, const uint8_t *bytes, size_t have) {
    layout_head h;
    const int64_t processes = log->job.processes;
    if (!read_layout_head(log, version, bytes, have, &h) || h.bytes > have || !h.striped) return false;
    if ((processes > 0 && h.rank >= processes) || !iol_log_name(log, h.id)) return false;
    for (uint64_t at = LUSTRE_1; version == 1 && at < h.bytes; at += 8) {
        const int64_t ost = iol__i64(bytes + at, log->swap);
        if (ost < 0 || ost > MOST_STRIPES) return false;
    }
    return h.bytes > (version == 1 ? LUSTRE_1 : LUSTRE_2);
}

/* How far the next record is; false if there is none. */
static bool find_dialect_layout(iol_log *log, iol__stream *stream, unsigned version, uint64_t *passed) {
    const size_t least = version == 1 ? LUSTRE_1 : LUSTRE_2;
    *passed = 0;
    for (;;) {
        const uint8_t *bytes;
        const size_t have = iol__stream_peek(stream, WINDOW, &bytes);
        size_t at = *passed ? 0 : STEP;
        for (; at + least <= have; at += STEP)
            if (certain_layout(log, version, bytes + at, have - at)) {
                iol__stream_consume(stream, at);
                *passed += at;
                return true;
            }
        const bool last = have < WINDOW;
        const size_t done =
            last ? have : have - WINDOW / 2 - (have - WINDOW / 2) % STEP; /* a record may begin near the end */
        iol__stream_consume(stream, done);
        *passed += done;
        if (last) return false;
    }
}

iol_status iol__pass_lustre_gap(iol_log *log, iol__stream *stream, unsigned version, uint64_t records) {
    const size_t least = version == 1 ? LUSTRE_1 : LUSTRE_2;
    const uint8_t *bytes;
    uint64_t passed;
    const size_t have = iol__stream_peek(stream, least + 8, &bytes);
    if (have == 0 || (have >= least && believable_layout(log, version, bytes, have))) return IOL_OK;
    /* A compressed stream has a checksum: what is in it was written. Elsewhere this is damage. */
    if (records == 0 || log->info.compression == IOL_UNCOMPRESSED) return IOL_OK;
    if (iol__stream_status(stream) != IOL_OK) return IOL_OK;
    const bool found = find_dialect_layout(log, stream, version, &passed);
    if (iol__stream_status(stream) != IOL_OK) return iol__stream_status(stream);
    if (!log->lustre_gaps)
        iol__note(log, "LUSTRE has leftover memory between its records, %llu bytes the first time; it was passed over.",
                  (unsigned long long)passed);
    log->lustre_gaps = true;
    return found ? IOL_OK : IOL_END;
}
