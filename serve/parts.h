/* Pieces that several answers have: rows of jobs, findings, file systems, size classes. */
#ifndef IOL_SERVE_PARTS_H
#define IOL_SERVE_PARTS_H

#include "serve/answer.h"
#include "site/rank.h"
#include "site/sql.h"

/* Columns of a job, in the order of the schema Job where both have them. */
extern const char iol__job_columns[];
enum { IOL_JOB_CELLS = 19 };
void iol__put_job(iol__answer *output, const iol__cell *cells);
/* JOB_FIELDS of schemas.def, inside of a row. */
void iol__put_job_facts(iol__answer *output, const iol__cell *cells);

/* Columns of a run: a log in the order of the schema Run. */
extern const char iol__run_columns[];
void iol__put_run(iol__answer *output, const iol__cell *cells);

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

/* Findings of logs, each rule once, worst first; conditions go between. */
#define IOL_SELECT_FINDINGS                                                                                    \
    "SELECT rule, level, COUNT(*), SUM(COALESCE(lost, 0)) AS cost, MIN(title), CASE level WHEN 'high' THEN 0 " \
    "WHEN 'warn' THEN 1 WHEN 'info' THEN 2 ELSE 3 END AS place FROM finding"
#define IOL_ORDER_FINDINGS " GROUP BY rule, level ORDER BY place, cost DESC, rule, level"
/* A row of those; the context is an answer. */
bool iol__put_finding(void *answer, const iol__cell *cells, size_t count);

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
