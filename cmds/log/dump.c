/* iolite dump: every counter of every record, in one of four forms.
   The walk over the log is one; a form is a row of functions that it calls. Nothing is kept beyond the record at hand,
   so memory does not grow with the log. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/count.h"
#include "cmds/cmd.h"
#include "cmds/log/dump_custom.h"
#include "cmds/log/log_output.h"
#include "cmds/log/sheets.h"
#include "log/old/old.h"
#include "text/csv.h"
#include "report/fields.h"
#include "report/log_json.h"
#include "report/record_json.h"
#include "text/text.h"

enum { RECORD_BYTES = 100 }; /* compressed, roughly; only the progress bar relies on it */

typedef struct dump_form dump_form;

typedef struct dump {
    log_output to;
    const dump_form *form;
    bool colour;
    bool lacks_counters; /* the log at hand is, or was made from, one of 1.x or 2.x */
    bool picky;          /* --counter was given: records without a matching counter are left out */
    bool wanted[IOL_MAX_INTS + IOL_MAX_REALS]; /* of the module at hand, by counter number */

    iol_module module;
    size_t width; /* text: columns of the name */
    iol_records *records;
    const iol_record *record;
    const char *name;
    bool open; /* the record's head is printed */
    iol__sheet_form sheet_form;
    iol__sheet *sheet;
    const char *point, *type;
} dump;

/* What the walk calls. Functions may be NULL. */
struct dump_form {
    void (*start)(dump *d);
    void (*log_begin)(dump *d);
    void (*module_begin)(dump *d);
    void (*record_begin)(dump *d);
    void (*field)(dump *d, const iol__record_field *field);
    void (*rest)(dump *d); /* everything but fields; not with --counter */
    void (*record_end)(dump *d);
    void (*module_end)(dump *d);
    void (*log_end)(dump *d);
    void (*finish)(dump *d);
    void (*unreadable)(dump *d, const char *path, const iol_error *error); /* NULL: nothing */
    bool flat; /* special values of modules are fields, too */
};

/* Text --------------------------------------------------------------------------------------------------------- */

static void bold(dump *d, bool on) {
    if (d->colour) iol__out_text(&d->to.out, on ? "\033[1m" : "\033[0m");
}

static void text_log_begin(dump *d) {
    if (!d->to.several) return;
    bold(d, true);
    iol__out_safe(&d->to.out, iol_log_info(d->to.log)->path);
    bold(d, false);
    iol__out_text(&d->to.out, "\n\n");
}

static void text_module_begin(dump *d) { d->width = iol__fields_width(d->module.slot); }

static void text_record_begin(dump *d) {
    iol__out *out = &d->to.out;
    const char *point, *type;
    bold(d, true);
    iol__out_printf(out, "%s  rank %lld  ", d->module.name, (long long)d->record->rank);
    iol__out_safe(out, d->name && *d->name ? d->name : "(no name)");
    bold(d, false);
    if (d->name && iol_log_mount_of(d->to.log, d->name, &point, &type)) {
        iol__out_text(out, "  on ");
        iol__out_safe(out, point);
        iol__out_text(out, " (");
        iol__out_safe(out, type);
        iol__out_char(out, ')');
    }
    iol__out_text(out, "  record ");
    iol__out_u64(out, d->record->id);
    iol__out_char(out, '\n');
}

static void dump_text_value(iol__out *out, const iol__record_field *field) {
    switch (field->kind) {
    case IOL_FIELD_INT: iol__out_i64(out, field->i); break;
    case IOL_FIELD_UINT:
    case IOL_FIELD_ID: iol__out_u64(out, (uint64_t)field->i); break;
    case IOL_FIELD_REAL: iol__out_fixed(out, field->d, 6); break;
    case IOL_FIELD_TEXT: iol__out_safe(out, field->text); break;
    }
}

static void text_field(dump *d, const iol__record_field *field) {
    size_t gap = field->name_length < d->width ? d->width - field->name_length : 0;
    iol__out_bytes(&d->to.out, "  ", 2);
    iol__out_bytes(&d->to.out, field->name, field->name_length);
    iol__out_repeat(&d->to.out, ' ', gap + 2);
    dump_text_value(&d->to.out, field);
    iol__out_char(&d->to.out, '\n');
}

static void text_rest(dump *d) {
    if (iol__modules[d->module.slot].form != IOL_FORM_TRACE) return;
    iol_segment batch[256];
    size_t got;
    uint64_t seen = 0;
    iol__out_printf(&d->to.out, "  %-5s %16s %16s %14s %14s  %s\n", "op", "offset", "length", "start", "end",
                    d->record->trace.threads ? "thread" : "");
    while (iol_records_segments(d->records, batch, IOL_COUNT(batch), &got) == IOL_OK) {
        for (size_t i = 0; i < got; i++, seen++) {
            const iol_segment *s = &batch[i];
            iol__out_printf(&d->to.out, "  %-5s %16lld %16lld %14.6f %14.6f",
                            seen < d->record->trace.writes ? "write" : "read", (long long)s->offset,
                            (long long)s->length, s->start, s->end);
            if (d->record->trace.threads) iol__out_printf(&d->to.out, "  %llu", (unsigned long long)s->thread);
            iol__out_char(&d->to.out, '\n');
        }
    }
}

static void text_record_end(dump *d) { iol__out_char(&d->to.out, '\n'); }

static void text_log_end(dump *d) { dump_custom_text(&d->to.out, d->to.log, &d->to.filter, d->colour); }

/* JSON --------------------------------------------------------------------------------------------------------- */

static void json_start(dump *d) { log_output_json(&d->to, 4); }

static void json_log_begin(dump *d) {
    iol__json_open(&d->to.json, '{');
    iol__json_log_facts(&d->to.json, d->to.log);
    iol__json_put_open(&d->to.json, "modules", '[');
}

static void json_module_begin(dump *d) {
    iol__json_open(&d->to.json, '{');
    iol__json_module_facts(&d->to.json, &d->module);
    iol__json_put_open(&d->to.json, "records", '[');
}

static void json_record_begin(dump *d) {
    iol__json_open(&d->to.json, '{');
    iol__json_record_facts(&d->to.json, d->to.log, d->record);
    iol__json_put_open(&d->to.json, "counters", '{');
}

/* -1 is what the writer of a log of 3.x did not know, and of older ones what their version lacks. */
static void json_field(dump *d, const iol__record_field *field) {
    const bool unknown = field->kind == IOL_FIELD_REAL ? field->d == -1 : field->i == -1;
    if (d->lacks_counters && field->counter >= 0 && unknown)
        iol__json_put_real(&d->to.json, field->name, NAN);
    else
        iol__json_field(&d->to.json, field);
}

static void json_rest(dump *d) {
    iol__json_close(&d->to.json, '}');
    iol__json_record_specials(&d->to.json, d->record, d->records);
}

static void json_record_end(dump *d) {
    if (d->picky) iol__json_close(&d->to.json, '}');
    iol__json_close(&d->to.json, '}');
}

static void json_module_end(dump *d) {
    iol__json_close(&d->to.json, ']');
    iol__json_close(&d->to.json, '}');
}

static void json_log_end(dump *d) {
    iol__json_close(&d->to.json, ']');
    dump_custom_json(&d->to.json, d->to.log, &d->to.filter);
    iol__json_log_errors(&d->to.json, d->to.log);
    iol__json_close(&d->to.json, '}');
}

static void json_unreadable(dump *d, const char *path, const iol_error *error) {
    iol__json_unreadable(&d->to.json, path, error);
}

static void json_finish(dump *d) { log_output_json_end(&d->to); }

static void ndjson_start(dump *d) { log_output_lines(&d->to); }

static void ndjson_unreadable(dump *d, const char *path, const iol_error *error) {
    json_unreadable(d, path, error);
    iol__json_finish(&d->to.json);
}

static void ndjson_record_begin(dump *d) {
    iol__json_open(&d->to.json, '{');
    if (d->to.several) iol__json_put_text(&d->to.json, "path", iol_log_info(d->to.log)->path);
    iol__json_put_text(&d->to.json, "module", d->module.name);
    iol__json_record_facts(&d->to.json, d->to.log, d->record);
    iol__json_put_open(&d->to.json, "counters", '{');
}

static void ndjson_record_end(dump *d) {
    json_record_end(d);
    iol__json_finish(&d->to.json);
}

/* What distinguishes several logs. */
static const char *dump_path_of(const dump *d) { return d->to.several ? iol_log_info(d->to.log)->path : NULL; }

static void ndjson_log_end(dump *d) { dump_custom_ndjson(&d->to.json, d->to.log, &d->to.filter, dump_path_of(d)); }

/* CSV ---------------------------------------------------------------------------------------------------------- */

static void csv_start(dump *d) {
    if (d->to.several) iol__out_text(&d->to.out, "path,");
    iol__out_text(&d->to.out, "module,rank,record_id,counter,value,file_name,mount_point,fs_type\n");
}

static void csv_record_begin(dump *d) {
    const char *point = "UNKNOWN", *type = "UNKNOWN";
    iol__out *p = &d->to.before, *s = &d->to.after;
    p->length = s->length = 0;
    if (d->to.several) {
        iol__csv_text(p, iol_log_info(d->to.log)->path);
        iol__out_char(p, ',');
    }
    iol__out_printf(p, "%s,%lld,%llu,", d->module.name, (long long)d->record->rank, (unsigned long long)d->record->id);
    if (d->name) iol_log_mount_of(d->to.log, d->name, &point, &type);
    iol__out_char(s, ',');
    iol__csv_text(s, d->name);
    iol__out_char(s, ',');
    iol__csv_text(s, point);
    iol__out_char(s, ',');
    iol__csv_text(s, type);
    iol__out_char(s, '\n');
}

static void csv_field(dump *d, const iol__record_field *field) {
    iol__out *out = &d->to.out;
    iol__out_bytes(out, d->to.before.buffer, d->to.before.length);
    iol__out_bytes(out, field->name, field->name_length);
    iol__out_char(out, ',');
    if (field->kind == IOL_FIELD_REAL)
        iol__csv_real(out, field->d);
    else if (field->kind == IOL_FIELD_TEXT)
        iol__csv_text(out, field->text);
    else
        dump_text_value(out, field);
    iol__out_bytes(out, d->to.after.buffer, d->to.after.length);
}

static void csv_log_end(dump *d) { dump_custom_csv(&d->to.out, d->to.log, &d->to.filter, dump_path_of(d)); }

/* Arrow and Parquet -------------------------------------------------------------------------------------------- */

static void sheet_start(dump *d) { d->sheet = begin_dump_sheet(&d->to.out, d->sheet_form, d->to.several); }

static void sheet_record_begin(dump *d) {
    d->point = d->type = NULL;
    if (d->name && !iol_log_mount_of(d->to.log, d->name, &d->point, &d->type)) d->point = d->type = NULL;
}

static void sheet_field(dump *d, const iol__record_field *field) {
    dump_row row = {.path = dump_path_of(d),
                    .module = d->module.name,
                    .counter = field->name,
                    .file_name = d->name,
                    .mount_point = d->point,
                    .fs_type = d->type,
                    .rank = d->record->rank,
                    .record_id = d->record->id};
    row.kind = field->kind == IOL_FIELD_REAL ? DUMP_REAL : field->kind == IOL_FIELD_TEXT ? DUMP_TEXT : DUMP_INT;
    if (field->kind == IOL_FIELD_UINT || field->kind == IOL_FIELD_ID) row.kind = DUMP_UINT;
    row.as.i = field->i;
    if (field->kind == IOL_FIELD_REAL) row.as.d = field->d;
    if (field->kind == IOL_FIELD_TEXT) row.as.text = field->text;
    if (d->sheet) put_dump_row(d->sheet, &row);
}

static void sheet_log_end(dump *d) {
    if (d->sheet) dump_custom_sheet(d->sheet, d->to.log, &d->to.filter, dump_path_of(d));
}

static void sheet_finish(dump *d) {
    if (!iol__sheet_end(d->sheet)) tell_stderr("there is not enough memory for the table");
    d->sheet = NULL;
}

/* The walk ----------------------------------------------------------------------------------------------------- */

static const dump_form text_form = {.log_begin = text_log_begin,
                                    .module_begin = text_module_begin,
                                    .record_begin = text_record_begin,
                                    .field = text_field,
                                    .rest = text_rest,
                                    .record_end = text_record_end,
                                    .log_end = text_log_end,
                                    .flat = true};
static const dump_form json_form = {.start = json_start,
                                    .log_begin = json_log_begin,
                                    .module_begin = json_module_begin,
                                    .record_begin = json_record_begin,
                                    .field = json_field,
                                    .rest = json_rest,
                                    .record_end = json_record_end,
                                    .module_end = json_module_end,
                                    .log_end = json_log_end,
                                    .finish = json_finish,
                                    .unreadable = json_unreadable};
static const dump_form ndjson_form = {.start = ndjson_start,
                                      .record_begin = ndjson_record_begin,
                                      .field = json_field,
                                      .rest = json_rest,
                                      .record_end = ndjson_record_end,
                                      .log_end = ndjson_log_end,
                                      .unreadable = ndjson_unreadable};
static const dump_form csv_form = {
    .start = csv_start, .record_begin = csv_record_begin, .field = csv_field, .log_end = csv_log_end, .flat = true};

static const dump_form sheet_form = {.start = sheet_start,
                                     .record_begin = sheet_record_begin,
                                     .field = sheet_field,
                                     .log_end = sheet_log_end,
                                     .finish = sheet_finish,
                                     .flat = true};

static void dump_call(void (*function)(dump *), dump *d) {
    if (function) function(d);
}

static void visit_field(void *context, const iol__record_field *field) {
    dump *d = context;
    if (d->picky && !(field->counter >= 0 ? d->wanted[field->counter] : filter_counter(&d->to.filter, field->name)))
        return;
    if (!d->open) dump_call(d->form->record_begin, d);
    d->open = true;
    d->form->field(d, field);
}

static void dump_record(dump *d) {
    d->name = iol_log_name(d->to.log, d->record->id);
    if (!filter_record(&d->to.filter, d->record, d->name)) return;
    d->open = !d->picky;
    if (d->open) dump_call(d->form->record_begin, d);
    /* With --counter the special values go by their flat names in every form: there is no other way to pick them. */
    if (d->form->flat || d->picky)
        iol__fields_all(d->record, visit_field, d);
    else
        iol__fields_counters(d->record, visit_field, d);
    if (!d->picky) dump_call(d->form->rest, d);
    if (d->open) dump_call(d->form->record_end, d);
}

static void choose_counters(dump *d) {
    const iol__module *module = &iol__modules[d->module.slot];
    for (unsigned i = 0; module->counters && i < (unsigned)module->ints + module->reals; i++)
        d->wanted[i] = filter_counter(&d->to.filter, module->counters[i].name);
}

static void dump_records(dump *d) {
    double count = 0;
    choose_counters(d);
    while (!d->to.out.closed && iol_records_next(d->records, &d->record) == IOL_OK) {
        dump_record(d);
        iol__progress_step(&d->to.progress, ++count * RECORD_BYTES, (double)d->module.length);
    }
    iol_records_close(d->records);
}

static void dump_module(dump *d) {
    if (d->module.length == 0 || !filter_module(&d->to.filter, d->module.slot)) return;
    iol_status opened = iol_records_open(d->to.log, d->module.slot, &d->records);
    dump_call(d->form->module_begin, d);
    if (opened == IOL_OK)
        dump_records(d);
    else if (!d->module.name)
        tell_stderr("%s: slot %d holds data of a module that is not known", iol_log_info(d->to.log)->path,
                    d->module.slot);
    dump_call(d->form->module_end, d);
}

static void dump_log(void *context) {
    dump *d = context;
    d->lacks_counters = iol__old_version_of(d->to.log) != NULL;
    dump_call(d->form->log_begin, d);
    double done = 0, all = (double)iol_log_info(d->to.log)->file_bytes + 1;
    for (int slot = 0; iol_log_module(d->to.log, slot, &d->module) == IOL_OK; slot++) {
        done += (double)d->module.length;
        iol__progress_piece(&d->to.progress, done / all);
        dump_module(d);
    }
    dump_call(d->form->log_end, d);
    log_output_log_end(&d->to);
}

/* NULL when the options contradict each other. */
static const dump_form *chosen_form(const iol__args *args) {
    if (args->given[OPT_JSON] + args->given[OPT_NDJSON] + args->given[OPT_CSV] + sheets_given(args) > 1) return NULL;
    if (sheets_given(args)) return &sheet_form;
    if (args->given[OPT_JSON]) return &json_form;
    if (args->given[OPT_NDJSON]) return &ndjson_form;
    return args->given[OPT_CSV] ? &csv_form : &text_form;
}

static void dump_start(void *context) { dump_call(((dump *)context)->form->start, context); }
static void dump_finish(void *context) { dump_call(((dump *)context)->form->finish, context); }
static void dump_unreadable(void *context, const char *path, const iol_error *error) {
    dump *d = context;
    if (d->form->unreadable) d->form->unreadable(d, path, error);
}

int cmd_dump(const iol__args *args) {
    static dump d; /* large; one per process */
    static const log_walk walk = {dump_start, dump_log, dump_unreadable, dump_finish};
    if (args->n_operands == 0) return usage_error(args, "a log is needed");
    d.form = chosen_form(args);
    if (!d.form) return usage_error(args, "--json, --ndjson, --csv, --arrow and --parquet exclude each other");
    sheet_wanted(args, &d.sheet_form);
    int status = filter_parse(args, UINT64_MAX, dump_custom_slot, &d.to.filter);
    if (status >= 0) return status;
    const char *unknown = dump_custom_unknown(args);
    if (unknown) return usage_error(args, "there is no module '%s' here", unknown);
    d.picky = args->n_values[OPT_COUNTER] > 0;
    d.colour = use_colour(STDOUT_FILENO);
    return log_output_walk(&d.to, args, &walk, &d);
}
