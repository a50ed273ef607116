/* Which jobs are meant: the conditions that `iolite jobs` and the server share, and the order of pages. */
#ifndef IOL_SITE_JOB_LIST_H
#define IOL_SITE_JOB_LIST_H

#include "base/arena.h"
#include "site/query/ranking.h"
#include "site/query/sql.h"

/* What is NULL or 0 does not matter. */
typedef struct iol__job_filter {
    iol__patterns users, programs, accounts, rules; /* patterns of SQL, any of them */
    const char *const *owners;                      /* of exactly these; what they must not know decides nothing */
    size_t n_owners;
    const char *cluster, *jobid, *state;
    const char *fs;        /* with traffic on this file system */
    const char *search;    /* a pattern of SQL for job id, user, program and name together */
    int64_t since, until;  /* days of the start, 20261231 */
    int64_t from, before;  /* microseconds: ran at some time in [from, before) */
    int64_t least_bytes;   /* moved */
    int64_t least_lost;    /* microseconds that findings cost */
    int selected;          /* by metric 1, 2 or 3 */
    bool logged, unlogged; /* only with, only without a log */
    /* Made by iol__job_search: that the words were searched, and the ids of all jobs that can match; NULL: too many. */
    bool searched;
    const iol__cell *ids;
    size_t n_ids;
} iol__job_filter;

/* What a search looks at. */
#define IOL_SEARCHED_OF_JOB "jobid || ' ' || owner || ' ' || COALESCE(exename, '') || ' ' || COALESCE(name, '')"

/* Searches words before jobs, where that is faster; the filter means the same jobs before and after. The arena has to live as
   long as the filter. */
iol_status iol__job_search(iol__store *store, iol__arena *arena, iol__job_filter *filter);
/* The condition that follows from it. */
void iol__job_searched(iol__sql *sql, const iol__job_filter *filter);

void iol__job_conditions(iol__sql *sql, const iol__job_filter *filter);

/* The place of a job in a list that is sorted by a column, then by start and name. */
typedef struct iol__job_place {
    iol__cell value;
    int64_t start;
    const char *cluster, *jobid, *owner;
} iol__job_place;

typedef struct iol__job_sort {
    const char *expression; /* of columns of the table job */
    bool ascending;
    const iol__job_place *after; /* only jobs behind this one; NULL: from the first on */
} iol__job_sort;

/* " FROM job ..." with conditions, order and limit, behind a list of the table's columns. */
void iol__job_list(iol__sql *sql, iol__store *store, const iol__job_filter *filter, const iol__job_sort *sort,
                   size_t limit);

#endif
