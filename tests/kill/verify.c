/* kill-verify [--ended] TRUTH LOG: whether the log says nothing that did not happen and misses nothing but what was in
   the making: for each file and counter, done <= counted <= begun. With --ended the program came to its end, so
   nothing was in the making. kill-verify TRUTH alone: status 0 if anything happened at all, else 1. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "iolite/log.h"
#include "tests/kill/truth.h"

static const char *const modules[TRUTH_COUNT] = {
#define X(identifier, module, counter) module,
    TRUTH_COUNTERS(X)
#undef X
};
static const char *const counters[TRUTH_COUNT] = {
#define X(identifier, module, counter) counter,
    TRUTH_COUNTERS(X)
#undef X
};

static uint64_t counted[TRUTH_FILES][TRUTH_COUNT];
static uint64_t heat_read, heat_written, heat_bins;
static int complaints;

static int file_of(const char *name) {
    const char *last = name ? strrchr(name, '/') : NULL;
    if (!last || strncmp(last, "/file.", 6) != 0 || last[6] < '0' || last[6] >= '0' + TRUTH_FILES) return -1;
    return last[7] == '\0' ? last[6] - '0' : -1;
}

static void add_record(iol_log *log, const iol_record *record, const char *module) {
    int file = file_of(iol_log_name(log, iol_record_id(record)));
    if (file < 0) return;
    for (int c = 0; c < TRUTH_COUNT; c++) {
        iol_value value;
        if (strcmp(modules[c], module) == 0 && iol_record_find(record, counters[c], &value) == IOL_OK)
            counted[file][c] += (uint64_t)value.as.i;
    }
}

static void add_heat(iol_log *log, const iol_record *record) {
    const char *name = iol_log_name(log, iol_record_id(record));
    iol_heatmap map;
    if (!name || strcmp(name, "heatmap:POSIX") != 0 || iol_record_heatmap(record, &map) != IOL_OK) return;
    for (size_t bin = 0; bin < map.bins; bin++) {
        heat_read += (uint64_t)map.read[bin];
        heat_written += (uint64_t)map.written[bin];
        heat_bins += map.read[bin] || map.written[bin];
    }
}

static void add_module(iol_log *log, const char *module) {
    iol_records *records;
    const iol_record *record;
    if (iol_records_open(log, iol_module_find(module), &records) != IOL_OK) return;
    while (iol_records_next(records, &record) == IOL_OK) {
        if (strcmp(module, "HEATMAP") == 0)
            add_heat(log, record);
        else
            add_record(log, record, module);
    }
    iol_records_close(records);
}

static void judge(const char *what, int file, uint64_t done, uint64_t seen, uint64_t begun) {
    if (seen >= done && seen <= begun) return;
    if (file >= 0) printf("file.%d ", file);
    printf("%s: done %" PRIu64 ", in the log %" PRIu64 ", begun %" PRIu64 "\n", what, done, seen, begun);
    complaints++;
}

/* An operation that takes longer than a bin is rounded in each of them, and need not add up. */
static void judge_heat(const char *what, const uint64_t total[2], uint64_t seen) {
    judge(what, -1, total[0] > heat_bins ? total[0] - heat_bins : 0, seen, total[1] + heat_bins);
}

static void judge_all(const truth *facts, const iol_job *job, bool ended) {
    uint64_t totals[TRUTH_COUNT][2] = {0};
    for (int file = 0; file < TRUTH_FILES; file++)
        for (int c = 0; c < TRUTH_COUNT; c++) {
            uint64_t done = atomic_load(&facts->counts[file][c].done),
                     begun = atomic_load(&facts->counts[file][c].begun);
            if (ended && done != begun) judge("the program's own counts differ", file, begun, done, begun);
            judge(counters[c], file, done, counted[file][c], begun);
            totals[c][0] += done;
            totals[c][1] += begun;
        }
    judge_heat("bytes read in heat maps", totals[TRUTH_BYTES_READ], heat_read);
    judge_heat("bytes written in heat maps", totals[TRUTH_BYTES_WRITTEN], heat_written);
    judge("processes", -1, atomic_load(&facts->worked), (uint64_t)job->processes, atomic_load(&facts->forks) + 1);
}

static bool anything(const truth *facts) {
    for (int file = 0; file < TRUTH_FILES; file++)
        for (int c = 0; c < TRUTH_COUNT; c++)
            if (atomic_load(&facts->counts[file][c].done) > 0) return true;
    return false;
}

int main(int argc, char **argv) {
    bool ended = argc > 1 && strcmp(argv[1], "--ended") == 0;
    int at = ended ? 2 : 1;
    const truth *facts = argc > at ? truth_open(argv[at]) : NULL;
    if (!facts) return 2;
    if (argc == at + 1) return anything(facts) ? 0 : 1;
    iol_log *log;
    iol_error error;
    if (iol_log_open(argv[at + 1], &log, &error) != IOL_OK) {
        puts(error.message);
        return 1;
    }
    add_module(log, "POSIX");
    add_module(log, "STDIO");
    add_module(log, "HEATMAP");
    judge_all(facts, iol_log_job(log), ended);
    if (iol_log_error_count(log) > 0) {
        puts(iol_log_error(log, 0)->message);
        complaints++;
    }
    iol_log_close(log);
    return complaints > 0;
}
