/* Sums of all modules at once, and how they are written. */
#include "log/figures/totals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log/read/log_internal.h"
#include "log/write/rewrite.h"
#include "record/hash.h"

enum { LINE = 120 };

typedef struct module_total {
    iol_sum *sum;
    bool partial;
} module_total;

struct iol__totals {
    module_total modules[IOL_SLOTS_KNOWN];
    char lines[IOL_SLOTS_KNOWN][LINE];
    size_t n_lines;
};

static void totals_describe(iol__totals *t, int slot, const iol_sum *sum) {
    iol_performance speed;
    iol_files files = {0};
    char *line = t->lines[t->n_lines++];
    int at = snprintf(line, LINE, "totals_%s=records %llu", iol__modules[slot].name,
                      (unsigned long long)iol_sum_records(sum));
    if (iol_sum_files(sum, IOL_FILES_ALL, &files) == IOL_OK)
        at += snprintf(line + at, LINE - (size_t)at, ", files %lld", (long long)files.count);
    if (iol_sum_performance(sum, &speed) == IOL_OK && speed.time > 0)
        snprintf(line + at, LINE - (size_t)at, ", MiB/s %.6g, s %.6g", speed.mib_per_second, speed.time);
}

static void add_up(iol__totals *t, iol_log *log, int slot) {
    module_total *m = &t->modules[slot];
    iol_records *records;
    const iol_record *record;
    if (!log->modules[slot].length || iol_sum_new(log, slot, &m->sum) != IOL_OK) return;
    m->partial = log->modules[slot].partial;
    iol_status status = iol_records_open(log, slot, &records);
    while (status == IOL_OK && (status = iol_records_next(records, &record)) == IOL_OK)
        if (!record->header) iol_sum_add(m->sum, record);
    iol_records_close(records);
    if (status != IOL_END) m->partial = true;
    if (iol_sum_records(m->sum)) totals_describe(t, slot, m->sum);
}

iol__totals *iol__totals_of(iol_log *log) {
    iol__totals *t = calloc(1, sizeof *t);
    for (int slot = 0; t && slot < IOL_SLOTS_KNOWN; slot++) add_up(t, log, slot);
    return t;
}

void iol__totals_free(iol__totals *t) {
    for (int slot = 0; t && slot < IOL_SLOTS_KNOWN; slot++) iol_sum_free(t->modules[slot].sum);
    free(t);
}

const char *iol__totals_line(const iol__totals *t, size_t number) {
    return number < t->n_lines ? t->lines[number] : NULL;
}

/* The record stands for all ranks, whose I/O time is that of the slowest: where the estimate of the log puts it. */
static iol_status write_total(iol_writer *writer, int slot, const iol_sum *sum, uint64_t id) {
    iol_record record = *iol_sum_total(sum);
    const iol__roles *roles = iol__modules[slot].roles;
    iol_performance speed;
    double reals[IOL_POSIX_REALS]; /* the most that a sum has */
    record.id = id;
    record.rank = -1;
    if (roles && roles->estimated && iol_sum_performance(sum, &speed) == IOL_OK) {
        memcpy(reals, record.reals, record.n_reals * sizeof *reals);
        reals[roles->slowest_time] = speed.time;
        record.reals = reals;
    }
    return iol_writer_record(writer, &record);
}

iol_status iol__totals_write(const iol__totals *t, iol_writer *writer) {
    const uint64_t id = iol__hash(IOL_TOTALS_NAME, strlen(IOL_TOTALS_NAME), 0);
    iol_status status = iol_writer_name(writer, id, IOL_TOTALS_NAME);
    for (int slot = 0; status == IOL_OK && slot < IOL_SLOTS_KNOWN; slot++) {
        const module_total *m = &t->modules[slot];
        if (!m->sum || !iol_sum_records(m->sum)) continue;
        status = iol_writer_module(writer, slot, m->partial);
        if (status == IOL_OK) status = write_total(writer, slot, m->sum, id);
    }
    return status;
}
