/* Rankings: who moves, waits for or wastes most, from the daily sums, or from the logs where these cannot tell. */
#ifndef IOL_SITE_RANK_H
#define IOL_SITE_RANK_H

#include "site/store/store.h"

typedef enum iol__rank_key {
    IOL_RANK_USER,
    IOL_RANK_FS,
    IOL_RANK_PROGRAM,
    IOL_RANK_TRIPLE, /* user, program and file system */
    IOL_RANK_ACCOUNT,
    IOL_RANK_JOB,
    IOL_RANK_FINDING,
    IOL_RANK_LINE, /* line of code, program and build id */
    IOL_RANK_KEYS
} iol__rank_key;

typedef enum iol__unit { IOL_UNIT_BYTES, IOL_UNIT_TIME, IOL_UNIT_COUNT, IOL_UNIT_SHARE } iol__unit;

typedef struct iol__measure {
    const char *name;
    const char *logs, *mounts, *findings, *lines; /* SQL over the columns; NULL: it cannot be answered */
    iol__unit unit;
    const char *words;
} iol__measure;

extern const iol__measure iol__measures[];
extern const size_t iol__measures_count;
const iol__measure *iol__measure_find(const char *name);

/* Patterns of one kind: any of them, or none. */
typedef struct iol__patterns {
    const char *const *list;
    size_t count;
} iol__patterns;

typedef struct iol__rank_query {
    iol__rank_key key;
    const iol__measure *measure;
    iol__patterns only_fs, not_fs, only_user, not_user, only_exe, not_exe, only_rule;
    const char *const *owners; /* only of exactly these users; 0: of any */
    size_t n_owners;
    int64_t since, until; /* days, 20261231; 0: any; `until` counts */
    size_t limit;         /* 0: all */
    bool without_total;   /* nobody asks what all together is: `total` and `logs` stay 0 */
} iol__rank_query;

typedef struct iol__ranked {
    char *key[3];  /* of a triple; else the first; NULL: not known */
    char *mountpt; /* of a file system, one of them */
    int64_t read, written, logs, value;
} iol__ranked;

typedef struct iol__ranking {
    iol__ranked *list; /* most first, then by key */
    size_t count;
    int64_t total; /* of the measure, over all that is not excluded; the largest of shares */
    int64_t logs;
} iol__ranking;

iol_status iol__rank(iol__store *store, const iol__rank_query *query, iol__ranking *ranking);
void iol__ranking_free(iol__ranking *ranking);
/* Several stores as one: equal keys are added up, of shares the larger counts. Takes `more`. False without memory. */
bool iol__ranking_merge(iol__ranking *ranking, iol__ranking *more, iol__unit unit);

#endif
