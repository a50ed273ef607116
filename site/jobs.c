/* Intervals of logs and of batch jobs that are no more than a day apart are one job; a job id that comes again later is
   another. Sums are made in C, over rows in a fixed order. */
#include "site/jobs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "insight/facts.h"
#include "site/site.h"

static const int64_t apart = INT64_C(86400) * 1000000;

/* Columns that are added up, and those of which the largest counts. */
#define SUMMED(use)                                                                                                  \
    use(bytes_read) use(bytes_written) use(reads) use(writes) use(opens) use(stats) use(read_time) use(write_time)   \
        use(meta_time) use(io_time) use(run) use(redundant_read_bytes) use(small_shared_indep_writes) use(temporary) \
            use(findings) use(lost) use(node_time)

enum {
#define ONE(name) S_##name,
    SUMMED(ONE)
#undef ONE
        SUMS
};

/* A log, or a batch job. */
typedef struct part {
    int64_t uid; /* -1: a batch job, which may be anybody's */
    int64_t start, ended;
    char *owner, *exename;
    bool named; /* the owner is a name */
    int64_t sums[SUMS];
    int64_t nprocs, match[3];
    double meta_ratio, nodes;
    /* Of a batch job. */
    char *account, *partition, *name, *state, *entry, *cause;
    int64_t cores;
} part;

typedef struct parts {
    part *list;
    size_t count;
    bool failed;
} parts;

static part *add_part(parts *p) {
    if ((p->count & (p->count + 1)) == 0) {
        part *larger = realloc(p->list, (2 * p->count + 2) * sizeof *larger);
        if (!larger) {
            p->failed = true;
            return NULL;
        }
        p->list = larger;
    }
    p->list[p->count] = (part){0};
    return &p->list[p->count++];
}

static char *copy(const iol__cell *value) {
    const char *text = iol__cell_text(value);
    return text ? strdup(text) : NULL;
}

/* Reading ------------------------------------------------------------------------------------------------------- */

static const char log_query[] =
    "SELECT uid, start, ended, owner, exename, nprocs, match1, match2, match3, meta_ratio, nodes"
#define ONE(name) ", " #name
    SUMMED(ONE)
#undef ONE
        " FROM log WHERE cluster = ? AND jobid = ? ORDER BY uid, start, identity";

static bool take_log(void *context, const iol__cell *values, size_t count) {
    (void)count;
    part *p = add_part(context);
    if (!p) return false;
    p->uid = iol__cell_integer(&values[0]);
    p->start = iol__cell_integer(&values[1]);
    p->ended = values[2].kind == IOL_CELL_NULL ? p->start : iol__cell_integer(&values[2]);
    p->owner = copy(&values[3]);
    p->named = p->owner && strncmp(p->owner, "uid:", 4) != 0;
    p->exename = copy(&values[4]);
    p->nprocs = iol__cell_integer(&values[5]);
    for (int i = 0; i < 3; i++) p->match[i] = iol__cell_integer(&values[6 + i]);
    p->meta_ratio = iol__cell_real(&values[9]);
    p->nodes = iol__cell_real(&values[10]);
    for (int i = 0; i < SUMS; i++) p->sums[i] = iol__cell_integer(&values[11 + i]);
    return true;
}

static const char sched_query[] =
    "SELECT start, ended, username, account, part, name, state, entry, cause, nodes, cores, submit "
    "FROM sched WHERE cluster = ? AND jobid = ? ORDER BY submit";

static bool take_sched(void *context, const iol__cell *values, size_t count) {
    (void)count;
    part *p = add_part(context);
    if (!p) return false;
    p->uid = -1;
    bool never = values[0].kind == IOL_CELL_NULL;
    p->start = iol__cell_integer(&values[never ? 11 : 0]);
    p->ended = values[1].kind == IOL_CELL_NULL || never ? p->start : iol__cell_integer(&values[1]);
    p->owner = copy(&values[2]);
    p->named = p->owner != NULL;
    p->account = copy(&values[3]);
    p->partition = copy(&values[4]);
    p->name = copy(&values[5]);
    p->state = copy(&values[6]);
    p->entry = copy(&values[7]);
    p->cause = copy(&values[8]);
    p->nodes = iol__cell_real(&values[9]);
    p->cores = iol__cell_integer(&values[10]);
    return true;
}

static void free_parts(parts *p) {
    for (size_t i = 0; i < p->count; i++) {
        char *texts[] = {p->list[i].owner, p->list[i].exename, p->list[i].account, p->list[i].partition,
                         p->list[i].name,  p->list[i].state,   p->list[i].entry,   p->list[i].cause};
        for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) free(texts[t]);
    }
    free(p->list);
}

/* One job ------------------------------------------------------------------------------------------------------- */

typedef struct job {
    int64_t uid, start, ended;
    const part *batch;   /* NULL: the batch system does not know it */
    const part *largest; /* log, by bytes */
    const char *owner;
    int64_t logs, sums[SUMS], nprocs, match[3];
    double meta_ratio, nodes;
    bool named;
} job;

static int64_t bytes_of(const part *p) { return iol__facts_plus(p->sums[S_bytes_read], p->sums[S_bytes_written]); }

static void add_log(job *j, const part *p) {
    if (!j->largest || bytes_of(p) > bytes_of(j->largest)) j->largest = p;
    for (int i = 0; i < SUMS; i++) j->sums[i] = iol__facts_plus(j->sums[i], p->sums[i]);
    for (int i = 0; i < 3; i++) j->match[i] |= p->match[i];
    if (p->nprocs > j->nprocs) j->nprocs = p->nprocs;
    if (!(p->meta_ratio <= j->meta_ratio)) j->meta_ratio = p->meta_ratio;
    if (!(p->nodes <= j->nodes)) j->nodes = p->nodes;
    j->logs++;
}

static void add(job *j, const part *p) {
    if (p->uid < 0) {
        j->batch = p;
        j->owner = p->owner ? p->owner : j->owner;
        j->named = true;
    } else {
        add_log(j, p);
        if (!j->owner || (p->named && !j->named)) {
            j->owner = p->owner;
            j->named = p->named;
        }
    }
    if (p->start < j->start) j->start = p->start;
    if (p->ended > j->ended) j->ended = p->ended;
}

static iol_status put_job(iol__store *store, const struct iol__site *site, const char *cluster, const char *jobid,
                          const job *j) {
    const part *b = j->batch;
    iol__cell values[IOL_WIDEST] = {0};
#define SET(column, value) values[IOL_AT(job, column)] = (value)
    SET(cluster, iol__text(cluster));
    SET(jobid, iol__text(jobid));
    SET(owner, iol__text(j->owner ? j->owner : "unknown"));
    int64_t start = b ? b->start : j->start, ended = b ? b->ended : j->ended;
    SET(start, iol__integer(start));
    SET(ended, ended > start ? iol__integer(ended) : iol__null());
    SET(day, iol__integer(iol__site_day(site, start)));
    SET(known, iol__integer(b != NULL));
    SET(nodes, iol__real(b ? b->nodes : j->nodes));
    SET(logs, iol__integer(j->logs));
    SET(nprocs, iol__integer(j->nprocs));
    SET(exename, iol__text(j->largest ? j->largest->exename : NULL));
    SET(meta_ratio, iol__real(j->meta_ratio));
    SET(selected, iol__integer((j->match[0] ? 1 : 0) | (j->match[1] ? 2 : 0) | (j->match[2] ? 4 : 0)));
    SET(match1, iol__integer(j->match[0]));
    SET(match2, iol__integer(j->match[1]));
    SET(match3, iol__integer(j->match[2]));
#define ONE(name) SET(name, iol__integer(j->sums[S_##name]));
    SUMMED(ONE)
#undef ONE
    if (b) {
        SET(account, iol__text(b->account));
        SET(part, iol__text(b->partition));
        SET(name, iol__text(b->name));
        SET(state, iol__text(b->state));
        SET(entry, iol__text(b->entry));
        SET(cause, iol__text(b->cause));
        SET(cores, iol__integer(b->cores));
        SET(core_time, iol__integer(b->cores * (b->ended - b->start)));
    }
#undef SET
    return iol__store_put(store, IOL_TABLE_job, values);
}

/* All of them --------------------------------------------------------------------------------------------------- */

static bool belongs(const job *j, const part *p) {
    return p->start <= j->ended + apart && j->start <= p->ended + apart;
}

/* The last batch job that a job of logs overlaps with; those that nobody wants stand alone. */
static void add_batch(job *jobs, size_t *n, const part *p) {
    for (size_t i = 0; i < *n; i++) {
        if (!belongs(&jobs[i], p)) continue;
        if (!jobs[i].batch || jobs[i].batch->start < p->start) add(&jobs[i], p);
        return;
    }
    jobs[*n] = (job){.uid = -1, .start = p->start, .ended = p->ended, .meta_ratio = NAN, .nodes = NAN};
    add(&jobs[(*n)++], p);
}

/* Logs are sorted by user and start. */
static size_t group(const parts *p, job *jobs) {
    size_t n = 0;
    for (size_t i = 0; i < p->count; i++) {
        const part *one = &p->list[i];
        if (one->uid < 0) {
            add_batch(jobs, &n, one);
            continue;
        }
        job *last = n ? &jobs[n - 1] : NULL;
        if (!last || last->uid != one->uid || one->start > last->ended + apart) {
            jobs[n] = (job){.uid = one->uid,
                            .start = one->start,
                            .ended = one->ended,
                            .meta_ratio = one->meta_ratio,
                            .nodes = one->nodes};
            last = &jobs[n++];
        }
        add(last, one);
    }
    return n;
}

iol_status iol__jobs_rebuild(iol__store *store, const struct iol__site *site, const char *cluster, const char *jobid) {
    const iol__cell key[] = {iol__text(cluster), iol__text(jobid)};
    parts p = {0};
    iol_status status = iol__store_ask(store, log_query, key, 2, take_log, &p);
    if (status == IOL_OK) status = iol__store_ask(store, sched_query, key, 2, take_sched, &p);
    if (status == IOL_OK) status = iol__store_run(store, "DELETE FROM job WHERE cluster = ? AND jobid = ?", key, 2);
    job *jobs = p.failed ? NULL : calloc(p.count + 1, sizeof *jobs);
    if (!jobs) status = iol__store_fail(&store->error, IOL_SYSTEM, "out of memory");
    size_t n = jobs ? group(&p, jobs) : 0;
    for (size_t i = 0; status == IOL_OK && i < n; i++) status = put_job(store, site, cluster, jobid, &jobs[i]);
    free(jobs);
    free_parts(&p);
    return status;
}
