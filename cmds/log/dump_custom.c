/* The filters of dump, applied to modules that only the log knows. */
#include "cmds/log/dump_custom.h"

#include <math.h>
#include <string.h>

#include "cmds/log/sheets.h"
#include "record/custom.h"
#include "report/custom_json.h"
#include "text/csv.h"
#include "text/text.h"
#include "schema/schema.h"

enum { CUSTOM_SLOT = 63 /* no module of Iolite has it */ };

/* Names ---------------------------------------------------------------------------------------------------------- */

int dump_custom_slot(const char *name) {
    const int slot = iol__module_find(name);
    return slot >= 0 || !iol__custom_name_good(name) ? slot : CUSTOM_SLOT;
}

static bool log_has(iol_log *log, const char *name) {
    iol_custom custom;
    for (size_t i = 0; iol_log_custom(log, i, &custom) == IOL_OK; i++)
        if (strcmp(custom.name, name) == 0) return true;
    return false;
}

/* What cannot be looked at twice, or not at all, may have anything. */
static bool any_has(const iol__args *args, const char *name) {
    for (size_t i = 0; i < args->n_operands; i++) {
        iol_log *log;
        if (strcmp(args->operands[i], "-") == 0 || iol_log_open(args->operands[i], &log, NULL) != IOL_OK) return true;
        const bool has = log_has(log, name);
        iol_log_close(log);
        if (has) return true;
    }
    return false;
}

const char *dump_custom_unknown(const iol__args *args) {
    for (size_t i = 0; i < args->n_values[OPT_MODULE]; i++) {
        const char *name = args->values[OPT_MODULE][i];
        if (iol__module_find(name) < 0 && !any_has(args, name)) return name;
    }
    return NULL;
}

/* The filter as a choice ----------------------------------------------------------------------------------------- */

static bool dump_custom_wants_module(void *context, const char *name) {
    const iol__args *args = ((const iol__filter *)context)->args;
    for (size_t i = 0; i < args->n_values[OPT_MODULE]; i++)
        if (strcmp(args->values[OPT_MODULE][i], name) == 0) return true;
    return args->n_values[OPT_MODULE] == 0;
}

static bool wants_record(void *context, int64_t rank, uint64_t id, const char *name) {
    const iol_record record = {.rank = rank, .id = id};
    return filter_record(context, &record, name);
}

static bool dump_custom_wants_counter(void *context, const char *name) { return filter_counter(context, name); }

static iol__custom_choice dump_custom_choice_of(const iol__filter *filter) {
    return (iol__custom_choice){.module = dump_custom_wants_module,
                                .record = wants_record,
                                .counter = dump_custom_wants_counter,
                                .context = (void *)(uintptr_t)filter};
}

/* With --counter, modules without a counter of that name have nothing to say. */
static bool any_counter(iol_log *log, size_t module, const iol__custom_choice *choice) {
    iol_custom_counter counter;
    for (size_t i = 0; iol_custom_counter_at(log, module, i, &counter) == IOL_OK; i++)
        if (iol__custom_chosen_counter(choice, counter.is.name)) return true;
    return false;
}

typedef void (*record_visitor)(void *context, iol_log *log, size_t module, size_t record);

static void dump_custom_each_record(iol_log *log, const iol__custom_choice *choice, record_visitor visit,
                                    void *context) {
    iol_custom custom;
    iol_custom_record record;
    for (size_t m = 0; iol_log_custom(log, m, &custom) == IOL_OK; m++) {
        if (!iol__custom_chosen_module(choice, custom.name) || !any_counter(log, m, choice)) continue;
        for (size_t i = 0; i < custom.records; i++)
            if (iol_custom_record_at(log, m, i, &record) == IOL_OK && iol__custom_chosen_record(choice, &record))
                visit(context, log, m, i);
    }
}

/* Forms ---------------------------------------------------------------------------------------------------------- */

typedef struct printing {
    iol__out *out;
    iol__json *json;
    const iol__custom_choice *choice;
    const char *path;
    bool colour;
} printing;

static void print_value(iol__out *out, const iol_value *value) {
    if (value->kind == IOL_REAL)
        iol__out_fixed(out, value->as.d, 6);
    else
        iol__out_i64(out, value->as.i);
}

static void text_spans(const printing *p, iol_log *log, size_t module, const iol_custom_record *record) {
    iol_custom_span span;
    bool first = true;
    for (size_t i = 0; iol_custom_span_at(log, module, i, &span) == IOL_OK; i++) {
        if (span.id != record->id || span.rank != record->rank) continue;
        if (first) iol__out_printf(p->out, "  %-5s %14s %14s  %s\n", "", "begin", "end", "thread");
        first = false;
        iol__out_printf(p->out, "  %-5s %14.6f ", "span", span.begin);
        if (isnan(span.end))
            iol__out_printf(p->out, "%14s", "not ended");
        else
            iol__out_printf(p->out, "%14.6f", span.end);
        iol__out_printf(p->out, "  %llu\n", (unsigned long long)span.thread);
    }
}

static void text_record(void *context, iol_log *log, size_t module, size_t index) {
    const printing *p = context;
    iol_custom custom;
    iol_custom_record record;
    iol_custom_counter counter;
    iol_value value;
    size_t width = 0;
    iol_log_custom(log, module, &custom);
    iol_custom_record_at(log, module, index, &record);
    for (size_t i = 0; iol_custom_counter_at(log, module, i, &counter) == IOL_OK; i++)
        if (strlen(counter.is.name) > width) width = strlen(counter.is.name);
    if (p->colour) iol__out_text(p->out, "\033[1m");
    iol__out_printf(p->out, "%s  rank %lld  ", custom.name, (long long)record.rank);
    iol__out_safe(p->out, *record.name ? record.name : "(no name)");
    if (p->colour) iol__out_text(p->out, "\033[0m");
    iol__out_printf(p->out, "  record %llu\n", (unsigned long long)record.id);
    for (size_t i = 0; iol_custom_counter_at(log, module, i, &counter) == IOL_OK; i++) {
        if (!iol__custom_chosen_counter(p->choice, counter.is.name)) continue;
        iol_custom_value(log, module, index, i, &value);
        iol__out_printf(p->out, "  %-*s  ", (int)width, counter.is.name);
        print_value(p->out, &value);
        iol__out_char(p->out, '\n');
    }
    text_spans(p, log, module, &record);
    iol__out_char(p->out, '\n');
}

void dump_custom_text(iol__out *out, iol_log *log, const iol__filter *filter, bool colour) {
    const iol__custom_choice choice = dump_custom_choice_of(filter);
    dump_custom_each_record(log, &choice, text_record, &(printing){.out = out, .choice = &choice, .colour = colour});
}

void dump_custom_json(iol__json *json, iol_log *log, const iol__filter *filter) {
    const iol__custom_choice choice = dump_custom_choice_of(filter);
    iol__json_custom(json, log, &choice);
}

static void ndjson_record(void *context, iol_log *log, size_t module, size_t index) {
    const printing *p = context;
    iol_custom custom;
    iol_log_custom(log, module, &custom);
    iol__json_open(p->json, '{');
    if (p->path) iol__json_put_text(p->json, "path", p->path);
    iol__json_put_text(p->json, "module", custom.name);
    iol__json_custom_record(p->json, log, module, index, p->choice);
    iol__json_close(p->json, '}');
    iol__json_finish(p->json);
}

void dump_custom_ndjson(iol__json *json, iol_log *log, const iol__filter *filter, const char *path) {
    const iol__custom_choice choice = dump_custom_choice_of(filter);
    dump_custom_each_record(log, &choice, ndjson_record, &(printing){.json = json, .choice = &choice, .path = path});
}

static void csv_record(void *context, iol_log *log, size_t module, size_t index) {
    const printing *p = context;
    const char *point = "UNKNOWN", *type = "UNKNOWN";
    iol_custom custom;
    iol_custom_record record;
    iol_custom_counter counter;
    iol_value value;
    iol_log_custom(log, module, &custom);
    iol_custom_record_at(log, module, index, &record);
    iol_log_mount_of(log, record.name, &point, &type);
    for (size_t i = 0; iol_custom_counter_at(log, module, i, &counter) == IOL_OK; i++) {
        if (!iol__custom_chosen_counter(p->choice, counter.is.name)) continue;
        iol_custom_value(log, module, index, i, &value);
        if (p->path) iol__csv_text(p->out, p->path);
        if (p->path) iol__out_char(p->out, ',');
        iol__out_printf(p->out, "%s,%lld,%llu,%s,", custom.name, (long long)record.rank, (unsigned long long)record.id,
                        counter.is.name);
        if (value.kind == IOL_REAL)
            iol__csv_real(p->out, value.as.d);
        else
            iol__out_i64(p->out, value.as.i);
        iol__out_char(p->out, ',');
        iol__csv_text(p->out, record.name);
        iol__out_char(p->out, ',');
        iol__csv_text(p->out, point);
        iol__out_char(p->out, ',');
        iol__csv_text(p->out, type);
        iol__out_char(p->out, '\n');
    }
}

void dump_custom_csv(iol__out *out, iol_log *log, const iol__filter *filter, const char *path) {
    const iol__custom_choice choice = dump_custom_choice_of(filter);
    dump_custom_each_record(log, &choice, csv_record, &(printing){.out = out, .choice = &choice, .path = path});
}

typedef struct sheet_printing {
    iol__sheet *sheet;
    const iol__custom_choice *choice;
    const char *path;
} sheet_printing;

static void sheet_record(void *context, iol_log *log, size_t module, size_t index) {
    const sheet_printing *p = context;
    iol_custom custom;
    iol_custom_record record;
    iol_custom_counter counter;
    iol_value value;
    dump_row row = {.path = p->path};
    iol_log_custom(log, module, &custom);
    iol_custom_record_at(log, module, index, &record);
    row.module = custom.name;
    row.rank = record.rank;
    row.record_id = record.id;
    row.file_name = record.name;
    if (!iol_log_mount_of(log, record.name, &row.mount_point, &row.fs_type)) row.mount_point = row.fs_type = NULL;
    for (size_t i = 0; iol_custom_counter_at(log, module, i, &counter) == IOL_OK; i++) {
        if (!iol__custom_chosen_counter(p->choice, counter.is.name)) continue;
        iol_custom_value(log, module, index, i, &value);
        row.counter = counter.is.name;
        row.kind = value.kind == IOL_REAL ? DUMP_REAL : DUMP_INT;
        row.as.i = value.as.i;
        if (value.kind == IOL_REAL) row.as.d = value.as.d;
        put_dump_row(p->sheet, &row);
    }
}

void dump_custom_sheet(iol__sheet *sheet, iol_log *log, const iol__filter *filter, const char *path) {
    const iol__custom_choice choice = dump_custom_choice_of(filter);
    dump_custom_each_record(log, &choice, sheet_record,
                            &(sheet_printing){.sheet = sheet, .choice = &choice, .path = path});
}
