/* Intervals of logs and of batch jobs that are no more than a day apart are one job; a job id that comes again later is
   another. Sums are made in C, over rows in a fixed order. */
#include "site/index/jobs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/grow.h"
#include "insight/facts/facts.h"
#include "site/index/application.h"
#include "site/query/query.h"
#include "site/site.h"

static const int64_t apart = INT64_C(86400) * 1000000;

/* Columns that are added up. */
typedef enum summed {
#define SUM(name) S_##name,
#define SUM_OF_DAY(name)
#define SUM_OF_JOB(name) SUM(name)
#include "site/log_sums.def"
#undef SUM
#undef SUM_OF_DAY
#undef SUM_OF_JOB
    SUMS
} summed;

/* A log, or a batch job. */
typedef struct part {
    char *jobid;
    bool scheduled; /* a batch job, which may be anybody's */
    int64_t uid;
    int64_t start, ended;
    bool instant; /* it is known to have ended in the second in which it began */
    char *owner, *exename;
    bool named; /* the owner is a name */
    int64_t sums[SUMS];
    int64_t nprocs, match[3];
    double meta_ratio, nodes;
    int64_t app_time; /* of the application of a log; -1: it has none */
    bool tool;        /* it is one of those that scripts use */
    bool ranks;       /* which is a parallel program */
    char *cause, *missed;
    /* Of a batch job. */
    char *account, *partition, *name, *state, *entry;
    int64_t cores;
    bool timeless; /* nobody has said yet when it ran */
} part;

typedef struct parts {
    part *list;
    size_t count;
    bool failed;
} parts;

static part *add_part(parts *p) {
    if (!IOL_GROW_NEXT(p->list, p->count)) {
        p->failed = true;
        return NULL;
    }
    p->list[p->count] = (part){0};
    return &p->list[p->count++];
}

static char *copy_text(const char *text) { return text ? strdup(text) : NULL; }

/* Reading ------------------------------------------------------------------------------------------------------- */

static bool take_log(void *context, const iol__log_part_row *log) {
    part *p = add_part(context);
    if (!p) return false;
    p->uid = log->uid;
    p->start = log->start;
    p->ended = iol__known_or(log->ended, log->start);
    p->owner = copy_text(log->owner);
    p->named = p->owner && strncmp(p->owner, "uid:", 4) != 0;
    p->exename = copy_text(log->exename);
    p->nprocs = log->nprocs;
    p->match[0] = log->match1;
    p->match[1] = log->match2;
    p->match[2] = log->match3;
    p->meta_ratio = log->meta_ratio;
    p->nodes = log->nodes;
    p->jobid = copy_text(log->jobid);
    p->app_time = log->app ? iol__known_or(log->app_time, 0) : -1;
    p->tool = log->app && iol__is_tool(log->app);
    p->ranks = iol__known_or(log->app_ranks, 0) != 0;
    p->missed = copy_text(log->missed);
    p->cause = copy_text(log->cause);
    p->timeless = log->start == 0;
#define SUM(name) p->sums[S_##name] = log->name;
#define SUM_OF_DAY(name)
#define SUM_OF_JOB(name) SUM(name)
#include "site/log_sums.def"
#undef SUM
#undef SUM_OF_DAY
#undef SUM_OF_JOB
    return true;
}

static bool take_sched(void *context, const iol__sched_row *batch) {
    part *p = add_part(context);
    if (!p) return false;
    const bool never = !batch->start.known;
    p->scheduled = true;
    p->start = never ? batch->submit : batch->start.value;
    p->ended = never ? p->start : iol__known_or(batch->ended, p->start);
    p->instant = !never && p->start && iol__known_or(batch->ended, -1) == p->start;
    p->owner = copy_text(batch->username);
    p->named = p->owner != NULL;
    p->account = copy_text(batch->account);
    p->partition = copy_text(batch->part);
    p->name = copy_text(batch->name);
    p->state = copy_text(batch->state);
    p->entry = copy_text(batch->entry);
    p->cause = copy_text(batch->cause);
    p->nodes = batch->nodes.known ? (double)batch->nodes.value : NAN;
    p->cores = batch->cores.value;
    p->jobid = copy_text(batch->jobid);
    p->missed = copy_text(batch->missed);
    p->timeless = never && p->start == 0;
    return true;
}

static void free_parts(parts *p) {
    for (size_t i = 0; i < p->count; i++) {
        char *texts[] = {p->list[i].owner, p->list[i].exename, p->list[i].account, p->list[i].partition,
                         p->list[i].name,  p->list[i].state,   p->list[i].entry,   p->list[i].cause,
                         p->list[i].jobid, p->list[i].missed};
        for (size_t t = 0; t < IOL_COUNT(texts); t++) free(texts[t]);
    }
    free(p->list);
}

/* One job ------------------------------------------------------------------------------------------------------- */

typedef struct job {
    int64_t uid, start, ended;
    const part *batch;   /* NULL: the batch system does not know it */
    const part *largest; /* log, by bytes */
    const part *missing; /* a log that knows of programs that are in none */
    const part *hidden;  /* a log that knows of a shell which is in none, nor what it started */
    const char *owner;
    int64_t logs, sums[SUMS], nprocs, match[3];
    double meta_ratio, nodes;
    bool ratio_selects; /* metric 2 selects the log that it is of */
    bool named;
    bool timeless;    /* none of its parts says when it ran */
    bool ranks;       /* a launcher started one of its programs */
    bool tool;        /* the application is one of those that scripts use */
    int64_t app_time; /* of the application that ran longest; -1: there is none */
} job;

static int64_t bytes_of(const part *p) { return iol__facts_plus(p->sums[S_bytes_read], p->sums[S_bytes_written]); }

/* The largest; of logs that metric 2 selects, if it selects any: what is shown is what selected. */
static void add_ratio(job *j, const part *p) {
    const bool selects = p->match[1] != 0;
    if (selects == j->ratio_selects)
        j->meta_ratio = fmax(j->meta_ratio, p->meta_ratio);
    else if (selects)
        j->meta_ratio = p->meta_ratio;
    j->ratio_selects = j->ratio_selects || selects;
}

static void add_log(job *j, const part *p) {
    if (!j->largest || bytes_of(p) > bytes_of(j->largest)) j->largest = p;
    for (int i = 0; i < SUMS; i++) j->sums[i] = iol__facts_plus(j->sums[i], p->sums[i]);
    for (int i = 0; i < 3; i++) j->match[i] |= p->match[i];
    if (p->nprocs > j->nprocs) j->nprocs = p->nprocs;
    add_ratio(j, p);
    j->nodes = fmax(j->nodes, p->nodes);
    if (p->app_time > j->app_time) {
        j->app_time = p->app_time;
        j->tool = p->tool;
    }
    j->ranks = j->ranks || p->ranks;
    if (p->missed && !j->missing) j->missing = p;
    if (!p->missed && p->cause && !j->hidden) j->hidden = p;
    j->logs++;
}

static void add(job *j, const part *p) {
    if (p->scheduled) {
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
    if (p->timeless) return;
    if (j->timeless || p->start < j->start) j->start = p->start;
    if (j->timeless || p->ended > j->ended) j->ended = p->ended;
    j->timeless = false;
}

/* Days whose sums change. */
typedef struct changed_days {
    int64_t *list;
    size_t count, room;
    bool failed;
} changed_days;

static void add_day(changed_days *days, int64_t day) {
    if (days->count && days->list[days->count - 1] == day) return;
    if (!IOL_GROW(days->list, days->room, days->count)) {
        days->failed = true;
        return;
    }
    days->list[days->count++] = day;
}

static bool take_day(void *context, const iol__day_row *row) {
    add_day(context, row->day);
    return true;
}

static job new_job(const part *p, int64_t uid) {
    return (job){.uid = uid,
                 .start = p->start,
                 .ended = p->ended,
                 .meta_ratio = NAN,
                 .nodes = NAN,
                 .timeless = p->timeless,
                 .app_time = -1};
}

static const int64_t second = 1000000; /* as exactly as batch systems know */

/* A job that ran on for long beside a little cp or grep was for something else, which nobody saw. */
static bool only_tools_seen(const job *j, int64_t run) {
    return j->tool && !j->ranks && run > 60 * second && 10 * j->app_time < run;
}

/* Whether the application is in the logs: what a launcher started, or what ran longest. Where programs are known that are in
   none, that is a program that ran for half of the job or more. */
static bool is_covered(const job *j, int64_t run) {
    const bool missed = j->missing || (j->batch && j->batch->missed);
    if (j->app_time >= 0 && only_tools_seen(j, run)) return false;
    if (j->app_time < 0 || j->ranks || !missed) return j->app_time >= 0;
    return 2 * j->app_time >= (run > second ? run : second);
}

/* Why it is not, as the batch system's scripts, then the logs, say. A cause without a program that is missing is none where
   the application is there: a shell of which nothing was seen need not be what the job was for. */
static const char *cause_of(const job *j, int64_t run, bool covered) {
    if (j->batch && j->batch->cause && (j->batch->missed || !covered)) return j->batch->cause;
    if (j->missing && j->missing->cause) return j->missing->cause;
    if (covered || !j->logs) return NULL;
    if (j->hidden) return j->hidden->cause;
    return j->app_time >= 0 && only_tools_seen(j, run) ? "only tools were recorded, for less than a tenth of the job"
                                                       : "only shells and launchers were recorded";
}

static iol_status put_job(iol__store *store, const struct iol__site *site, const char *cluster, const char *jobid,
                          const job *j, changed_days *days) {
    const part *b = j->batch;
    const bool timed = b && !b->timeless;
    const int64_t start = timed ? b->start : j->start, ended = timed ? b->ended : j->ended;
    iol__job_row row = {
        .cluster = cluster,
        .jobid = jobid,
        .owner = j->owner ? j->owner : "unknown",
        .start = start,
        .ended = {ended, ended > start || (timed && b->instant)},
        .day = start ? iol__site_day(site, start) : 0,
        .known = b != NULL,
        .nodes = b && !isnan(b->nodes) ? b->nodes : j->nodes,
        .logs = j->logs,
        .nprocs = j->nprocs,
        .exename = j->largest ? j->largest->exename : NULL,
        .meta_ratio = j->meta_ratio,
        .selected = (j->match[0] ? 1 : 0) | (j->match[1] ? 2 : 0) | (j->match[2] ? 4 : 0),
        .match1 = j->match[0],
        .match2 = j->match[1],
        .match3 = j->match[2],
#define SUM(column) .column = j->sums[S_##column],
#define SUM_OF_DAY(column)
#define SUM_OF_JOB(column) SUM(column)
#include "site/log_sums.def"
#undef SUM
#undef SUM_OF_DAY
#undef SUM_OF_JOB
    };
    const bool covered = is_covered(j, ended - start);
    add_day(days, row.day);
    row.covered = iol__known(covered);
    row.cause = cause_of(j, ended - start, covered);
    row.missed = b && b->missed ? b->missed : j->missing ? j->missing->missed : NULL;
    if (b) {
        /* Nobody loaded it, and there is a log: it was linked, or the job started it itself. */
        const bool linked = j->logs > 0 && b->entry && strcmp(b->entry, "absent") == 0;
        row.account = b->account;
        row.part = b->partition;
        row.name = b->name;
        row.state = b->state;
        row.entry = linked ? "linked" : b->entry;
        row.cores = iol__known(b->cores);
        row.core_time = iol__known(b->cores * (b->ended - b->start));
    }
    return iol__store_put_job(store, &row);
}

static bool belongs(const job *j, const part *p) {
    return j->timeless || (p->start <= j->ended + apart && j->start <= p->ended + apart);
}

/* The batch system knows who a number is: the logs are that user's from now on, in sums by user too. */
static iol_status name_logs(iol__store *store, const struct iol__site *site, const char *cluster, const char *jobid,
                            const job *j, const part *logs, size_t count, changed_days *days) {
    char number[32];
    bool some = false;
    if (!j->batch || !j->batch->named || j->uid < 0) return IOL_OK;
    snprintf(number, sizeof number, "uid:%lld", (long long)j->uid);
    for (size_t i = 0; i < count; i++) {
        if (logs[i].uid != j->uid || logs[i].named || strcmp(logs[i].owner ? logs[i].owner : "", number) != 0) continue;
        if (!belongs(j, &logs[i])) continue;
        add_day(days, logs[i].start ? iol__site_day(site, logs[i].start) : 0);
        some = true;
    }
    if (!some) return IOL_OK;
    const iol__cell values[] = {iol__text(j->batch->owner),
                                iol__text(cluster),
                                iol__text(jobid),
                                iol__text(number),
                                iol__integer(j->start - apart),
                                iol__integer(j->ended + apart)};
    return iol__store_run(store,
                          "UPDATE log SET owner = ? WHERE cluster = ? AND jobid = ? AND owner = ? AND start >= ? AND "
                          "start <= ?",
                          values, 6);
}

/* All of them --------------------------------------------------------------------------------------------------- */

/* Logs with one number and two names are not one user's: names come from files, and anybody can write a log with another's
   number in it. */
static bool of_another(const job *j, const part *p) {
    return j->named && p->named && j->owner && p->owner && strcmp(j->owner, p->owner) != 0;
}

/* The last batch job that a job of logs overlaps with; those that nobody wants stand alone. What has no time is about the
   last job with this id; without one it waits for the list. */
static void add_batch(job *jobs, size_t *n, const part *p) {
    if (p->timeless) {
        if (*n && !jobs[*n - 1].batch) add(&jobs[*n - 1], p);
        return;
    }
    for (size_t i = 0; i < *n; i++) {
        if (!belongs(&jobs[i], p) || of_another(&jobs[i], p)) continue;
        if (!jobs[i].batch || jobs[i].batch->start < p->start) add(&jobs[i], p);
        return;
    }
    jobs[*n] = new_job(p, -1);
    add(&jobs[(*n)++], p);
}

/* Logs are sorted by user and start. */
static size_t group_logs(const part *logs, size_t count, job *jobs) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const part *one = &logs[i];
        job *last = n ? &jobs[n - 1] : NULL;
        if (!last || last->uid != one->uid || one->start > last->ended + apart || of_another(last, one)) {
            jobs[n] = new_job(one, one->uid);
            last = &jobs[n++];
        }
        add(last, one);
    }
    return n;
}

/* How many from here on have this job id. */
static size_t run_of(const part *list, size_t count, const char *jobid) {
    size_t n = 0;
    while (n < count && list[n].jobid && strcmp(list[n].jobid, jobid) == 0) n++;
    return n;
}

/* Keys, logs and batch jobs are sorted by job id. */
static iol_status put_jobs(iol__store *store, const struct iol__site *site, const iol__job_key *keys, size_t count,
                           const parts *logs, const parts *batch, changed_days *days) {
    iol_status status = IOL_OK;
    size_t at_log = 0, at_batch = 0;
    job *jobs = logs->failed || batch->failed ? NULL : calloc(logs->count + batch->count + 1, sizeof *jobs);
    if (!jobs) return iol__store_fail(&store->error, IOL_SYSTEM, "out of memory");
    for (size_t k = 0; k < count && status == IOL_OK; k++) {
        size_t n_logs = run_of(logs->list + at_log, logs->count - at_log, keys[k].jobid);
        size_t n_batch = run_of(batch->list + at_batch, batch->count - at_batch, keys[k].jobid);
        size_t n = group_logs(logs->list + at_log, n_logs, jobs);
        for (size_t i = 0; i < n_batch; i++) add_batch(jobs, &n, &batch->list[at_batch + i]);
        for (size_t i = 0; status == IOL_OK && i < n; i++)
            status = put_job(store, site, keys[k].cluster, keys[k].jobid, &jobs[i], days);
        for (size_t i = 0; status == IOL_OK && i < n; i++)
            status =
                name_logs(store, site, keys[k].cluster, keys[k].jobid, &jobs[i], logs->list + at_log, n_logs, days);
        at_log += n_logs;
        at_batch += n_batch;
    }
    free(jobs);
    return status;
}

/* Behind a SELECT list. */
static void of_jobs(iol__sql *sql, const char *table, const char *cluster, const iol__cell *ids, size_t count) {
    iol__sql_add(sql, " FROM %s WHERE cluster = ?", table);
    iol__sql_value(sql, iol__text(cluster));
    sql->where = true;
    iol__sql_in(sql, "jobid", ids, count);
}

static iol_status load_parts(iol__store *store, const char *cluster, const iol__cell *ids, size_t count, parts *logs,
                             parts *batch, changed_days *days) {
    iol__sql sql;
    iol__select_log_part(&sql);
    of_jobs(&sql, "log", cluster, ids, count);
    iol__sql_add(&sql, " ORDER BY jobid, uid, start, identity");
    iol_status status = iol__ask_log_part(&sql, store, take_log, logs);
    if (status != IOL_OK) return status;
    iol__select_sched(&sql);
    of_jobs(&sql, "sched", cluster, ids, count);
    iol__sql_add(&sql, " ORDER BY jobid, submit");
    status = iol__ask_sched(&sql, store, take_sched, batch);
    if (status != IOL_OK) return status;
    iol__select_day(&sql);
    of_jobs(&sql, "job", cluster, ids, count);
    return iol__ask_day(&sql, store, take_day, days);
}

static iol_status delete_jobs(iol__store *store, const char *cluster, const iol__cell *ids, size_t count) {
    iol__sql sql;
    iol__sql_start(&sql);
    iol__sql_add(&sql, "DELETE");
    of_jobs(&sql, "job", cluster, ids, count);
    return iol__sql_ask(&sql, store, NULL, NULL);
}

/* Different ids of one cluster, at most IOL_SQL_LIST. */
static iol_status rebuild(iol__store *store, const struct iol__site *site, const iol__job_key *keys, size_t count,
                          changed_days *days) {
    iol__cell ids[IOL_SQL_LIST];
    parts logs = {0}, batch = {0};
    const char *cluster = keys[0].cluster;
    for (size_t i = 0; i < count; i++) ids[i] = iol__text(keys[i].jobid);
    iol_status status = load_parts(store, cluster, ids, count, &logs, &batch, days);
    if (status == IOL_OK) status = delete_jobs(store, cluster, ids, count);
    if (status == IOL_OK) status = put_jobs(store, site, keys, count, &logs, &batch, days);
    free_parts(&logs);
    free_parts(&batch);
    return status;
}

static int by_key(const void *a, const void *b) {
    const iol__job_key *x = a, *y = b;
    int order = strcmp(x->cluster, y->cluster);
    return order ? order : strcmp(x->jobid, y->jobid);
}

static int by_day(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* A writer that changes logs of a job waits for others that do; the last one sees all of them. */
iol_status iol__jobs_guard(iol__store *store, const iol__job_key *keys, size_t count) {
    int64_t *numbers = calloc(count + 1, sizeof *numbers);
    if (!numbers) return iol__store_fail(&store->error, IOL_SYSTEM, "out of memory");
    for (size_t i = 0; i < count; i++) numbers[i] = iol__hash_texts(keys[i].cluster, keys[i].jobid);
    iol_status status = iol__store_guard(store, numbers, count, true);
    free(numbers);
    return status;
}

/* A writer that sums up these days waits until we are done, and the other way round. */
static iol_status put_stale(iol__store *store, changed_days *days) {
    if (days->failed) return iol__store_fail(&store->error, IOL_SYSTEM, "out of memory");
    qsort(days->list, days->count, sizeof *days->list, by_day);
    iol_status status = days->count ? iol__store_guard(store, days->list, days->count, false) : IOL_OK;
    for (size_t i = 0; i < days->count && status == IOL_OK; i++)
        if (!i || days->list[i] != days->list[i - 1])
            status = iol__store_put_stale(store, &(iol__stale_row){.day = days->list[i]});
    return status;
}

iol_status iol__jobs_rebuild(iol__store *store, const struct iol__site *site, iol__job_key *keys, size_t count,
                             const int64_t *days, size_t n_days) {
    size_t n = 0;
    changed_days changed = {0};
    if (!count) return IOL_OK;
    qsort(keys, count, sizeof *keys, by_key);
    for (size_t i = 0; i < count; i++)
        if (!n || by_key(&keys[n - 1], &keys[i]) != 0) keys[n++] = keys[i];
    for (size_t i = 0; i < n_days; i++) add_day(&changed, days[i]);
    iol_status status = iol__jobs_guard(store, keys, n);
    for (size_t i = 0, many; i < n && status == IOL_OK; i += many) {
        for (many = 1; i + many < n && many < IOL_SQL_LIST; many++)
            if (strcmp(keys[i + many].cluster, keys[i].cluster) != 0) break;
        status = rebuild(store, site, keys + i, many, &changed);
    }
    if (status == IOL_OK) status = put_stale(store, &changed);
    free(changed.list);
    return status;
}
