/* The fixture of the merge tests: inputs become files in a folder of their own, which must be empty in the end. */
#include "tests/support/merging.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/opened.h"

const char merging_shared[] = "/scratch/shared.dat", merging_part[] = "/scratch/part.dat",
           merging_done[] = "/scratch/done.dat";

merging *merging_new(void) {
    merging *m = need(sizeof *m);
    memset(m, 0, sizeof *m);
    strcpy(m->folder, access("/dev/shm", W_OK) == 0 ? "/dev/shm/iolite-XXXXXX" : "/tmp/iolite-XXXXXX");
    assert_non_null(mkdtemp(m->folder));
    strcat(strcpy(m->output, m->folder), "/merged");
    return m;
}

void merging_free(merging *m) {
    for (size_t i = 0; i < m->n_inputs; i++) unlink(m->paths[i]);
    unlink(m->output);
    assert_int_equal(rmdir(m->folder), 0); /* nothing else was left there */
    free(m);
}

void add_bytes(merging *m, const uint8_t *file, size_t length) {
    assert_true(m->n_inputs < MOST_INPUTS);
    char *path = m->paths[m->n_inputs];
    strcpy(path, m->folder);
    snprintf(path + strlen(path), 16, "/input-%02zu", m->n_inputs);
    m->inputs[m->n_inputs++] = path;
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(file, 1, length, out), length);
    assert_int_equal(fclose(out), 0);
}

void add_log(merging *m, lm_log *made) {
    size_t length;
    uint8_t *file = lm_finish(made, &length);
    lm_free(made);
    add_bytes(m, file, length);
    free(file);
}

static void note_complaint(void *context, const char *message) {
    merging *m = context;
    size_t have = strlen(m->complaints);
    snprintf(m->complaints + have, sizeof m->complaints - have, "%s\n", message);
}

iol_log *merged(merging *m) {
    m->merge.inputs = m->inputs;
    m->merge.n_inputs = m->n_inputs;
    m->merge.complain = note_complaint;
    m->merge.context = m;
    m->merge.used = m->merge.skipped = m->merge.damaged = m->merge.live = 0;
    const iol_write_options options = {.replace = true};
    if (iol__merge_logs(&m->merge, m->output, &options, &m->error) != IOL_OK) fail_msg("%s", m->error.message);
    iol_log *log;
    iol_error error;
    if (iol_log_open(m->output, &log, &error) != IOL_OK) fail_msg("%s", error.message);
    return log;
}

lm_log *process(int64_t ranks, bool mapped) {
    lm_log *log = lm_new(41, false, LM_ZLIB);
    if (mapped) lm_make_mapped(log);
    log->processes = ranks;
    lm_name(log, lm_id(merging_shared), merging_shared);
    lm_name(log, lm_id(merging_part), merging_part);
    return log;
}

const iol_record *record_of(iol_log *log, int slot, uint64_t id, int64_t rank, iol_records **records, int *count) {
    const iol_record *record, *found = NULL;
    iol_status status = IOL_OK;
    *count = 0;
    assert_int_equal(iol_records_open(log, slot, records), IOL_OK);
    while ((status = iol_records_next(*records, &record)) == IOL_OK)
        *count += record->id == id && (record->rank == rank || rank < -1) && !record->header;
    assert_int_equal(status, IOL_END);
    iol_records_close(*records);
    assert_int_equal(iol_records_open(log, slot, records), IOL_OK);
    while (!found && iol_records_next(*records, &record) == IOL_OK)
        if (record->id == id && (record->rank == rank || rank < -1) && !record->header) found = record;
    return found;
}

int count_of(iol_log *log, int slot, uint64_t id) {
    iol_records *records;
    int count;
    record_of(log, slot, id, -2, &records, &count);
    iol_records_close(records);
    return count;
}

void assert_near(double got, double expected, double slack) {
    if (!(fabs(got - expected) <= slack)) fail_msg("%.17g instead of %.17g", got, expected);
}
