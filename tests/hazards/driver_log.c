/* Compares what logs say with what a source expects. Logs are read with the log library; what a counter is worth is the
   sum over all records, of all logs, whose names fit. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "iolite/log.h"
#include "log/trailer/operations.h"
#include "log/trailer/processes.h"
#include "log/trailer/id_pairs.h"
#include "tests/hazards/driver.h"

enum { MOST_LOGS = 64 };

typedef struct logs {
    const hazard *hazard;
    iol_log *open[MOST_LOGS];
    size_t count;
} logs;

static void open_one(const char *path, const char *name, void *context) {
    logs *all = context;
    size_t length = strlen(name);
    iol_error error;
    if (length < 8 || strcmp(name + length - 8, ".darshan") != 0) {
        complain("%s is no log and should not be there", path);
        return;
    }
    if (all->count == MOST_LOGS) return;
    if (iol_log_open(path, &all->open[all->count], &error) == IOL_OK)
        all->count++;
    else
        complain("%s", error.message);
}

/* A pattern fits the whole name, or its end from a slash on. */
static bool fits(const char *name, const char *pattern) {
    char tail[PATH_ROOM];
    if (!name) return false;
    snprintf(tail, sizeof tail, "*/%s", pattern);
    return strcmp(name, pattern) == 0 || fnmatch(pattern, name, FNM_NOESCAPE) == 0 ||
           fnmatch(tail, name, FNM_NOESCAPE) == 0;
}

/* The records of one module in all logs, whose names fit (or, for ABSENT, hold the text). */
static size_t each_record(const logs *all, const expectation *e,
                          bool (*visit)(iol_records *records, const iol_record *record, void *context), void *context) {
    size_t count = 0;
    int slot = iol_module_find(e->module);
    if (slot < 0) complain("there is no module %s", e->module);
    for (size_t i = 0; slot >= 0 && i < all->count; i++) {
        iol_records *records = NULL;
        const iol_record *record;
        if (iol_records_open(all->open[i], slot, &records) != IOL_OK) continue;
        while (iol_records_next(records, &record) == IOL_OK) {
            const char *name = iol_log_name(all->open[i], iol_record_id(record));
            bool wanted = e->kind == EXPECT_ABSENT ? name && strstr(name, e->name) : fits(name, e->name);
            if (wanted && (!visit || visit(records, record, context))) count++;
        }
        iol_records_close(records);
    }
    return count;
}

typedef struct total {
    const char *counter;
    bool known, real;
    int64_t whole;
    double fraction;
} total;

static void add_whole(total *t, const char *counter, int64_t value) {
    if (strcmp(t->counter, counter) != 0) return;
    t->known = true;
    t->whole += value;
}

/* Traces and heat maps have no counters of their own; these are made up here. */
static void add_trace(iol_records *records, const iol_trace *trace, total *t) {
    iol_segment segments[256];
    size_t got;
    uint64_t at = 0;
    add_whole(t, "WRITES", (int64_t)trace->writes);
    add_whole(t, "READS", (int64_t)trace->reads);
    while (iol_records_segments(records, segments, 256, &got) == IOL_OK && got > 0) {
        for (size_t i = 0; i < got; i++, at++) {
            bool write = at < trace->writes;
            add_whole(t, write ? "WRITE_BYTES" : "READ_BYTES", segments[i].length);
            add_whole(t, write ? "WRITE_OFFSETS" : "READ_OFFSETS", segments[i].offset);
        }
    }
}

static void add_heatmap(const iol_heatmap *map, total *t) {
    for (size_t i = 0; i < map->bins; i++) {
        add_whole(t, "WRITTEN", map->written[i]);
        add_whole(t, "READ", map->read[i]);
    }
}

static bool add_record(iol_records *records, const iol_record *record, void *context) {
    total *t = context;
    iol_value value;
    iol_trace trace;
    iol_heatmap map;
    if (iol_record_find(record, t->counter, &value) == IOL_OK) {
        t->known = true;
        t->real = value.kind == IOL_REAL;
        if (t->real)
            t->fraction += value.as.d;
        else
            t->whole += value.as.i;
    } else if (iol_record_trace(record, &trace) == IOL_OK) {
        add_trace(records, &trace, t);
    } else if (iol_record_heatmap(record, &map) == IOL_OK) {
        add_heatmap(&map, t);
    }
    return true;
}

static bool compare(double a, const char *operator, double b) {
    if (strcmp(operator, "=") == 0) return a == b;
    if (strcmp(operator, "!=") == 0) return a != b;
    if (strcmp(operator, ">") == 0) return a > b;
    if (strcmp(operator, ">=") == 0) return a >= b;
    if (strcmp(operator, "<") == 0) return a < b;
    if (strcmp(operator, "<=") == 0) return a <= b;
    complain("there is no operator %s", operator);
    return false;
}

/* Exact to 2^53, which is more than a test transfers. */
static double worth(const logs *all, const expectation *e, const char *counter) {
    total t = {.counter = counter};
    each_record(all, e, add_record, &t);
    return t.real ? t.fraction : (double)t.whole;
}

static double right_side(const logs *all, const expectation *e, const char *value) {
    char *end;
    double number = (double)strtoll(value, &end, 0);
    if (*end == '\0') return number;
    number = strtod(value, &end);
    return *end == '\0' ? number : worth(all, e, value);
}

static void check_counter(const logs *all, const expectation *e) {
    total t = {.counter = e->is.counter};
    if (each_record(all, e, add_record, &t) == 0) {
        complain("%s %s %s: there is no record", e->module, e->name, e->is.counter);
        return;
    }
    if (e->when.counter &&
        !compare(worth(all, e, e->when.counter), e->when.operator, right_side(all, e, e->when.value)))
        return;
    double is = worth(all, e, e->is.counter), wanted = right_side(all, e, e->is.value);
    if (!t.known)
        complain("%s %s: there is no counter %s", e->module, e->name, e->is.counter);
    else if (!compare(is, e->is.operator, wanted))
        complain("%s %s %s: expected %s %s, the log says %.15g", e->module, e->name, e->is.counter, e->is.operator,
                 e->is.value, is);
}

/* Totals of all logs. */
static double operation_worth(const logs *all, const char *name, const char *counter) {
    iol__operation_totals totals = {0};
    iol__folded folded = {0};
    for (size_t i = 0; i < all->count; i++) {
        iol__operations_add(all->open[i], &totals);
        iol__folded_add(all->open[i], &folded);
    }
    if (strcmp(name, "ring") == 0 && strcmp(counter, "UNSEEN") == 0) return (double)folded.ring_unseen;
    if (strcmp(name, "spaces") == 0 && strcmp(counter, "UNSEEN") == 0) return (double)folded.spaces_unseen;
    if (strcmp(name, "calls") == 0 && strcmp(counter, "UNSEEN") == 0) return (double)folded.calls_unseen;
    if (strcmp(name, "processes") == 0 && strcmp(counter, "STOPPED") == 0) return (double)folded.stopped;
    if (strcmp(name, "updates") == 0 && strcmp(counter, "LOST") == 0) return (double)folded.lost;
    for (int i = 0; i < IOL_OPERATIONS; i++) {
        if (strcmp(iol__operation_name(i), name) != 0) continue;
        if (strcmp(counter, "COUNT") == 0) return (double)totals.of[i].count;
        if (strcmp(counter, "FAILED") == 0) return (double)totals.of[i].failed;
        if (strcmp(counter, "TIME") == 0) return totals.of[i].time;
    }
    complain("there is no %s of %s", counter, name);
    return 0;
}

static void check_operation(const logs *all, const expectation *e) {
    const double is = operation_worth(all, e->name, e->is.counter);
    if (!compare(is, e->is.operator, strtod(e->is.value, NULL)))
        complain("%s of %s: expected %s %s, the log says %.15g", e->is.counter, e->name, e->is.operator, e->is.value,
                 is);
}

static void check_size(const logs *all, const expectation *e) {
    const long long wanted = strtoll(e->is.value, NULL, 10);
    for (size_t i = 0; i < all->count; i++) {
        iol__id_pairs sizes = {0};
        size_t number = IOL_IDMAP_NONE;
        iol__id_pairs_add(all->open[i], IOL_PAIRS_SIZES, 0, &sizes);
        for (size_t k = 0; k < sizes.ids.count; k++)
            if (fits(iol_log_name(all->open[i], sizes.ids.keys[k]), e->name)) number = k;
        if (number == IOL_IDMAP_NONE)
            complain("there is no size of %s", e->name);
        else if (sizes.values[number] != wanted)
            complain("size of %s: expected %lld, the log says %lld", e->name, wanted, (long long)sizes.values[number]);
        iol__id_pairs_free(&sizes);
    }
}

/* Whether the log says that the process removed it. */
static void check_removal(const logs *all, const expectation *e) {
    for (size_t i = 0; i < all->count; i++) {
        iol__id_pairs removed = {0};
        bool gone = false;
        iol__id_pairs_add(all->open[i], IOL_PAIRS_REMOVED, 0, &removed);
        for (size_t k = 0; k < removed.ids.count; k++)
            gone = gone || fits(iol_log_name(all->open[i], removed.ids.keys[k]), e->name);
        if (gone != (e->kind == EXPECT_GONE)) complain("%s: %s", e->name, gone ? "removed" : "not removed");
        iol__id_pairs_free(&removed);
    }
}

/* One module of one log. */
static double custom_worth(iol_log *log, size_t module, const iol_custom *custom, const expectation *e) {
    iol_custom_counter counter;
    iol_custom_record record;
    iol_custom_span span;
    iol_value value;
    double sum = 0;
    const char *what = e->is.counter;
    if (strcmp(what, "FOLDED") == 0) return (double)custom->folded;
    if (strcmp(what, "SPANS_LOST") == 0) return (double)custom->spans_lost;
    if (strcmp(what, "FAILED") == 0) return custom->failed;
    for (size_t i = 0; strcmp(what, "SPANS") == 0 && iol_custom_span_at(log, module, i, &span) == IOL_OK; i++)
        sum += fits(span.name, e->name);
    for (size_t r = 0; iol_custom_record_at(log, module, r, &record) == IOL_OK; r++) {
        if (!fits(record.name, e->name)) continue;
        if (strcmp(what, "RECORDS") == 0) sum++;
        for (size_t i = 0; iol_custom_counter_at(log, module, i, &counter) == IOL_OK; i++)
            if (strcmp(counter.is.name, what) == 0 && iol_custom_value(log, module, r, i, &value) == IOL_OK)
                sum += value.kind == IOL_REAL ? value.as.d : (double)value.as.i;
    }
    return sum;
}

static void check_custom(const logs *all, const expectation *e) {
    iol_custom custom;
    double is = 0;
    bool known = false;
    for (size_t i = 0; i < all->count; i++)
        for (size_t module = 0; iol_log_custom(all->open[i], module, &custom) == IOL_OK; module++) {
            if (strcmp(custom.name, e->module) != 0) continue;
            known = true;
            is += custom_worth(all->open[i], module, &custom, e);
        }
    if (!known && strcmp(e->is.counter, "RECORDS") != 0)
        complain("there is no module %s", e->module);
    else if (!compare(is, e->is.operator, strtod(e->is.value, NULL)))
        complain("%s %s %s: expected %s %s, the log says %.15g", e->module, e->name, e->is.counter, e->is.operator,
                 e->is.value, is);
}

static void check_one(const logs *all, const expectation *e) {
    if (e->kind == EXPECT_CUSTOM) {
        check_custom(all, e);
        return;
    }
    if (e->kind == EXPECT_SIZE) {
        check_size(all, e);
        return;
    }
    if (e->kind == EXPECT_GONE || e->kind == EXPECT_KEPT) {
        check_removal(all, e);
        return;
    }
    if (e->kind == EXPECT_OPERATION) {
        check_operation(all, e);
        return;
    }
    if (e->kind == EXPECT_COUNTER) {
        check_counter(all, e);
        return;
    }
    size_t count = each_record(all, e, NULL, NULL);
    size_t wanted = e->kind == EXPECT_RECORDS ? strtoul(e->is.value, NULL, 10) : 0;
    if (count != wanted) complain("%s %s: expected %zu records, there are %zu", e->module, e->name, wanted, count);
}

/* Totals only, or a trace that stopped, must be announced by the source. */
static void check_partial(const logs *all, size_t which) {
    iol_module module;
    for (int slot = 0; iol_log_module(all->open[which], slot, &module) == IOL_OK; slot++) {
        bool expected = false;
        for (size_t i = 0; i < all->hazard->n_partial; i++)
            expected |= module.name && strcmp(module.name, all->hazard->partial[i]) == 0;
        if (module.partial && !expected) complain("%s is incomplete", module.name ? module.name : "a module");
        if (expected && !module.partial) complain("%s is not marked incomplete", module.name);
    }
}

static void check_processes(const logs *all, long wanted) {
    int64_t processes = 0;
    size_t lines = 0;
    for (size_t i = 0; i < all->count; i++) {
        char tag[5];
        const void *bytes;
        size_t length;
        processes += iol_log_job(all->open[i])->processes;
        for (size_t s = 0; iol_log_trailer(all->open[i], s, tag, &bytes, &length) == IOL_OK; s++)
            for (size_t at = 0; strcmp(tag, "PROC") == 0 && at < length; at++)
                lines += ((const char *)bytes)[at] == '\n';
    }
    if (processes != wanted) complain("expected %ld processes, the log says %lld", wanted, (long long)processes);
    if (lines != (size_t)wanted) complain("expected %ld processes, the log lists %zu", wanted, lines);
}

void logs_check(const hazard *h, const char *directory, bool whole) {
    logs all = {.hazard = h};
    tree_entries(directory, open_one, &all);
    long least = whole ? h->least_logs : (h->least_logs > 0), most = whole ? h->most_logs : MOST_LOGS;
    if ((long)all.count < least || (long)all.count > most)
        complain("expected %ld to %ld logs, there are %zu", least, most, all.count);
    for (size_t i = 0; all.count > 0 && i < h->n_expectations; i++) check_one(&all, &h->expectations[i]);
    if (whole && h->processes >= 0) check_processes(&all, h->processes);
    for (size_t i = 0; i < all.count; i++) {
        check_partial(&all, i);
        if (iol_log_error_count(all.open[i]) > 0) complain("%s", iol_log_error(all.open[i], 0)->message);
        iol_log_close(all.open[i]);
    }
}
