/* The section OPER, and the totals in mapped files. */
#include "log/trailer/operations.h"

#include <string.h>

#include "log/read/log_internal.h"
#include "log/trailer/plain_json.h"

static const char *const names[IOL_OPERATIONS] = {
#define OPERATION(NAME, name, alone, what) name,
#include "schema/operations.def"
#undef OPERATION
};

/* More than a reader of the section takes: the sum of damaged files. */
#define COUNT_MOST UINT64_C(999999999999999999)
#define TIME_MOST 999999999.0

const char *iol__operation_name(int operation) { return names[operation]; }

static uint64_t operations_sum(uint64_t a, uint64_t b) {
    return a < COUNT_MOST && b < COUNT_MOST - a ? a + b : COUNT_MOST;
}

static void operations_add(iol__operation_total *to, const iol__operation_total *more) {
    to->count = operations_sum(to->count, more->count);
    to->failed = operations_sum(to->failed, more->failed);
    to->time = to->time + more->time < TIME_MOST ? to->time + more->time : TIME_MOST;
    if (more->slowest > to->slowest) to->slowest = more->slowest < TIME_MOST ? more->slowest : TIME_MOST;
}

/* Reading --------------------------------------------------------------------------------------------------------- */

static bool read_operations_count(iol__plain_json *json, uint64_t *to) {
    int64_t value;
    if (!iol__plain_integer(json, &value) || value < 0) return false;
    *to = (uint64_t)value;
    return true;
}

static bool read_time(iol__plain_json *json, double *to) { return iol__plain_number(json, to) && *to >= 0; }

static bool operations_total_value(iol__plain_json *json, void *object, const char *key) {
    iol__operation_total *total = object;
    if (strcmp(key, "count") == 0) return read_operations_count(json, &total->count);
    if (strcmp(key, "failed") == 0) return read_operations_count(json, &total->failed);
    if (strcmp(key, "time") == 0) return read_time(json, &total->time);
    if (strcmp(key, "slowest") == 0) return read_time(json, &total->slowest);
    return iol__plain_skip(json);
}

/* Operations of a later version are passed over. */
static bool operations_section_value(iol__plain_json *json, void *object, const char *key) {
    iol__operation_totals *totals = object;
    iol__operation_total total = {0};
    int found = 0;
    while (found < IOL_OPERATIONS && strcmp(key, names[found]) != 0) found++;
    if (found == IOL_OPERATIONS) return iol__plain_skip(json);
    if (!iol__plain_object(json, &total, operations_total_value)) return false;
    operations_add(&totals->of[found], &total);
    return true;
}

static bool add_operations_section(iol_log *log, char *text, size_t length, void *totals) {
    iol__plain_json json = {text, text + length};
    if (!iol__plain_object(&json, totals, operations_section_value))
        iol__fail(log, IOL_DAMAGED, -1, IOL_NO_OFFSET, "the totals of operations cannot be understood");
    return true;
}

/* How many groups there are says the place of the names. */
static void add_operations_mapped(iol_log *log, iol__operation_totals *totals) {
    iol__operation group[IOL_OPERATIONS_ROOM];
    const uint64_t end = log->name_offset < IOL_MAPPED_NAMES_AT ? log->name_offset : IOL_MAPPED_NAMES_AT;
    for (uint64_t at = IOL_MAPPED_OPERATIONS_AT; at + sizeof group <= end; at += sizeof group) {
        if (iol__source_read(log->source, at, group, sizeof group) != (int64_t)sizeof group) return;
        for (int i = 0; i < IOL_OPERATIONS; i++)
            operations_add(&totals->of[i],
                           &(iol__operation_total){.count = group[i].count,
                                                   .failed = group[i].failed,
                                                   .time = (double)group[i].time * IOL_OPERATION_UNIT,
                                                   .slowest = (double)group[i].slowest * IOL_OPERATION_UNIT});
    }
}

void iol__operations_add(iol_log *log, iol__operation_totals *totals) {
    if (log->facts)
        add_operations_mapped(log, totals);
    else
        iol__section_each(log, IOL_TAG_OPERATIONS, add_operations_section, totals);
}

bool iol__operations_any(const iol__operation_totals *totals) {
    for (int i = 0; i < IOL_OPERATIONS; i++)
        if (totals->of[i].count || totals->of[i].failed) return true;
    return false;
}

/* Printing -------------------------------------------------------------------------------------------------------- */

void iol__operations_print(FILE *to, const iol__operation_totals *totals) {
    bool first = true;
    for (int i = 0; i < IOL_OPERATIONS; i++) {
        const iol__operation_total *total = &totals->of[i];
        if (!total->count && !total->failed) continue;
        fprintf(to, "%s\"%s\":{\"count\":%llu,\"failed\":%llu,\"time\":", first ? "{" : ",", names[i],
                (unsigned long long)total->count, (unsigned long long)total->failed);
        iol__plain_print_seconds(to, total->time);
        fputs(",\"slowest\":", to);
        iol__plain_print_seconds(to, total->slowest);
        putc('}', to);
        first = false;
    }
    fputs(first ? "{}\n" : "}\n", to);
}
