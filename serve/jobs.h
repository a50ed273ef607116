/* Jobs for the API and for pages: the list, one job, and its header box. */
#ifndef IOL_SERVE_JOBS_H
#define IOL_SERVE_JOBS_H

#include "serve/api/parts.h"
#include "site/connect/value.h"
#include "site/query/job_list.h"

/* The filters of a request, within what the viewer may see; texts and owners live as long as the exchange and `owners`. */
iol__job_filter iol__job_filter_of(iol__exchange *x, const char *owners[2]);
/* The jobs that the request's parameters mean and the viewer may see. `next` is the cursor of the next page, or NULL. False:
   the answer is made. */
bool iol__jobs_list(iol__exchange *x, size_t limit, void (*put)(void *, const iol__job_row *), void *context,
                    const char **next);

enum { IOL_SAME_ID = 100 };

/* The job that the path names. */
typedef struct iol__the_job {
    bool found;
    iol__job_row row;
    int64_t starts[IOL_SAME_ID]; /* of all with this id that the viewer may see, latest first */
    size_t n_starts;
    iol__which which; /* its logs */
} iol__the_job;

/* False: the answer is made; not there and not yours are the same. */
bool iol__find_job(iol__exchange *x, iol__the_job *job);

/* The header box: seconds and million bytes; NAN: not known. */
typedef struct iol__box {
    double start, end, wall, read, written, rate, percent;
} iol__box;
iol__box iol__box_of(const iol__job_row *job);
/* The file system with most bytes of some logs, "" for none. False: the answer is made. */
bool iol__main_fs(iol__exchange *x, const iol__which *which, char fs[256]);
/* What its servers saw in a time, and the shares of the job whose keys are in the row: fs_* and coverage_* keys. */
void iol__servers_at(iol__exchange *x, const char *fs, int64_t start, int64_t end, iol__value *row);
/* What the logs of a job say, under the names that analyses know: darshan_* keys. */
void iol__job_known(iol__arena *arena, const iol__job_row *job, iol__value *row);
/* NULL: there is a log. */
const char *iol__why_no_log(const iol__job_row *job);

#endif
