/* A folder with logs to merge, and what came of them; for the tests of merging. */
#ifndef IOL_TESTS_MERGING_H
#define IOL_TESTS_MERGING_H

#include "iolite/log.h"
#include "log/merge/merge.h"
#include "record/record.h"
#include "tests/support/logmaker.h"

enum { MOST_INPUTS = 16 };

/* Names that the processes' logs have. */
extern const char merging_shared[], merging_part[], merging_done[];

typedef struct merging {
    char folder[64], output[96];
    char paths[MOST_INPUTS][96];
    const char *inputs[MOST_INPUTS];
    size_t n_inputs;
    char complaints[4096];
    iol__merge merge;
    iol_error error;
} merging;

merging *merging_new(void);
void merging_free(merging *m);
void add_bytes(merging *m, const uint8_t *file, size_t length);
void add_log(merging *m, lm_log *made);
/* The merged log, open for reading. */
iol_log *merged(merging *m);
/* One process of an MPI job, as the runtime leaves it or as a finished log. */
lm_log *process(int64_t ranks, bool mapped);
/* The record of an id and rank, and how many there are; the log must be readable to its end. */
const iol_record *record_of(iol_log *log, int slot, uint64_t id, int64_t rank, iol_records **records, int *count);
int count_of(iol_log *log, int slot, uint64_t id);
void assert_near(double got, double expected, double slack);

#endif
