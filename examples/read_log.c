/* What ran, and how many bytes each kind of I/O moved. Usage: read_log LOG
   Build it with: cc read_log.c $(pkg-config --cflags --libs iolite-log) */
#include <inttypes.h>
#include <iolite/log.h>
#include <stdio.h>

static void print_module(iol_log *log, const iol_module *module) {
    iol_records *records;
    iol_sum *sum;
    if (iol_records_open(log, module->slot, &records) != IOL_OK) return;
    if (iol_sum_new(log, module->slot, &sum) == IOL_OK) {
        const iol_record *record;
        iol_performance estimate;
        while (iol_records_next(records, &record) == IOL_OK) iol_sum_add(sum, record);
        if (iol_sum_performance(sum, &estimate) == IOL_OK)
            printf("%-8s %8" PRIu64 " records %14" PRId64 " bytes %10.1f MiB/s\n", module->name, iol_sum_records(sum),
                   estimate.total_bytes, estimate.mib_per_second);
        iol_sum_free(sum);
    }
    iol_records_close(records);
}

int main(int argc, char **argv) {
    iol_log *log;
    iol_error error;
    if (argc != 2 || iol_log_open(argv[1], &log, &error) != IOL_OK) {
        fprintf(stderr, "%s\n", argc != 2 ? "usage: read_log LOG" : error.message);
        return argc != 2 ? 2 : 3;
    }
    const iol_job *job = iol_log_job(log);
    printf("%s\n%" PRId64 " processes, %.1f s\n", job->exe, job->processes, job->run_time);
    iol_module module;
    for (int slot = 0; iol_log_module(log, slot, &module) == IOL_OK; slot++) print_module(log, &module);
    for (size_t i = 0; i < iol_log_error_count(log) && iol_log_error(log, i); i++)
        fprintf(stderr, "%s\n", iol_log_error(log, i)->message);
    iol_log_close(log);
    return 0;
}
