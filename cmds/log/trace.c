/* iolite trace: the single reads and writes of DXT_POSIX and DXT_MPIIO, in the order of the log (by record, writes
   before reads), because sorting by time would need the whole trace in memory.
   What an operation shares with its record is made once per record; the rest is numbers into the output buffer. */
#include <math.h>
#include <stdio.h>

#include "base/count.h"
#include "cmds/cmd.h"
#include "cmds/log/log_output.h"
#include "cmds/log/sheets.h"
#include "cmds/log/trace_chains.h"
#include "text/csv.h"
#include "report/log_json.h"
#include "text/text.h"
#include "text/number.h"

enum { BATCH = 512, NAMED = 256 };

typedef struct trace_form trace_form;

typedef struct trace {
    log_output to;
    const trace_form *form;

    iol_module module;
    const iol_record *record;
    const char *name;
    const char *interface; /* "POSIX" or "MPI-IO" */
    uint64_t operations;
    trace_chains chains;
    source_paths paths;
    iol__sheet_form sheet_form;
    iol__sheet *sheet;
    uint64_t timeless;        /* Chrome: operations left out because their times are impossible */
    uint64_t named[NAMED][2]; /* Chrome: processes and threads that have been given their names, as a lossy cache */
} trace;

typedef struct trace_operation {
    iol_segment segment;
    bool write;
    const trace_chain *chain; /* NULL: not known */
} trace_operation;

/* What the walk calls. Functions may be NULL. */
struct trace_form {
    void (*start)(trace *t);
    void (*log_begin)(trace *t);
    void (*record_begin)(trace *t);
    void (*operation)(trace *t, const trace_operation *o);
    void (*log_end)(trace *t);
    void (*finish)(trace *t);
    void (*unreadable)(trace *t, const char *path, const iol_error *error); /* NULL: nothing */
};

static const char *op_name(const trace_operation *o) { return o->write ? "write" : "read"; }

/* Text --------------------------------------------------------------------------------------------------------- */

static void trace_text_log_begin(trace *t) {
    if (t->to.several) {
        iol__out_safe(&t->to.out, iol_log_info(t->to.log)->path);
        iol__out_char(&t->to.out, '\n');
    }
    iol__out_printf(&t->to.out, "%12s %12s %12s %7s %-5s %14s %12s %-6s %-12s %-16s %s\n", "START", "END", "DURATION",
                    "RANK", "OP", "OFFSET", "LENGTH", "LAYER", "THREAD", "HOST",
                    t->chains.known ? "FILE, LINE" : "FILE");
}

static void trace_pad(iol__out *out, const char *text, size_t columns) {
    size_t begin = out->length;
    iol__out_safe(out, text);
    size_t used = out->length - begin;
    if (used < columns) iol__out_repeat(out, ' ', columns - used);
}

static void trace_text_record_begin(trace *t) {
    t->to.before.length = t->to.after.length = 0;
    iol__out_printf(&t->to.before, " %7lld ", (long long)t->record->rank);
    trace_pad(&t->to.after, t->record->trace.host, 16);
    iol__out_char(&t->to.after, ' ');
    iol__out_safe(&t->to.after, t->name ? t->name : "(no name)");
}

/* A number in a column of its own, aligned right. */
static void trace_column(iol__out *out, const char *digits, const char *end, size_t columns) {
    size_t length = (size_t)(end - digits);
    if (length < columns) iol__out_repeat(out, ' ', columns - length);
    iol__out_bytes(out, digits, length);
}

static void text_operation(trace *t, const trace_operation *o) {
    char digits[340];
    iol__out *out = &t->to.out;
    const iol_segment *s = &o->segment;
    trace_column(out, digits, iol__format_fixed(digits, s->start, 6), 12);
    trace_column(out, digits, iol__format_fixed(digits, s->end, 6), 13);
    trace_column(out, digits, iol__format_fixed(digits, s->end - s->start, 6), 13);
    iol__out_bytes(out, t->to.before.buffer, t->to.before.length);
    iol__out_text(out, o->write ? "write " : "read  ");
    trace_column(out, digits, iol__format_i64(digits, s->offset), 14);
    trace_column(out, digits, iol__format_i64(digits, s->length), 13);
    iol__out_printf(out, " %-6s ", t->interface);
    if (t->record->trace.threads)
        iol__out_printf(out, "%-12llu ", (unsigned long long)s->thread);
    else
        iol__out_printf(out, "%-12s ", "-");
    iol__out_bytes(out, t->to.after.buffer, t->to.after.length);
    if (o->chain) {
        iol__out_text(out, ", ");
        iol__out_safe(out, o->chain->line);
    }
    iol__out_char(out, '\n');
}

/* CSV ---------------------------------------------------------------------------------------------------------- */

static void trace_csv_start(trace *t) {
    if (t->to.several) iol__out_text(&t->to.out, "path,");
    iol__out_text(&t->to.out,
                  "start,end,duration,rank,op,offset,length,module,file_name,host,thread,record_id,line,chain\n");
}

static void trace_csv_record_begin(trace *t) {
    t->to.before.length = t->to.after.length = 0;
    if (t->to.several) {
        iol__csv_text(&t->to.before, iol_log_info(t->to.log)->path);
        iol__out_char(&t->to.before, ',');
    }
    iol__out_printf(&t->to.after, ",%s,", t->module.name);
    iol__csv_text(&t->to.after, t->name);
    iol__out_char(&t->to.after, ',');
    iol__csv_text(&t->to.after, t->record->trace.host);
    iol__out_char(&t->to.after, ',');
}

static void csv_operation(trace *t, const trace_operation *o) {
    iol__out *out = &t->to.out;
    const iol_segment *s = &o->segment;
    iol__out_bytes(out, t->to.before.buffer, t->to.before.length);
    iol__csv_real(out, s->start);
    iol__out_char(out, ',');
    iol__csv_real(out, s->end);
    iol__out_char(out, ',');
    iol__csv_real(out, s->end - s->start);
    iol__out_char(out, ',');
    iol__out_i64(out, t->record->rank);
    iol__out_text(out, o->write ? ",write," : ",read,");
    iol__out_i64(out, s->offset);
    iol__out_char(out, ',');
    iol__out_i64(out, s->length);
    iol__out_bytes(out, t->to.after.buffer, t->to.after.length);
    if (t->record->trace.threads) iol__out_u64(out, s->thread);
    iol__out_char(out, ',');
    iol__out_u64(out, t->record->id);
    iol__out_char(out, ',');
    if (o->chain) iol__csv_text(out, o->chain->line);
    iol__out_char(out, ',');
    if (o->chain) iol__csv_text(out, o->chain->frames);
    iol__out_char(out, '\n');
}

/* JSON --------------------------------------------------------------------------------------------------------- */

static void trace_json_start(trace *t) { log_output_json(&t->to, 2); }

static void trace_json_log_begin(trace *t) {
    iol__json_open(&t->to.json, '{');
    iol__json_log_facts(&t->to.json, t->to.log);
    iol__json_put_open(&t->to.json, "operations", '[');
}

/* What every operation of this record ends with, but for the brace. */
static void record_tail(trace *t, const char *path) {
    iol__json tail;
    t->to.after.length = 0;
    iol__json_start(&tail, &t->to.after, 0);
    tail.comma = true; /* members precede it */
    iol__json_put_text(&tail, "module", t->module.name);
    iol__json_put_text(&tail, "file_name", t->name);
    iol__json_put_text(&tail, "host", t->record->trace.host);
    iol__json_put_id(&tail, "record_id", t->record->id);
    if (path) iol__json_put_text(&tail, "path", path);
}

static void trace_json_record_begin(trace *t) { record_tail(t, NULL); }

/* Only where the log has lines of code. */
static void put_chain_texts(const trace *t, iol__json *json, const trace_chain *chain) {
    if (!t->chains.known) return;
    iol__json_put_text(json, "line", chain ? chain->line : NULL);
    iol__json_put_text(json, "chain", chain ? chain->frames : NULL);
}

static void json_operation(trace *t, const trace_operation *o) {
    const iol_segment *s = &o->segment;
    iol__json *json = &t->to.json;
    iol__json_open(json, '{');
    iol__json_put_real(json, "start", s->start);
    iol__json_put_real(json, "end", s->end);
    iol__json_put_real(json, "duration", s->end - s->start);
    iol__json_put_i64(json, "rank", t->record->rank);
    iol__json_put_text(json, "op", op_name(o));
    iol__json_put_i64(json, "offset", s->offset);
    iol__json_put_i64(json, "length", s->length);
    if (t->record->trace.threads) iol__json_put_id(json, "thread", s->thread);
    put_chain_texts(t, json, o->chain);
    iol__out_bytes(json->out, t->to.after.buffer, t->to.after.length);
    iol__json_close(json, '}');
}

static void trace_json_log_end(trace *t) {
    iol__json_close(&t->to.json, ']');
    iol__json_log_errors(&t->to.json, t->to.log);
    iol__json_close(&t->to.json, '}');
}

static void trace_json_unreadable(trace *t, const char *path, const iol_error *error) {
    iol__json_unreadable(&t->to.json, path, error);
}

static void trace_json_finish(trace *t) { log_output_json_end(&t->to); }

static void trace_ndjson_start(trace *t) { log_output_lines(&t->to); }

static void trace_ndjson_unreadable(trace *t, const char *path, const iol_error *error) {
    trace_json_unreadable(t, path, error);
    iol__json_finish(&t->to.json);
}

static void trace_ndjson_record_begin(trace *t) {
    record_tail(t, t->to.several ? iol_log_info(t->to.log)->path : NULL);
}

static void ndjson_operation(trace *t, const trace_operation *o) {
    json_operation(t, o);
    iol__json_finish(&t->to.json);
}

/* Chrome ------------------------------------------------------------------------------------------------------- */

/* Trace events: a process for every rank, in it a thread for every thread identity of each interface. Viewers keep the
   numbers 0 for the system and hold threads in 32 bits, hence the shifts and the folding. */
static int64_t chrome_process(const trace *t) {
    int64_t rank = t->record->rank;
    return rank >= 0 && rank < INT64_MAX ? rank + 1 : rank;
}

static uint64_t chrome_thread(const trace *t, const iol_segment *s) {
    uint64_t folded = (s->thread ^ s->thread >> 30) & 0x3fffffff;
    return 2 * folded + (t->module.slot == IOL_SLOT_DXT_MPIIO) + 1;
}

/* True the first time, and now and then once more: naming a thing twice does no harm. */
static bool chrome_unnamed(trace *t, uint64_t process, uint64_t thread) {
    uint64_t *seen = t->named[(process * 31 + thread) % NAMED];
    if (seen[0] == process && seen[1] == thread) return false;
    seen[0] = process;
    seen[1] = thread;
    return true;
}

static void chrome_name(trace *t, const char *event, uint64_t thread, const char *name) {
    iol__json *json = &t->to.json;
    iol__json_open(json, '{');
    iol__json_put_text(json, "ph", "M");
    iol__json_put_text(json, "name", event);
    iol__json_put_i64(json, "pid", chrome_process(t));
    if (thread) iol__json_put_u64(json, "tid", thread);
    iol__json_put_open(json, "args", '{');
    iol__json_put_text(json, "name", name);
    iol__json_close(json, '}');
    iol__json_close(json, '}');
}

static void chrome_start(trace *t) {
    iol__json_start(&t->to.json, &t->to.out, 2);
    iol__json_open(&t->to.json, '{');
    iol__json_put_text(&t->to.json, "displayTimeUnit", "ms");
    iol__json_put_open(&t->to.json, "traceEvents", '[');
}

static void chrome_record_begin(trace *t) {
    char name[128];
    iol__json tail;
    t->to.after.length = 0;
    iol__json_start(&tail, &t->to.after, 0);
    tail.comma = true;
    iol__json_put_text(&tail, "file", t->name);
    iol__json_put_id(&tail, "record_id", t->record->id);
    if (!chrome_unnamed(t, (uint64_t)chrome_process(t), 0)) return;
    snprintf(name, sizeof name, "rank %lld (%s)", (long long)t->record->rank, t->record->trace.host);
    chrome_name(t, "process_name", 0, name);
}

static void chrome_thread_name(trace *t, const iol_segment *s, uint64_t thread) {
    char name[64];
    if (!chrome_unnamed(t, (uint64_t)chrome_process(t), thread)) return;
    if (t->record->trace.threads)
        snprintf(name, sizeof name, "%s, thread %llu", t->interface, (unsigned long long)s->thread);
    else
        snprintf(name, sizeof name, "%s", t->interface);
    chrome_name(t, "thread_name", thread, name);
}

/* Microseconds with three decimals: nanoseconds are what the clocks give. */
static void put_microseconds(iol__json *json, const char *key, double seconds) {
    iol__json_key(json, key);
    json->after_key = false;
    iol__out_fixed(json->out, seconds * 1e6, 3);
}

static void chrome_operation(trace *t, const trace_operation *o) {
    const iol_segment *s = &o->segment;
    iol__json *json = &t->to.json;
    if (!isfinite(s->start) || !isfinite(s->end) || fabs(s->start) > 1e12 || fabs(s->end) > 1e12) {
        t->timeless++;
        return;
    }
    uint64_t thread = chrome_thread(t, s);
    chrome_thread_name(t, s, thread);
    iol__json_open(json, '{');
    iol__json_put_text(json, "ph", "X");
    iol__json_put_text(json, "name", op_name(o));
    iol__json_put_text(json, "cat", t->interface);
    iol__json_put_i64(json, "pid", chrome_process(t));
    iol__json_put_u64(json, "tid", thread);
    put_microseconds(json, "ts", s->start);
    put_microseconds(json, "dur", s->end > s->start ? s->end - s->start : 0);
    iol__json_put_open(json, "args", '{');
    iol__json_put_i64(json, "offset", s->offset);
    iol__json_put_i64(json, "length", s->length);
    put_chain_texts(t, json, o->chain);
    iol__out_bytes(json->out, t->to.after.buffer, t->to.after.length);
    iol__json_close(json, '}');
    iol__json_close(json, '}');
}

/* Spans of custom modules, the regions of the program among them: slices in a thread of their own, above the operations
   of the same rank. What had not ended has no end to draw. */
static void chrome_span(trace *t, const iol_custom *module, const iol_custom_span *span) {
    const iol_record of = {.rank = span->rank, .id = span->id};
    iol__json *json = &t->to.json;
    if (isnan(span->end) || !filter_record(&t->to.filter, &of, span->name)) return;
    t->record = &of;
    const uint64_t folded = (span->thread ^ span->thread >> 30) & 0x1fffffff, thread = 0x40000000 + folded;
    char name[64];
    if (chrome_unnamed(t, (uint64_t)chrome_process(t), 0)) {
        snprintf(name, sizeof name, "rank %lld", (long long)span->rank);
        chrome_name(t, "process_name", 0, name);
    }
    if (chrome_unnamed(t, (uint64_t)chrome_process(t), thread)) chrome_name(t, "thread_name", thread, module->name);
    iol__json_open(json, '{');
    iol__json_put_text(json, "ph", "X");
    iol__json_put_text(json, "name", span->name);
    iol__json_put_text(json, "cat", module->name);
    iol__json_put_i64(json, "pid", chrome_process(t));
    iol__json_put_u64(json, "tid", thread);
    put_microseconds(json, "ts", span->begin);
    put_microseconds(json, "dur", span->end - span->begin);
    iol__json_close(json, '}');
    t->record = NULL;
}

static void chrome_spans(trace *t) {
    iol_custom module;
    iol_custom_span span;
    for (size_t m = 0; iol_log_custom(t->to.log, m, &module) == IOL_OK; m++)
        for (size_t i = 0; iol_custom_span_at(t->to.log, m, i, &span) == IOL_OK; i++) chrome_span(t, &module, &span);
}

static void chrome_log_end(trace *t) {
    chrome_spans(t);
    if (!t->timeless) return;
    char count[IOL_HUMAN];
    tell_stderr("%s: %s operations left out, because their times are impossible", iol_log_info(t->to.log)->path,
                iol__human_number(count, (double)t->timeless));
}

static void chrome_finish(trace *t) {
    iol__json_close(&t->to.json, ']');
    iol__json_close(&t->to.json, '}');
    iol__json_finish(&t->to.json);
}

/* Arrow and Parquet -------------------------------------------------------------------------------------------- */

static void trace_sheet_start(trace *t) {
    static const iol__sheet_column columns[] = {
        {"path", IOL_SHEET_TEXT},      {"start", IOL_SHEET_REAL}, {"end", IOL_SHEET_REAL},
        {"duration", IOL_SHEET_REAL},  {"rank", IOL_SHEET_INT},   {"op", IOL_SHEET_TEXT},
        {"offset", IOL_SHEET_INT},     {"length", IOL_SHEET_INT}, {"module", IOL_SHEET_TEXT},
        {"file_name", IOL_SHEET_TEXT}, {"host", IOL_SHEET_TEXT},  {"thread", IOL_SHEET_UINT},
        {"record_id", IOL_SHEET_UINT}, {"line", IOL_SHEET_TEXT},  {"chain", IOL_SHEET_TEXT}};
    const size_t count = IOL_COUNT(columns);
    t->sheet = t->to.several ? iol__sheet_begin(&t->to.out, t->sheet_form, columns, count)
                             : iol__sheet_begin(&t->to.out, t->sheet_form, columns + 1, count - 1);
}

static void sheet_operation(trace *t, const trace_operation *o) {
    const iol_segment *s = &o->segment;
    if (!t->sheet) return;
    if (t->to.several) iol__sheet_text(t->sheet, iol_log_info(t->to.log)->path);
    iol__sheet_real(t->sheet, s->start);
    iol__sheet_real(t->sheet, s->end);
    iol__sheet_real(t->sheet, s->end - s->start);
    iol__sheet_int(t->sheet, t->record->rank);
    iol__sheet_text(t->sheet, op_name(o));
    iol__sheet_int(t->sheet, s->offset);
    iol__sheet_int(t->sheet, s->length);
    iol__sheet_text(t->sheet, t->module.name);
    iol__sheet_text(t->sheet, t->name);
    iol__sheet_text(t->sheet, t->record->trace.host);
    if (t->record->trace.threads)
        iol__sheet_uint(t->sheet, s->thread);
    else
        iol__sheet_null(t->sheet);
    iol__sheet_uint(t->sheet, t->record->id);
    iol__sheet_text(t->sheet, o->chain ? o->chain->line : NULL);
    iol__sheet_text(t->sheet, o->chain ? o->chain->frames : NULL);
}

static void trace_sheet_finish(trace *t) {
    if (!iol__sheet_end(t->sheet)) tell_stderr("there is not enough memory for the table");
    t->sheet = NULL;
}

/* The walk ----------------------------------------------------------------------------------------------------- */

static const trace_form text_form = {
    .log_begin = trace_text_log_begin, .record_begin = trace_text_record_begin, .operation = text_operation};
static const trace_form csv_form = {
    .start = trace_csv_start, .record_begin = trace_csv_record_begin, .operation = csv_operation};
static const trace_form json_form = {.start = trace_json_start,
                                     .log_begin = trace_json_log_begin,
                                     .record_begin = trace_json_record_begin,
                                     .operation = json_operation,
                                     .log_end = trace_json_log_end,
                                     .finish = trace_json_finish,
                                     .unreadable = trace_json_unreadable};
static const trace_form ndjson_form = {.start = trace_ndjson_start,
                                       .record_begin = trace_ndjson_record_begin,
                                       .operation = ndjson_operation,
                                       .unreadable = trace_ndjson_unreadable};
static const trace_form chrome_form = {.start = chrome_start,
                                       .record_begin = chrome_record_begin,
                                       .operation = chrome_operation,
                                       .log_end = chrome_log_end,
                                       .finish = chrome_finish};

static const trace_form sheet_form = {
    .start = trace_sheet_start, .operation = sheet_operation, .finish = trace_sheet_finish};

static void trace_call(void (*function)(trace *), trace *t) {
    if (function) function(t);
}

static void trace_record(trace *t, iol_records *records) {
    iol_segment batch[BATCH];
    size_t got;
    uint64_t seen = 0, writes = t->record->trace.writes;
    trace_call(t->form->record_begin, t);
    while (!t->to.out.closed && iol_records_segments(records, batch, BATCH, &got) == IOL_OK) {
        for (size_t i = 0; i < got; i++) {
            trace_operation o = {.segment = batch[i], .write = seen++ < writes};
            o.chain = trace_chain_of(&t->chains, &o.segment);
            t->form->operation(t, &o);
        }
        t->operations += got;
        iol__progress_step(&t->to.progress, (double)t->operations * sizeof *batch, (double)t->module.length);
    }
}

static void trace_module(trace *t, int slot) {
    iol_records *records;
    if (!filter_module(&t->to.filter, slot) || iol_log_module(t->to.log, slot, &t->module) != IOL_OK) return;
    if (t->module.length == 0 || iol_records_open(t->to.log, slot, &records) != IOL_OK) return;
    t->interface = slot == IOL_SLOT_DXT_POSIX ? "POSIX" : "MPI-IO";
    while (!t->to.out.closed && iol_records_next(records, &t->record) == IOL_OK) {
        t->name = iol_log_name(t->to.log, t->record->id);
        if (filter_record(&t->to.filter, t->record, t->name)) trace_record(t, records);
    }
    iol_records_close(records);
}

static bool has_trace_trace(const iol_log *log) {
    iol_module posix, mpiio;
    return (iol_log_module(log, IOL_SLOT_DXT_POSIX, &posix) == IOL_OK && posix.length > 0) ||
           (iol_log_module(log, IOL_SLOT_DXT_MPIIO, &mpiio) == IOL_OK && mpiio.length > 0);
}

static void trace_log(void *context) {
    trace *t = context;
    const char *path = iol_log_info(t->to.log)->path;
    t->operations = t->timeless = 0;
    if (!trace_chains_open(&t->chains, t->to.log, &t->paths)) tell_stderr("out of memory for the lines of code");
    trace_call(t->form->log_begin, t);
    iol__progress_piece(&t->to.progress, 0.5);
    trace_module(t, IOL_SLOT_DXT_POSIX);
    iol__progress_piece(&t->to.progress, 1);
    trace_module(t, IOL_SLOT_DXT_MPIIO);
    trace_call(t->form->log_end, t);
    log_output_log_end(&t->to);
    if (!has_trace_trace(t->to.log))
        tell_stderr("no traced operations in %s: it was recorded without --trace, or the program made no calls of "
                    "POSIX or MPI-IO (streams of stdio are not traced)",
                    path);
    else if (t->operations == 0)
        tell_stderr("no traced operation in %s could be read and passes the filters", path);
    trace_chains_close(&t->chains);
}

/* POSIX and MPI-IO are what people call the traces of these interfaces. */
static int traced_slot(const char *name) {
    int slot = iol__module_find(name);
    if (slot == IOL_SLOT_POSIX) return IOL_SLOT_DXT_POSIX;
    return slot == IOL_SLOT_MPIIO ? IOL_SLOT_DXT_MPIIO : slot;
}

/* NULL when the options contradict each other. */
static const trace_form *trace_chosen_form(const iol__args *args) {
    const bool *given = args->given;
    if (given[OPT_JSON] + given[OPT_NDJSON] + given[OPT_CSV] + given[OPT_CHROME] + sheets_given(args) > 1) return NULL;
    if (sheets_given(args)) return &sheet_form;
    if (given[OPT_JSON]) return &json_form;
    if (given[OPT_NDJSON]) return &ndjson_form;
    if (given[OPT_CSV]) return &csv_form;
    return given[OPT_CHROME] ? &chrome_form : &text_form;
}

static void trace_start(void *context) { trace_call(((trace *)context)->form->start, context); }
static void trace_finish(void *context) { trace_call(((trace *)context)->form->finish, context); }
static void trace_unreadable(void *context, const char *path, const iol_error *error) {
    trace *t = context;
    if (t->form->unreadable) t->form->unreadable(t, path, error);
}

int cmd_trace(const iol__args *args) {
    static trace t; /* large; one per process */
    static const log_walk walk = {trace_start, trace_log, trace_unreadable, trace_finish};
    if (args->n_operands == 0) return usage_error(args, "a log is needed");
    if (!given_source_paths(args, &t.paths)) return usage_error(args, "--source-path takes OLD=NEW");
    t.form = trace_chosen_form(args);
    if (!t.form)
        return usage_error(args, "--json, --ndjson, --csv, --chrome, --arrow and --parquet exclude each other");
    if (t.form == &chrome_form && args->n_operands > 1) return usage_error(args, "--chrome takes one log at a time");
    sheet_wanted(args, &t.sheet_form);
    uint64_t traces = UINT64_C(1) << IOL_SLOT_DXT_POSIX | UINT64_C(1) << IOL_SLOT_DXT_MPIIO;
    int status = filter_parse(args, traces, traced_slot, &t.to.filter);
    return status >= 0 ? status : log_output_walk(&t.to, args, &walk, &t);
}
