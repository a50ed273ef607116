/* Pieces that several answers have: rows of jobs, findings, file systems, size classes. */
#ifndef IOL_SERVE_PARTS_H
#define IOL_SERVE_PARTS_H

#include "serve/answer.h"
#include "site/query/ranking.h"
#include "site/query/query.h"

/* What follows from a row: MADE in schemas.def. Each takes a row of one kind. */
double iol__rate_of_job(const void *job);
double iol__io_share_of_job(const void *job);
double iol__rate_of_log(const void *log_of_job);
double iol__rate_of_the_log(const void *the_log);
double iol__io_share_of_the_log(const void *the_log);
double iol__rate_of_run(const void *run_of_log);

/* A column of a job as people are shown it: of a job without a log, what logs say is not known. Its run time is then that of
   the batch system. */
iol__cell iol__job_cell(const iol__column *column, const iol__job_row *job);

/* Rows that answers have as they come; the context is an answer. */
bool iol__take_run(void *answer, const iol__run_of_log_row *run);
bool iol__take_found(void *answer, const iol__found_row *finding);

/* Rates and shares; NAN where they are not known. */
double iol__mibs_of(double bytes, double io_microseconds);
double iol__percent_of(double part, double whole);

/* "a*b" of an address as a pattern of SQL; `inside`: anywhere in the text. */
const char *iol__pattern_of(iol__arena *arena, const char *text, bool inside);
/* Texts with commas between; none for NULL. */
iol__patterns iol__patterns_of(iol__arena *arena, const char *text);

/* Which logs an answer is about: conditions on the table `log`, to be put inside "log_id IN (SELECT log_id FROM log ...". */
typedef struct iol__which {
    const iol__viewer *viewer;
    int64_t log_id; /* 0: any */
    const char *cluster, *jobid, *owner;
    int64_t from, before; /* microseconds of the start; 0: any */
} iol__which;
void iol__which_logs(iol__sql *sql, const iol__which *which);

/* Rows of a subquery, with the file systems of their mounts; in words that all stores know. */
#define IOL_WITH_MOUNTS " AS f JOIN (SELECT mount_id, fs, mountpt, type FROM mount) AS m USING (mount_id)"

/* Findings of logs, each rule once, worst first; behind the conditions. */
#define IOL_ORDER_FINDINGS " GROUP BY rule, level ORDER BY place, cost DESC, rule, level"

/* Arrays and objects under a key of the object that is being written. False, with the answer made, if the store failed. */
bool iol__part_findings(iol__exchange *x, const iol__which *which);
bool iol__part_fs(iol__exchange *x, const iol__which *which);
bool iol__part_sizes(iol__exchange *x, const iol__which *which);

/* Requests of POSIX by size, and the same as a picture. */
enum { IOL_SIZE_CLASSES = 10 };
typedef struct iol__sizes {
    int64_t reads[IOL_SIZE_CLASSES], writes[IOL_SIZE_CLASSES];
} iol__sizes;
bool iol__sizes_of(iol__exchange *x, const iol__which *which, iol__sizes *sizes);
void iol__sizes_svg(iol__out *out, const iol__sizes *sizes);

#endif
