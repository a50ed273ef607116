/* One query per ranking. Where it is asked of depends on the question: daily sums of users and programs, daily sums of file
   systems, daily sums of accounts, jobs (for jobs, and accounts of some users), or the logs themselves when days are stale; the reference's tables in its index. */
#include "site/rank.h"

#include <stdlib.h>
#include <string.h>

#include "insight/facts.h"
#include "site/rollup.h"
#include "site/sql.h"

const iol__measure iol__measures[] = {
#define MEASURE(name, logs, mounts, unit, words) {#name, logs, mounts, IOL_UNIT_##unit, words},
#include "site/measures.def"
#undef MEASURE
};
const size_t iol__measures_count = sizeof iol__measures / sizeof *iol__measures;

const iol__measure *iol__measure_find(const char *name) {
    for (size_t i = 0; i < iol__measures_count; i++)
        if (strcmp(iol__measures[i].name, name) == 0) return &iol__measures[i];
    return NULL;
}

/* Where it is asked of ------------------------------------------------------------------------------------------ */

/* A table, or a query in its place, with the columns that measures are made of. */
typedef struct source {
    const char *from;
    const char *user, *exe, *fs, *mountpt; /* columns; NULL: it has none */
    const char *count;                     /* logs */
    bool by_mount;
    bool dated;
} source;

/* Columns of a row are NULL where nothing is known, and sums must not be. */
#define ZERO(name) "COALESCE(" #name ", 0) AS " #name

static const char base_logs[] = "(SELECT day, owner, exename, 1 AS logs"
#define SUM(name) ", " ZERO(name)
#include "site/log_sums.def"
#undef SUM
                                " FROM log) AS t";

static const char base_fs[] = "(SELECT day, owner, exename, log_id, fs, mountpt, 1 AS logs"
#define SUM(name) ", " #name
#include "site/fs_sums.def"
#undef SUM
                              " FROM (SELECT day, owner, exename, log_id, mount_id"
#define SUM(name) ", " #name
#include "site/fs_sums.def"
#undef SUM
                              " FROM (SELECT log_id, day, owner, exename FROM log) AS l JOIN (SELECT log_id, mount_id"
#define SUM(name) ", COALESCE(" #name ", 0) AS " #name
#include "site/fs_sums.def"
#undef SUM
                              " FROM log_fs) AS f USING (log_id)) AS t1 JOIN (SELECT mount_id, fs, mountpt FROM mount) "
                              "AS m USING (mount_id)) AS t";

static const char reference_fs[] =
    "(SELECT headers.username AS owner, headers.exename AS exename, headers.filename AS log_id, mounts.fsname AS fs, "
    "mounts.mountpt AS mountpt, 1 AS logs, 0 AS read_time, 0 AS write_time, 0 AS meta_time, 0 AS temporary, "
    "COALESCE(bytes_read, 0) AS bytes_read, COALESCE(bytes_written, 0) AS bytes_written, COALESCE(reads, 0) AS reads, "
    "COALESCE(writes, 0) AS writes, COALESCE(opens, 0) AS opens, COALESCE(stats, 0) AS stats FROM summaries "
    "JOIN headers ON headers.log_id = summaries.log_id JOIN mounts ON mounts.fs_id = summaries.fs_id) AS t";

static const source sources[] = {
    {"day_use", "owner", "exename", NULL, NULL, "SUM(logs)", false, true},
    {"day_fs", "owner", "exename", "fs", NULL, "SUM(logs)", true, true},
    {base_logs, "owner", "exename", NULL, NULL, "COUNT(*)", false, true},
    {base_fs, "owner", "exename", "fs", "mountpt", "COUNT(DISTINCT log_id)", true, true},
    {"job", "owner", "exename", NULL, NULL, "SUM(logs)", false, true},
    {reference_fs, "owner", "exename", "fs", "mountpt", "COUNT(DISTINCT log_id)", true, false},
    {"day_account", NULL, NULL, NULL, NULL, "SUM(logs)", false, true},
};
enum { DAY_USE, DAY_FS, BASE_LOGS, BASE_FS, JOBS, REFERENCE, DAY_ACCOUNT };

/* Daily sums by file system count a log once per file system: that is right where the answer is by file system. Patterns
   for mount points can only be asked of the logs. */
static iol_status choose(iol__store *store, const iol__rank_query *q, const source **chosen) {
    bool by_fs = q->key == IOL_RANK_FS || q->key == IOL_RANK_TRIPLE, filtered = q->only_fs.count || q->not_fs.count;
    if (store->reference) {
        if (q->key == IOL_RANK_ACCOUNT || q->key == IOL_RANK_JOB || !q->measure->mounts || q->since || q->until)
            return iol__store_fail(&store->error, IOL_UNSUPPORTED, "the reference's index cannot tell that");
        *chosen = &sources[REFERENCE];
        return IOL_OK;
    }
    if ((by_fs || filtered) && !q->measure->mounts)
        return iol__store_fail(&store->error, IOL_INVALID, "'%s' is not known by file system", q->measure->name);
    bool current, people = q->only_user.count || q->not_user.count || q->only_exe.count || q->not_exe.count;
    iol_status status = iol__rollup_current(store, &current);
    if (q->key == IOL_RANK_ACCOUNT || q->key == IOL_RANK_JOB) {
        *chosen = &sources[q->key == IOL_RANK_ACCOUNT && current && !people ? DAY_ACCOUNT : JOBS];
        if (!filtered) return status;
        return iol__store_fail(&store->error, IOL_INVALID, "accounts and jobs cannot be limited to a file system");
    }
    if (by_fs || filtered)
        *chosen = &sources[current && !filtered ? DAY_FS : BASE_FS];
    else
        *chosen = &sources[current ? DAY_USE : BASE_LOGS];
    return status;
}

/* The query ----------------------------------------------------------------------------------------------------- */

static void conditions(iol__sql *sql, const source *s, const iol__rank_query *q) {
    const char *fs = s->fs ? s->fs : "''";
    iol__sql_like(sql, fs, s->mountpt, q->only_fs.list, q->only_fs.count, false);
    iol__sql_like(sql, fs, s->mountpt, q->not_fs.list, q->not_fs.count, true);
    iol__sql_like(sql, s->user, NULL, q->only_user.list, q->only_user.count, false);
    iol__sql_like(sql, s->user, NULL, q->not_user.list, q->not_user.count, true);
    iol__sql_like(sql, s->exe, NULL, q->only_exe.list, q->only_exe.count, false);
    iol__sql_like(sql, s->exe, NULL, q->not_exe.list, q->not_exe.count, true);
    if (s->dated) iol__sql_days(sql, "day", q->since, q->until);
    if (!q->n_owners) return;
    iol__sql_and(sql);
    iol__sql_add(sql, "%s IN (", s->user);
    for (size_t i = 0; i < q->n_owners; i++) {
        iol__sql_add(sql, i ? ", ?" : "?");
        iol__sql_value(sql, iol__text(q->owners[i]));
    }
    iol__sql_add(sql, ")");
}

static const char *measure_of(const source *s, const iol__rank_query *q) {
    return s->by_mount ? q->measure->mounts : q->measure->logs;
}

static char *copy(const iol__cell *cell) {
    const char *text = iol__cell_text(cell);
    return text && *text ? strdup(text) : NULL;
}

static bool take_ranked(void *context, const iol__cell *cells, size_t count) {
    iol__ranking *r = context;
    if ((r->count & (r->count + 1)) == 0) {
        iol__ranked *larger = realloc(r->list, (2 * r->count + 2) * sizeof *larger);
        if (!larger) return false;
        r->list = larger;
    }
    (void)count;
    r->list[r->count++] = (iol__ranked){
        .key = {copy(&cells[0]), copy(&cells[1]), copy(&cells[2])},
        .mountpt = copy(&cells[3]),
        .read = iol__cell_integer(&cells[4]),
        .written = iol__cell_integer(&cells[5]),
        .logs = iol__cell_integer(&cells[6]),
        .value = iol__cell_integer(&cells[7]),
    };
    return true;
}

static bool take_total(void *context, const iol__cell *cells, size_t count) {
    iol__ranking *r = context;
    (void)count;
    r->total = iol__cell_integer(&cells[0]);
    r->logs = iol__cell_integer(&cells[1]);
    return false;
}

static iol_status ask_total(iol__store *store, const source *s, const iol__rank_query *q, iol__ranking *r) {
    iol__sql sql;
    iol__sql_start(&sql);
    iol__sql_add(&sql, "SELECT SUM(%s), %s FROM %s", measure_of(s, q), s->count, s->from);
    conditions(&sql, s, q);
    return iol__sql_ask(&sql, store, take_total, r);
}

static iol_status ask_keys(iol__store *store, const source *s, const iol__rank_query *q, iol__ranking *r) {
    const char *keys[3] = {"''", "''", "''"}, *group = NULL;
    const char *mountpt = s->mountpt && q->key == IOL_RANK_FS ? "MIN(mountpt)" : "''";
    switch (q->key) {
    case IOL_RANK_USER: keys[0] = group = s->user; break;
    case IOL_RANK_FS: keys[0] = group = s->fs; break;
    case IOL_RANK_PROGRAM: keys[0] = group = s->exe; break;
    case IOL_RANK_ACCOUNT: keys[0] = group = "COALESCE(account, '')"; break;
    case IOL_RANK_JOB:
        keys[0] = "jobid", keys[1] = "owner", keys[2] = "exename";
        group = "cluster, jobid, owner, exename, start";
        break;
    default: keys[0] = s->user, keys[1] = s->exe, keys[2] = s->fs; group = "owner, exename, fs";
    }
    /* A job is a row already. */
    const char *sum = q->key == IOL_RANK_JOB ? "" : "SUM";
    iol__sql sql;
    iol__sql_start(&sql);
    iol__sql_add(&sql, "SELECT %s, %s, %s, %s, %s(bytes_read), %s(bytes_written), %s, %s(%s) AS measure FROM %s",
                 keys[0], keys[1], keys[2], mountpt, sum, sum, *sum ? s->count : "logs", sum, measure_of(s, q),
                 s->from);
    conditions(&sql, s, q);
    if (*sum) iol__sql_add(&sql, " GROUP BY %s", group);
    iol__sql_add(&sql, " ORDER BY measure DESC, %s", group);
    if (q->limit) iol__sql_add(&sql, " LIMIT %zu", q->limit);
    return iol__sql_ask(&sql, store, take_ranked, r);
}

static bool take_mount(void *context, const iol__cell *cells, size_t count) {
    (void)count;
    *(char **)context = copy(&cells[0]);
    return false;
}

/* Daily sums have no mount points; one per file system is looked up. */
static iol_status name_mounts(iol__store *store, const source *s, const iol__rank_query *q, iol__ranking *r) {
    iol_status status = IOL_OK;
    for (size_t i = 0; status == IOL_OK && q->key == IOL_RANK_FS && !s->mountpt && i < r->count; i++) {
        iol__cell fs = iol__text(r->list[i].key[0]);
        status = iol__store_ask(store, "SELECT MIN(mountpt) FROM mount WHERE fs = ?", &fs, 1, take_mount,
                                &r->list[i].mountpt);
    }
    return status;
}

iol_status iol__rank(iol__store *store, const iol__rank_query *query, iol__ranking *ranking) {
    const source *s = &sources[DAY_USE];
    *ranking = (iol__ranking){0};
    iol_status status = choose(store, query, &s);
    if (status == IOL_OK) status = ask_total(store, s, query, ranking);
    if (status == IOL_OK) status = ask_keys(store, s, query, ranking);
    if (status == IOL_OK) status = name_mounts(store, s, query, ranking);
    if (status != IOL_OK) iol__ranking_free(ranking);
    return status;
}

static void free_ranked(iol__ranked *r) {
    for (int k = 0; k < 3; k++) free(r->key[k]);
    free(r->mountpt);
}

void iol__ranking_free(iol__ranking *ranking) {
    for (size_t i = 0; i < ranking->count; i++) free_ranked(&ranking->list[i]);
    free(ranking->list);
    *ranking = (iol__ranking){0};
}

/* Several stores ------------------------------------------------------------------------------------------------ */

static int by_text(const char *a, const char *b) { return strcmp(a ? a : "", b ? b : ""); }

static int by_key(const void *a, const void *b) {
    const iol__ranked *x = a, *y = b;
    for (int k = 0; k < 3; k++) {
        int order = by_text(x->key[k], y->key[k]);
        if (order) return order;
    }
    return 0;
}

static int by_value(const void *a, const void *b) {
    const iol__ranked *x = a, *y = b;
    if (x->value != y->value) return x->value > y->value ? -1 : 1;
    return by_key(a, b);
}

bool iol__ranking_merge(iol__ranking *r, iol__ranking *more) {
    iol__ranked *list = realloc(r->list, (r->count + more->count + 1) * sizeof *list);
    if (!list) return false;
    r->list = list;
    if (more->count) memcpy(list + r->count, more->list, more->count * sizeof *list);
    size_t all = r->count + more->count, n = 0;
    qsort(list, all, sizeof *list, by_key);
    for (size_t i = 0; i < all; i++) {
        if (!n || by_key(&list[n - 1], &list[i]) != 0) {
            list[n++] = list[i];
            continue;
        }
        iol__ranked *into = &list[n - 1];
        into->read = iol__facts_plus(into->read, list[i].read);
        into->written = iol__facts_plus(into->written, list[i].written);
        into->logs += list[i].logs;
        into->value = iol__facts_plus(into->value, list[i].value);
        free_ranked(&list[i]);
    }
    qsort(list, n, sizeof *list, by_value);
    r->count = n;
    r->total = iol__facts_plus(r->total, more->total);
    r->logs += more->logs;
    free(more->list);
    *more = (iol__ranking){0};
    return true;
}
