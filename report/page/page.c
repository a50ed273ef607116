/* The page document: the order in which it is made and written. Sections are in files of their own. */
#include "report/page/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strings.h"
#include "report/custom_json.h"
#include "report/findings/findings.h"
#include "report/log_json.h"
#include "report/page/page_internal.h"
#include "record/where.h"
#include "report/summary_json.h"

/* Tables ------------------------------------------------------------------------------------------------------ */

void iol__page_table(iol__json *json, const char *key, size_t rows) {
    iol__json_put_open(json, key, '{');
    iol__json_put_u64(json, "rows", rows);
    iol__json_put_open(json, "columns", '{');
}

void iol__page_table_end(iol__json *json) {
    iol__json_close(json, '}');
    iol__json_close(json, '}');
}

static void write_column(iol__json *json, const char *key, const void *first, size_t rows, size_t stride, int digits) {
    iol__page_column(json, key);
    const char *at = first;
    for (size_t i = 0; i < rows; i++, at += stride) {
        double value;
        memcpy(&value, at, sizeof value);
        iol__json_real(json, digits ? iol__page_shortened(value, digits) : value);
    }
    iol__page_column_end(json);
}

void iol__page_doubles(iol__json *json, const char *key, const void *first, size_t rows, size_t stride) {
    write_column(json, key, first, rows, stride, 0);
}

void iol__page_times(iol__json *json, const char *key, const void *first, size_t rows, size_t stride) {
    write_column(json, key, first, rows, stride, 6);
}

/* The power of ten is found from the binary exponent, so that a table needs no logarithms. */
double iol__page_shortened(double value, int digits) {
    static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12};
    int exponent;
    frexp(value, &exponent);
    int decimals = digits - (int)floor(exponent * 0.30103);
    if (!isfinite(value) || decimals <= 0) return value;
    return iol__page_rounded(value, powers[decimals < 12 ? decimals : 12]);
}

double iol__page_five_digits(double value) {
    double unit = 1;
    while (value / unit >= 1e5) unit *= 10;
    return round(value / unit) * unit;
}

/* Making it --------------------------------------------------------------------------------------------------- */

const iol__layer *iol__page_layer(const iol__page *page, int slot) {
    for (size_t i = 0; i < page->summary.n_layers; i++)
        if (page->summary.layers[i].module.slot == slot) return &page->summary.layers[i];
    return NULL;
}

static void page_take(iol__page *page, iol_records *records, const iol_record *record) {
    switch (iol__modules[record->slot].form) {
    case IOL_FORM_TRACE: iol__page_trace_visit(page, records, record); return;
    case IOL_FORM_HEATMAP: iol__page_heat_visit(page, record); return;
    case IOL_FORM_FIXED: break;
    default: return;
    }
    if (iol__modules[record->slot].roles->traffic) {
        iol__page_ranks_visit(page, record);
        iol__page_common_visit(page, record);
    }
    iol__page_records_visit(page, record);
}

/* Without memory the rest of the pass goes by, so that the reader ends in order. */
static void page_visit(void *context, iol_records *records, const iol_record *record) {
    iol__page *page = context;
    if (record->header || page->failed) return;
    if (setjmp(page->exhausted))
        page->failed = true;
    else
        page_take(page, records, record);
}

/* The order of the files comes first, because it says whose records to keep. */
static void page_before(iol__page *page) {
    iol__page_files_make(page);
    iol__page_ranks_start(page);
    iol__page_heat_start(page);
    iol__page_trace_start(page);
    iol__page_records_start(page);
}

static void page_after(iol__page *page) {
    iol__page_ranks_finish(page);
    iol__page_trace_finish(page);
    iol__page_context_make(page);
    iol__page_layer_times_make(page);
    iol__page_places_make(page);
}

/* False when there was no memory. */
static bool page_with_memory(iol__page *page, void (*step)(iol__page *)) {
    if (setjmp(page->exhausted)) return false;
    step(page);
    return true;
}

iol__page *iol__page_make(iol_log *log, const iol__diagnosis *diagnosis, const iol__page_options *options) {
    iol__page *page = calloc(1, sizeof *page);
    if (!page) return NULL;
    page->log = log;
    page->diagnosis = diagnosis;
    page->facts = diagnosis->facts;
    page->options = *options;
    page->arena.exhausted = &page->exhausted;
    if (page_with_memory(page, page_before) &&
        iol__summary_make_visited(log, 0, options->progress, page_visit, page, &page->summary) && !page->failed &&
        page_with_memory(page, page_after))
        return page;
    iol__page_free(page);
    return NULL;
}

void iol__page_free(iol__page *page) {
    if (!page) return;
    iol__summary_free(&page->summary);
    iol__page_records_free(page);
    iol__page_common_free(page);
    iol__idmap_free(&page->trace.host_ids);
    free(page->trace.request);
    iol__arena_free(&page->arena);
    free(page);
}

/* Writing it -------------------------------------------------------------------------------------------------- */

const char *iol__page_base(const char *path) { return iol__base_name(path); }

const char *iol__page_program(const char *exe, char room[IOL_PROGRAM_NAME]) {
    if (!exe) return "N/A";
    exe += strspn(exe, " \t\n");
    size_t length = strcspn(exe, " \t\n");
    if (!length) return "N/A";
    if (strspn(exe, "0123456789") == length) return "anonymised";
    size_t start = 0;
    for (size_t i = 0; i + 1 < length; i++)
        if (exe[i] == '/') start = i + 1;
    length -= start;
    if (length >= IOL_PROGRAM_NAME) length = IOL_PROGRAM_NAME - 1;
    memcpy(room, exe + start, length);
    room[length] = 0;
    return room;
}

enum { CUSTOM_MOST = 1000 /* records of a module, and spans */ };

/* They have a key of their own. */
static bool has_no_own_key(void *context, const char *name) {
    (void)context;
    return strcmp(name, IOL_REGIONS_MODULE) != 0 && strcmp(name, IOL_WHERE_MODULE) != 0;
}

static void write_head(iol__json *json, const iol__page *page) {
    iol__json_put_text(json, "schema", "iolite.page/1");
    iol__json_put_open(json, "tool", '{');
    iol__json_put_text(json, "name", "iolite");
    iol__json_put_text(json, "version", page->options.version);
    iol__json_close(json, '}');
    iol__json_put_i64(json, "made", page->options.made);
    iol__json_put_open(json, "log", '{');
    iol__json_put_text(json, "name", iol__page_base(page->diagnosis->log_name));
    iol__json_log_form(json, page->log);
    iol__json_close(json, '}');
    iol__json_put_open(json, "job", '{');
    iol__json_job_members(json, page->log);
    char program[IOL_PROGRAM_NAME];
    iol__json_put_text(json, "program", iol__page_program(page->facts->job->exe, program));
    iol__json_close(json, '}');
    iol__json_mounts(json, page->log);
    iol__json_processes(json, page->log);
    iol__json_folded(json, page->log);
    iol__json_unseen(json, page->log);
    iol__json_put_open(json, "trailer", '{');
    iol__json_operations(json, page->log);
    iol__json_close(json, '}');
    iol__json_regions(json, page->log, true);
    iol__json_custom(json, page->log, &(iol__custom_choice){.module = has_no_own_key, .most = CUSTOM_MOST});
    iol__json_quality(json, &page->summary);
    iol__json_figures(json, page->summary.figures.value);
    iol__json_modules(json, &page->summary);
    iol__json_key(json, "diagnosis");
    iol__findings_json(json, page->diagnosis);
}

void iol__page_json(iol__json *json, const iol__page *page) {
    iol__json_open(json, '{');
    write_head(json, page);
    iol__page_layer_times_write(json, page);
    iol__page_sizes_write(json, page);
    iol__page_common_write(json, page);
    iol__page_calls_write(json, page);
    iol__page_groups_write(json, page);
    iol__page_places_write(json, page);
    iol__page_files_write(json, page);
    iol__page_records_write(json, page);
    iol__page_counters_write(json, page);
    iol__page_ranks_write(json, page);
    iol__page_messages_write(json, page);
    iol__page_heat_write(json, page);
    iol__page_phases_write(json, page);
    iol__page_spans_write(json, page);
    iol__page_where_write(json, page);
    iol__page_lustre_write(json, page);
    iol__page_trace_write(json, page);
    iol__page_context_write(json, page);
    iol__json_close(json, '}');
}

/* Asking it --------------------------------------------------------------------------------------------------- */

const iol__summary *iol__page_summary(const iol__page *page) { return &page->summary; }

size_t iol__page_places(const iol__page *page, const iol__page_place **places) {
    *places = page->places;
    return page->n_places;
}

size_t iol__page_layer_times(const iol__page *page, const iol__page_layer_time **layer_times) {
    *layer_times = page->layer_times;
    return page->n_layer_times;
}
