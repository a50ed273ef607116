/* Custom modules as users of the library see them. */
#include <math.h>
#include <string.h>

#include "iolite/module.h"
#include "log/trailer/custom.h"

static const iol__custom_table *table_at(iol_log *log, size_t module) {
    if (!log) return NULL;
    const iol__custom *custom = iol__custom_of(log);
    return module < custom->count ? custom->tables[module] : NULL;
}

uint64_t iol_log_custom_damaged(iol_log *log) { return log ? iol__custom_of(log)->damaged : 0; }

size_t iol_log_custom_count(iol_log *log) { return log ? iol__custom_of(log)->count : 0; }

iol_status iol_log_custom(iol_log *log, size_t module, iol_custom *custom) {
    const iol__custom_table *t = table_at(log, module);
    if (!t || !custom) return IOL_INVALID;
    *custom = (iol_custom){.name = t->name,
                           .meaning = t->meaning,
                           .version = t->version,
                           .counters = t->counters,
                           .records = t->n_lines,
                           .spans = t->n_times,
                           .folded = t->folded,
                           .spans_lost = t->spans_lost,
                           .failed = t->flags & IOL_CUSTOM_FAILED};
    return IOL_OK;
}

iol_status iol_custom_counter_at(iol_log *log, size_t module, size_t index, iol_custom_counter *counter) {
    static const char *const rules[] = {"sum", "min", "max", "first", "keep"};
    const iol__custom_table *t = table_at(log, module);
    if (!t || !counter || index >= t->counters) return IOL_INVALID;
    const bool real = t->kinds[index] != IOLITE_INT;
    *counter = (iol_custom_counter){
        .is = {t->texts[3 * index], t->texts[3 * index + 1], t->texts[3 * index + 2], real ? IOL_REAL : IOL_INT},
        .instant = t->kinds[index] == IOLITE_INSTANT,
        .rule = rules[t->rules[index]]};
    return IOL_OK;
}

iol_status iol_custom_record_at(iol_log *log, size_t module, size_t index, iol_custom_record *record) {
    const iol__custom_table *t = table_at(log, module);
    if (!t || !record || index >= t->n_lines || !t->lines[index].values) return IOL_INVALID;
    const iol__custom_line *line = &t->lines[index];
    *record = (iol_custom_record){.id = line->id, .rank = line->rank, .name = line->name};
    return IOL_OK;
}

iol_status iol_custom_value(iol_log *log, size_t module, size_t record, size_t counter, iol_value *value) {
    const iol__custom_table *t = table_at(log, module);
    if (!t || !value || record >= t->n_lines || !t->lines[record].values || counter >= t->counters) return IOL_INVALID;
    const uint8_t *from = t->lines[record].values + 8 * counter;
    value->kind = t->kinds[counter] == IOLITE_INT ? IOL_INT : IOL_REAL;
    if (value->kind == IOL_INT)
        memcpy(&value->as.i, from, sizeof value->as.i);
    else
        memcpy(&value->as.d, from, sizeof value->as.d);
    return IOL_OK;
}

iol_status iol_custom_span_at(iol_log *log, size_t module, size_t index, iol_custom_span *span) {
    const iol__custom_table *t = table_at(log, module);
    if (!t || !span || index >= t->n_times) return IOL_INVALID;
    const iol__custom_time *time = &t->times[index];
    *span = (iol_custom_span){.id = time->id,
                              .rank = time->rank,
                              .name = time->line < t->n_lines ? t->lines[time->line].name : "",
                              .thread = time->thread,
                              .begin = time->begin,
                              .end = time->end < time->begin ? NAN : time->end};
    return IOL_OK;
}
