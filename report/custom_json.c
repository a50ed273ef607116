/* Nothing here knows a module: names, units and kinds are the log's. */
#include "report/custom_json.h"

bool iol__custom_chosen_module(const iol__custom_choice *c, const char *name) {
    return !c || !c->module || c->module(c->context, name);
}

bool iol__custom_chosen_record(const iol__custom_choice *c, const iol_custom_record *record) {
    return !c || !c->record || c->record(c->context, record->rank, record->id, record->name);
}

bool iol__custom_chosen_counter(const iol__custom_choice *c, const char *name) {
    return !c || !c->counter || c->counter(c->context, name);
}

static void custom_json_schema(iol__json *json, iol_log *log, size_t module, const iol__custom_choice *choice) {
    iol_custom_counter counter;
    iol__json_put_open(json, "schema", '[');
    for (size_t i = 0; iol_custom_counter_at(log, module, i, &counter) == IOL_OK; i++) {
        if (!iol__custom_chosen_counter(choice, counter.is.name)) continue;
        iol__json_open(json, '{');
        iol__json_put_text(json, "name", counter.is.name);
        iol__json_put_text(json, "unit", counter.is.unit);
        iol__json_put_text(json, "meaning", counter.is.meaning);
        iol__json_put_text(json, "kind", counter.instant ? "instant" : counter.is.kind == IOL_INT ? "int" : "real");
        iol__json_put_text(json, "rule", counter.rule);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

void iol__json_custom_record(iol__json *json, iol_log *log, size_t module, size_t index,
                             const iol__custom_choice *choice) {
    iol_custom_record record;
    iol_custom_counter counter;
    iol_value value;
    if (iol_custom_record_at(log, module, index, &record) != IOL_OK) return;
    iol__json_put_id(json, "id", record.id);
    iol__json_put_i64(json, "rank", record.rank);
    iol__json_put_text(json, "name", record.name);
    iol__json_put_open(json, "counters", '{');
    for (size_t i = 0; iol_custom_counter_at(log, module, i, &counter) == IOL_OK; i++) {
        if (!iol__custom_chosen_counter(choice, counter.is.name)) continue;
        if (iol_custom_value(log, module, index, i, &value) != IOL_OK) continue;
        if (value.kind == IOL_REAL)
            iol__json_put_real(json, counter.is.name, value.as.d);
        else
            iol__json_put_i64(json, counter.is.name, value.as.i);
    }
    iol__json_close(json, '}');
}

/* How many were left out because there are more than wanted. */
static void left_out(iol__json *json, const char *key, size_t count, const iol__custom_choice *choice) {
    if (choice && choice->most && count > choice->most) iol__json_put_u64(json, key, count - choice->most);
}

static void records(iol__json *json, iol_log *log, size_t module, size_t count, const iol__custom_choice *choice) {
    iol_custom_record record;
    size_t done = 0;
    iol__json_put_open(json, "records", '[');
    for (size_t i = 0; i < count; i++) {
        if (iol_custom_record_at(log, module, i, &record) != IOL_OK || !iol__custom_chosen_record(choice, &record))
            continue;
        if (choice && choice->most && done == choice->most) break;
        done++;
        iol__json_open(json, '{');
        iol__json_custom_record(json, log, module, i, choice);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
    left_out(json, "records_left_out", count, choice);
}

static void custom_json_spans(iol__json *json, iol_log *log, size_t module, size_t count,
                              const iol__custom_choice *choice) {
    iol_custom_span span;
    size_t done = 0;
    if (count == 0) return;
    iol__json_put_open(json, "spans", '[');
    for (size_t i = 0; i < count; i++) {
        if (iol_custom_span_at(log, module, i, &span) != IOL_OK) continue;
        const iol_custom_record of = {.id = span.id, .rank = span.rank, .name = span.name};
        if (!iol__custom_chosen_record(choice, &of)) continue;
        if (choice && choice->most && done == choice->most) break;
        done++;
        iol__json_open(json, '{');
        iol__json_put_id(json, "record_id", span.id);
        iol__json_put_text(json, "name", span.name);
        iol__json_put_i64(json, "rank", span.rank);
        iol__json_put_id(json, "thread", span.thread);
        iol__json_put_real(json, "begin", span.begin);
        iol__json_put_real(json, "end", span.end);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
    left_out(json, "spans_left_out", count, choice);
}

static void module_members(iol__json *json, iol_log *log, size_t module, const iol_custom *custom,
                           const iol__custom_choice *choice) {
    iol__json_put_text(json, "name", custom->name);
    iol__json_put_text(json, "meaning", custom->meaning);
    iol__json_put_u64(json, "version", custom->version);
    iol__json_put_bool(json, "failed", custom->failed);
    iol__json_put_u64(json, "folded", custom->folded);
    iol__json_put_u64(json, "spans_lost", custom->spans_lost);
    custom_json_schema(json, log, module, choice);
    records(json, log, module, custom->records, choice);
    custom_json_spans(json, log, module, custom->spans, choice);
}

void iol__json_custom(iol__json *json, iol_log *log, const iol__custom_choice *choice) {
    const size_t count = iol_log_custom_count(log);
    iol_custom custom;
    if (count == 0) return;
    iol__json_put_open(json, "added", '[');
    for (size_t i = 0; i < count; i++) {
        if (iol_log_custom(log, i, &custom) != IOL_OK || !iol__custom_chosen_module(choice, custom.name)) continue;
        iol__json_open(json, '{');
        module_members(json, log, i, &custom, choice);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

/* Regions ------------------------------------------------------------------------------------------------------ */

void iol__json_region(iol__json *json, const iol__marked_region *r) {
    iol__json_open(json, '{');
    iol__json_put_text(json, "name", r->name);
    iol__json_put_real(json, "ranks", r->ranks);
    iol__json_put_real(json, "count", r->count);
    iol__json_put_real(json, "unended", r->unended);
    iol__json_put_real(json, "unbalanced", r->unbalanced);
    iol__json_put_real(json, "unmeasured", r->unmeasured);
    iol__json_put_real(json, "time", r->time);
    iol__json_put_real(json, "slowest", r->slowest);
    iol__json_put_real(json, "first", r->first);
    iol__json_put_real(json, "last", r->last);
    iol__json_put_real(json, "io_time", r->io_time);
    iol__json_put_real(json, "io_share", r->io_share);
    iol__json_put_real(json, "bytes_read", r->bytes_read);
    iol__json_put_real(json, "bytes_written", r->bytes_written);
    iol__json_close(json, '}');
}

static void region_spans(iol__json *json, iol_log *log, size_t module) {
    iol_custom_span span;
    iol__json_put_open(json, "spans", '[');
    for (size_t i = 0; iol_custom_span_at(log, module, i, &span) == IOL_OK; i++) {
        iol__json_open(json, '{');
        iol__json_put_text(json, "name", span.name);
        iol__json_put_i64(json, "rank", span.rank);
        iol__json_put_real(json, "t0", span.begin);
        iol__json_put_real(json, "t1", span.end);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

void iol__json_regions(iol__json *json, iol_log *log, bool with_spans) {
    iol__regions regions;
    iol_custom custom;
    if (!iol__regions_make(log, &regions)) return;
    if (regions.count && iol_log_custom(log, regions.module, &custom) == IOL_OK) {
        iol__json_put_open(json, "regions", '{');
        iol__json_put_real(json, "io_time", regions.io_time);
        iol__json_put_open(json, "totals", '[');
        for (size_t i = 0; i < regions.count; i++) iol__json_region(json, &regions.all[i]);
        iol__json_close(json, ']');
        if (with_spans) region_spans(json, log, regions.module);
        iol__json_put_u64(json, "spans_lost", custom.spans_lost);
        iol__json_close(json, '}');
    }
    iol__regions_free(&regions);
}
