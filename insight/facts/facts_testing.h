/* For the tests of insight: records with a few counters set, and the facts of the log they make. */
#ifndef IOL_INSIGHT_FACTS_TESTING_H
#define IOL_INSIGHT_FACTS_TESTING_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "insight/facts/facts.h"
#include "tests/support/logrecords.h"
#include "tests/support/opened.h"

/* One counter by its number in schema.h, integer or double. */
typedef struct setting {
    int place;
    bool real;
    double value;
} setting;

#define I(name, value) \
    { IOL_##name, false, value }
#define F(name, value) \
    { IOL_##name, true, value }
/* A list of settings, as an argument. */
#define WITH(...)                     \
    (const setting[]) {               \
        __VA_ARGS__, { -1, false, 0 } \
    }

/* A record of the newest version with these counters, and 0 elsewhere. `owner` is for datasets and variables. */
static inline void put_owned(lm_log *log, int slot, const char *name, int64_t rank, uint64_t owner,
                             const setting *with) {
    lm_counts counts = {0};
    for (; with->place >= 0; with++) {
        if (with->real)
            counts.reals[with->place] = with->value;
        else
            counts.ints[with->place] = (int64_t)with->value;
    }
    unsigned version = lm_newest(slot);
    lm_fixed(lm_records(log, slot, version), slot, version, lm_id(name), rank, owner, &counts);
    lm_name(log, lm_id(name), name);
}

static inline void put(lm_log *log, int slot, const char *name, int64_t rank, const setting *with) {
    put_owned(log, slot, name, rank, 0, with);
}

typedef struct known {
    opened o;
    iol__facts facts;
} known;

static inline known know(lm_log *log) {
    known k = {.o = opened_from(log)};
    assert_true(iol__facts_make(k.o.log, NULL, NULL, &k.facts));
    return k;
}

static inline void forget(known *k) {
    iol__facts_free(&k->facts);
    opened_close(&k->o);
}

static inline lm_log *job_of(int64_t processes) {
    lm_log *log = lm_new(41, false, LM_ZLIB);
    log->processes = processes;
    return log;
}

static inline const iol__facts_file *file_of(const known *k, const char *name) {
    const iol__facts_file *file = iol__facts_find(&k->facts, lm_id(name));
    assert_non_null(file);
    return file;
}

static inline const iol__facts_use *use_of(const known *k, const char *name, iol__facts_layer layer) {
    const iol__facts_use *use = file_of(k, name)->layer[layer];
    assert_non_null(use);
    return use;
}

#endif
