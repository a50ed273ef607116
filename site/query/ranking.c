/* One query per ranking. Where it is asked of depends on the question: daily sums where days are current and have what is
   asked for, else jobs or the logs themselves; the reference's tables in its index. */
#include "site/query/ranking.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/grow.h"
#include "insight/facts/facts.h"
#include "site/query/query.h"
#include "site/index/rollup.h"

const iol__measure iol__measures[] = {
#define MEASURE(name, logs, mounts, findings, lines, unit, words) \
    {#name, logs, mounts, findings, lines, IOL_UNIT_##unit, words},
#include "site/query/measures.def"
#undef MEASURE
};
const size_t iol__measures_count = IOL_COUNT(iol__measures);

const iol__measure *iol__measure_find(const char *name) {
    for (size_t i = 0; i < iol__measures_count; i++)
        if (strcmp(iol__measures[i].name, name) == 0) return &iol__measures[i];
    return NULL;
}

/* Where it is asked of ------------------------------------------------------------------------------------------ */

/* What a row is about, and so which form of a measure applies. */
typedef enum about { LOGS, MOUNTS, FINDINGS, LINES } about;

/* A table, or a query in its place, with the columns that measures are made of. */
typedef struct ranking_source {
    const char *from;
    about about;
    const char *user, *exe, *fs, *mountpt; /* columns; NULL: it has none */
    const char *count;                     /* logs */
    bool dated;
} ranking_source;

/* Columns of a row are NULL where nothing is known, and sums must not be. */
#define ZERO(name) "COALESCE(" #name ", 0) AS " #name

static const char base_logs[] = "(SELECT day, owner, exename, 1 AS logs"
#define SUM(name) ", " ZERO(name)
#define SUM_OF_DAY(name) SUM(name)
#define SUM_OF_JOB(name)
#include "site/log_sums.def"
#undef SUM
#undef SUM_OF_DAY
#undef SUM_OF_JOB
                                " FROM log) AS t";

/* Sums per log and mount, with columns of the log. */
#define LOGS_ON_MOUNTS(columns)                                                                                       \
    "(SELECT " columns ", fs, mountpt" FS_SUMS " FROM (SELECT " columns ", mount_id" FS_SUMS " FROM (SELECT " columns \
    " FROM log) AS l JOIN (SELECT log_id, mount_id" FS_ZEROS " FROM log_fs) AS f USING (log_id)) AS t1 JOIN (SELECT " \
    "mount_id, fs, mountpt FROM mount) AS m USING (mount_id)) AS t2"
#define FS_SUMS ", bytes_read, bytes_written, reads, writes, opens, stats, read_time, write_time, meta_time, temporary"
#define FS_ZEROS                                                                                                  \
    ", " ZERO(bytes_read) ", " ZERO(bytes_written) ", " ZERO(reads) ", " ZERO(writes) ", " ZERO(opens) ", " ZERO( \
        stats) ", " ZERO(read_time) ", " ZERO(write_time) ", " ZERO(meta_time) ", " ZERO(temporary)

/* NOLINTNEXTLINE(misc-redundant-expression): equal is what it must be */
_Static_assert(sizeof FS_SUMS == sizeof(""
#define SUM(name) ", " #name
#include "site/fs_sums.def"
#undef SUM
                                        ),
               "FS_SUMS and FS_ZEROS are the columns of fs_sums.def");

static const char base_fs[] = "(SELECT day, owner, exename, log_id, fs, mountpt, 1 AS logs" FS_SUMS
                              " FROM " LOGS_ON_MOUNTS("log_id, day, owner, exename") ") AS t";

static const char all_costs[] =
    "(SELECT day, owner, exename, rule, logs, lost, node_time, 0 AS bytes_read, 0 AS bytes_written FROM day_cost) AS t";

static const char all_findings[] =
    "(SELECT day, rule, logs, lost, node_time, 0 AS bytes_read, 0 AS bytes_written FROM day_finding) AS t";

#define LOGS_WITH_FINDINGS(columns)                                     \
    "(SELECT " columns ", rule, lost, node_time FROM (SELECT " columns  \
    " FROM log) AS l JOIN (SELECT log_id, rule, " ZERO(lost) ", " ZERO( \
        node_time) " FROM finding) AS f USING (log_id)) AS t1"

static const char base_costs[] =
    "(SELECT day, owner, exename, rule, log_id, 1 AS logs, lost, node_time, 0 AS "
    "bytes_read, 0 AS bytes_written FROM " LOGS_WITH_FINDINGS("log_id, day, owner, exename") ") AS t";

static const char base_lines[] =
    "(SELECT day, owner, exename, build, place, log_id, 1 AS logs, calls, reads, writes, opens, bytes_read, "
    "bytes_written, io_time, node_time FROM (SELECT log_id, day, owner, exename FROM log) AS l JOIN (SELECT log_id, "
    "build, place, calls, reads, writes, opens, bytes_read, bytes_written, io_time, node_time FROM log_line) AS n "
    "USING (log_id)) AS t";

/* Rows of logs with the job that they belong to: the one with their id, within a day; another user's is none. */
#define OF_JOBS(columns, rows)                                                                                         \
    "(SELECT account, cluster, jobid, owner, exename, start, day, log_id, 1 AS logs" columns " FROM (SELECT cluster, " \
    "jobid, owner AS log_owner, start AS log_start, log_id" columns " FROM " rows                                      \
    ") AS a JOIN (SELECT cluster, jobid, owner, "                                                                      \
    "account, exename, start, ended, day FROM job) AS j USING (cluster, jobid) WHERE log_start >= start - "            \
    "86400000000 AND "                                                                                                 \
    "log_start <= COALESCE(ended, start) + 86400000000 AND (log_owner = owner OR log_owner LIKE 'uid:%' OR "           \
    "owner LIKE 'uid:%')) AS t"

static const char job_fs[] = OF_JOBS(", fs, mountpt" FS_SUMS, LOGS_ON_MOUNTS("log_id, cluster, jobid, owner, start"));
static const char job_costs[] = OF_JOBS(", rule, lost, node_time, 0 AS bytes_read, 0 AS bytes_written",
                                        LOGS_WITH_FINDINGS("log_id, cluster, jobid, owner, start"));

static const char reference_fs[] =
    "(SELECT headers.username AS owner, headers.exename AS exename, headers.filename AS log_id, mounts.fsname AS fs, "
    "mounts.mountpt AS mountpt, 1 AS logs, 0 AS read_time, 0 AS write_time, 0 AS meta_time, 0 AS temporary, "
    "COALESCE(bytes_read, 0) AS bytes_read, COALESCE(bytes_written, 0) AS bytes_written, COALESCE(reads, 0) AS reads, "
    "COALESCE(writes, 0) AS writes, COALESCE(opens, 0) AS opens, COALESCE(stats, 0) AS stats FROM summaries "
    "JOIN headers ON headers.log_id = summaries.log_id JOIN mounts ON mounts.fs_id = summaries.fs_id) AS t";

#define DISTINCT "COUNT(DISTINCT log_id)"
static const ranking_source sources[] = {
    {"day_use", LOGS, "owner", "exename", NULL, NULL, "SUM(logs)", true},
    {"day_fs", MOUNTS, "owner", "exename", "fs", NULL, "SUM(logs)", true},
    {base_logs, LOGS, "owner", "exename", NULL, NULL, "COUNT(*)", true},
    {base_fs, MOUNTS, "owner", "exename", "fs", "mountpt", DISTINCT, true},
    {"job", LOGS, "owner", "exename", NULL, NULL, "SUM(logs)", true},
    {job_fs, MOUNTS, "owner", "exename", "fs", "mountpt", DISTINCT, true},
    {reference_fs, MOUNTS, "owner", "exename", "fs", "mountpt", DISTINCT, false},
    {"day_account", LOGS, NULL, NULL, NULL, NULL, "SUM(logs)", true},
    {"day_job", LOGS, "owner", "exename", NULL, NULL, "SUM(logs)", true},
    {all_costs, FINDINGS, "owner", "exename", NULL, NULL, "SUM(logs)", true},
    {base_costs, FINDINGS, "owner", "exename", NULL, NULL, "COUNT(*)", true},
    {job_costs, FINDINGS, "owner", "exename", NULL, NULL, "COUNT(*)", true},
    {base_lines, LINES, "owner", "exename", NULL, NULL, DISTINCT, true},
    {all_findings, FINDINGS, NULL, NULL, NULL, NULL, "SUM(logs)", true},
};
enum {
    DAY_USE,
    DAY_FS,
    BASE_LOGS,
    BASE_FS,
    JOBS,
    JOB_FS,
    REFERENCE,
    DAY_ACCOUNT,
    DAY_JOB,
    DAY_COST,
    BASE_COST,
    JOB_COST,
    BASE_LINE,
    DAY_FINDING
};

static bool by_fs(const iol__rank_query *q) { return q->key == IOL_RANK_FS || q->key == IOL_RANK_TRIPLE; }
static bool ranking_by_job(const iol__rank_query *q) { return q->key == IOL_RANK_ACCOUNT || q->key == IOL_RANK_JOB; }
static bool by_finding(const iol__rank_query *q) { return q->key == IOL_RANK_FINDING || q->only_rule.count; }
static bool by_line(const iol__rank_query *q) { return q->key == IOL_RANK_LINE; }
static bool of_some_fs(const iol__rank_query *q) { return q->only_fs.count || q->not_fs.count; }

static const char *measure_of(const ranking_source *s, const iol__rank_query *q) {
    const iol__measure *m = q->measure;
    const char *const forms[] = {[LOGS] = m->logs, [MOUNTS] = m->mounts, [FINDINGS] = m->findings, [LINES] = m->lines};
    return forms[s->about];
}

/* File systems of which patterns select every mount. */
typedef struct fs_choice {
    iol__cell names[IOL_SQL_LIST];
    char *texts[IOL_SQL_LIST];
    int64_t mounts[IOL_SQL_LIST]; /* that are selected */
    size_t count;
    bool whole;
} fs_choice;

static bool take_chosen(void *context, const iol__fs_mounts_row *row) {
    fs_choice *c = context;
    char *text = row->fs && c->count < IOL_SQL_LIST ? strdup(row->fs) : NULL;
    if (!text) return c->whole = false;
    c->texts[c->count] = text;
    c->names[c->count] = iol__text(text);
    c->mounts[c->count++] = row->mounts;
    return true;
}

static bool take_ranking_mounts(void *context, const iol__fs_mounts_row *row) {
    fs_choice *c = context;
    for (size_t i = 0; row->fs && i < c->count; i++)
        if (strcmp(c->texts[i], row->fs) == 0 && c->mounts[i] != row->mounts) c->whole = false;
    return c->whole;
}

/* Daily sums know file systems, patterns may mean mount points. A log counts once per file system there: right where the
   answer is by file system, or where only one is meant. */
static iol_status choose_fs(iol__store *store, const iol__rank_query *q, fs_choice *c) {
    iol__sql sql;
    *c = (fs_choice){.whole = true};
    iol__select_fs_mounts(&sql);
    iol__sql_add(&sql, " FROM mount");
    iol__sql_like(&sql, "fs", "mountpt", q->only_fs.list, q->only_fs.count, false);
    iol__sql_like(&sql, "fs", "mountpt", q->not_fs.list, q->not_fs.count, true);
    iol__sql_add(&sql, " GROUP BY fs ORDER BY fs");
    iol_status status = iol__ask_fs_mounts(&sql, store, take_chosen, c);
    if (status == IOL_OK) {
        iol__select_fs_mounts(&sql);
        iol__sql_add(&sql, " FROM mount GROUP BY fs");
        status = iol__ask_fs_mounts(&sql, store, take_ranking_mounts, c);
    }
    c->whole = c->whole && c->count && (by_fs(q) || c->count == 1);
    return status;
}

static void free_choice(fs_choice *c) {
    for (size_t i = 0; i < c->count; i++) free(c->texts[i]);
}

/* Of a store of our own. */
static int ranking_choice_of(const iol__rank_query *q, bool current, bool whole_fs) {
    const bool people = q->only_user.count || q->not_user.count || q->only_exe.count || q->not_exe.count || q->n_owners;
    if (by_line(q)) return BASE_LINE;
    if (by_finding(q) && ranking_by_job(q)) return JOB_COST;
    if (by_finding(q) && !current) return BASE_COST;
    if (by_finding(q)) return q->key == IOL_RANK_FINDING && !people ? DAY_FINDING : DAY_COST;
    if (ranking_by_job(q) && of_some_fs(q)) return JOB_FS;
    if (q->key == IOL_RANK_JOB) return JOBS;
    if (q->measure->unit == IOL_UNIT_SHARE) return current ? DAY_JOB : JOBS;
    if (q->key == IOL_RANK_ACCOUNT) return current && !people ? DAY_ACCOUNT : JOBS;
    if (by_fs(q) || of_some_fs(q)) return current && (whole_fs || !of_some_fs(q)) ? DAY_FS : BASE_FS;
    return current ? DAY_USE : BASE_LOGS;
}

static iol_status ranking_choose(iol__store *store, const iol__rank_query *q, fs_choice *fs,
                                 const ranking_source **chosen) {
    const char *measure = q->measure->name;
    if (store->reference) {
        *chosen = &sources[REFERENCE];
        if (ranking_by_job(q) || by_finding(q) || by_line(q) || !q->measure->mounts || q->since || q->until)
            return iol__store_fail(&store->error, IOL_UNSUPPORTED, "the reference's index cannot tell that");
        return IOL_OK;
    }
    if ((by_fs(q) || of_some_fs(q)) && (!q->measure->mounts || by_finding(q)))
        return iol__store_fail(&store->error, IOL_INVALID, "'%s' is not known by file system", measure);
    if (by_finding(q) && !q->measure->findings)
        return iol__store_fail(&store->error, IOL_INVALID, "'%s' is not known by finding; cost, lost and logs are",
                               measure);
    if (by_line(q) && (!q->measure->lines || of_some_fs(q) || by_finding(q)))
        return iol__store_fail(&store->error, IOL_INVALID, "'%s' is not known by line of code", measure);
    if (!by_line(q) && !q->measure->logs)
        return iol__store_fail(&store->error, IOL_INVALID, "'%s' is known by line of code alone (--per line)", measure);
    bool current;
    iol_status status = iol__rollup_current(store, &current);
    if (status == IOL_OK && current && of_some_fs(q)) status = choose_fs(store, q, fs);
    *chosen = &sources[ranking_choice_of(q, current, fs->whole)];
    return status;
}

/* The query ----------------------------------------------------------------------------------------------------- */

static void ranking_conditions(iol__sql *sql, const ranking_source *s, const iol__rank_query *q, const fs_choice *fs) {
    if (fs->whole && !s->mountpt) {
        iol__sql_in(sql, "fs", fs->names, fs->count);
    } else if (s->fs) {
        iol__sql_like(sql, s->fs, s->mountpt, q->only_fs.list, q->only_fs.count, false);
        iol__sql_like(sql, s->fs, s->mountpt, q->not_fs.list, q->not_fs.count, true);
    }
    iol__sql_like(sql, "rule", NULL, q->only_rule.list, q->only_rule.count, false);
    iol__sql_like(sql, s->user, NULL, q->only_user.list, q->only_user.count, false);
    iol__sql_like(sql, s->user, NULL, q->not_user.list, q->not_user.count, true);
    iol__sql_like(sql, s->exe, NULL, q->only_exe.list, q->only_exe.count, false);
    iol__sql_like(sql, s->exe, NULL, q->not_exe.list, q->not_exe.count, true);
    if (s->dated) iol__sql_days(sql, "day", q->since, q->until);
    if (s == &sources[JOBS]) { /* what the batch system alone knows has nothing to rank */
        iol__sql_and(sql);
        iol__sql_add(sql, "logs > 0");
    }
    if (!q->n_owners) return;
    iol__sql_and(sql);
    iol__sql_add(sql, "%s IN (", s->user);
    for (size_t i = 0; i < q->n_owners; i++) {
        iol__sql_add(sql, i ? ", ?" : "?");
        iol__sql_value(sql, iol__text(q->owners[i]));
    }
    iol__sql_add(sql, ")");
}

/* Shares cannot be added up. */
static const char *fold_of(const iol__rank_query *q) { return q->measure->unit == IOL_UNIT_SHARE ? "MAX" : "SUM"; }

static char *copy_ranking_text(const char *text) { return text && *text ? strdup(text) : NULL; }

static bool take_ranked(void *context, const iol__ranked_row *row) {
    iol__ranking *r = context;
    if (!IOL_GROW_NEXT(r->list, r->count)) return false;
    r->list[r->count++] = (iol__ranked){
        .key = {copy_ranking_text(row->first), copy_ranking_text(row->second), copy_ranking_text(row->third)},
        .mountpt = copy_ranking_text(row->mountpt),
        .read = row->bytes_read,
        .written = row->bytes_written,
        .logs = row->logs,
        .value = row->value,
    };
    return true;
}

static bool take_total(void *context, const iol__rank_total_row *row) {
    iol__ranking *r = context;
    r->total = row->value;
    r->logs = row->logs;
    return false;
}

/* "SUM(bytes_read + bytes_written) AS measure"; measures are few and short. */
enum { FOLDED = 160 };

static void ranking_fold(char text[FOLDED], const char *function, const char *measure, const char *as) {
    snprintf(text, FOLDED, "%s(%s)%s", function, measure, as);
}

static iol_status ask_total(iol__store *store, const ranking_source *s, const iol__rank_query *q, const fs_choice *fs,
                            iol__ranking *r) {
    iol__sql sql;
    char measure[FOLDED];
    ranking_fold(measure, fold_of(q), measure_of(s, q), "");
    iol__select_rank_total_with(&sql, &(iol__rank_total_sql){.value = measure, .logs = s->count});
    iol__sql_add(&sql, " FROM %s", s->from);
    ranking_conditions(&sql, s, q, fs);
    return iol__ask_rank_total(&sql, store, take_total, r);
}

/* Daily sums of one user and program stand together (the indexes day_use_by_owner and day_fs_by_owner): they are added up in
   that order first, and only what comes of it is sorted by program or file system. NULL: there is nothing to gain. */
static const char *first_group(const ranking_source *s, const iol__rank_query *q) {
    if (s == &sources[DAY_USE] && q->key == IOL_RANK_PROGRAM) return "owner, exename";
    if (s == &sources[DAY_FS] && q->key == IOL_RANK_FS) return "owner, exename, fs";
    return NULL;
}

static iol_status ask_keys_of_groups(iol__store *store, const ranking_source *s, const iol__rank_query *q,
                                     const fs_choice *fs, const char *group, iol__ranking *r) {
    const char *key = q->key == IOL_RANK_FS ? s->fs : s->exe;
    const iol__ranked_sql asked = {.first = key,
                                   .bytes_read = "SUM(read_of_one)",
                                   .bytes_written = "SUM(written_of_one)",
                                   .logs = "SUM(logs_of_one)",
                                   .value = "SUM(measure_of_one) AS measure"};
    iol__sql sql;
    iol__select_ranked_with(&sql, &asked);
    iol__sql_add(&sql,
                 " FROM (SELECT %s, SUM(bytes_read) AS read_of_one, SUM(bytes_written) AS written_of_one, SUM(logs) AS "
                 "logs_of_one, SUM(%s) AS measure_of_one FROM %s",
                 group, measure_of(s, q), s->from);
    ranking_conditions(&sql, s, q, fs);
    iol__sql_add(&sql, " GROUP BY %s) AS t GROUP BY %s ORDER BY measure DESC, %s", group, key, key);
    if (q->limit) iol__sql_add(&sql, " LIMIT %zu", q->limit);
    return iol__ask_ranked(&sql, store, take_ranked, r);
}

static iol_status ask_keys(iol__store *store, const ranking_source *s, const iol__rank_query *q, const fs_choice *fs,
                           iol__ranking *r) {
    iol__ranked_sql asked = {.mountpt = s->mountpt && q->key == IOL_RANK_FS ? "MIN(mountpt)" : NULL};
    const char *group = NULL;
    switch (q->key) {
    case IOL_RANK_USER: asked.first = group = s->user; break;
    case IOL_RANK_FS: asked.first = group = s->fs; break;
    case IOL_RANK_PROGRAM: asked.first = group = s->exe; break;
    case IOL_RANK_ACCOUNT: asked.first = group = "COALESCE(account, '')"; break;
    case IOL_RANK_FINDING: asked.first = group = "rule"; break;
    case IOL_RANK_LINE:
        asked.first = "place", asked.second = "exename", asked.third = "build";
        group = "place, exename, build";
        break;
    case IOL_RANK_JOB:
        asked.first = "jobid", asked.second = "owner", asked.third = "exename";
        group = "cluster, jobid, owner, exename, start";
        break;
    default: asked.first = s->user, asked.second = s->exe, asked.third = s->fs; group = "owner, exename, fs";
    }
    /* A job is a row of its table already. */
    const bool row = s == &sources[JOBS] && q->key == IOL_RANK_JOB;
    char measure[FOLDED];
    ranking_fold(measure, row ? "" : fold_of(q), measure_of(s, q), " AS measure");
    asked.value = measure;
    asked.logs = row ? "logs" : s->count;
    if (row) asked.bytes_read = "bytes_read", asked.bytes_written = "bytes_written";
    iol__sql sql;
    iol__select_ranked_with(&sql, &asked);
    iol__sql_add(&sql, " FROM %s", s->from);
    ranking_conditions(&sql, s, q, fs);
    if (!row) iol__sql_add(&sql, " GROUP BY %s", group);
    /* Stores differ in where they put what is not known: the share of metadata in no time at all. */
    iol__sql_add(&sql, " ORDER BY %s(%s) IS NULL, measure DESC, %s", row ? "" : fold_of(q), measure_of(s, q), group);
    if (q->limit) iol__sql_add(&sql, " LIMIT %zu", q->limit);
    return iol__ask_ranked(&sql, store, take_ranked, r);
}

static bool take_ranking_mount(void *context, const iol__fs_mount_point_row *row) {
    *(char **)context = copy_ranking_text(row->mountpt);
    return false;
}

/* Daily sums have no mount points; one per file system is looked up. */
static iol_status name_mounts(iol__store *store, const ranking_source *s, const iol__rank_query *q, iol__ranking *r) {
    iol_status status = IOL_OK;
    for (size_t i = 0; status == IOL_OK && q->key == IOL_RANK_FS && !s->mountpt && i < r->count; i++) {
        iol__sql sql;
        iol__select_fs_mount_point(&sql);
        iol__sql_add(&sql, " FROM mount WHERE fs = ?");
        iol__sql_value(&sql, iol__text(r->list[i].key[0]));
        status = iol__ask_fs_mount_point(&sql, store, take_ranking_mount, &r->list[i].mountpt);
    }
    return status;
}

iol_status iol__rank(iol__store *store, const iol__rank_query *query, iol__ranking *ranking) {
    const ranking_source *s = &sources[DAY_USE];
    fs_choice *fs = calloc(1, sizeof *fs);
    *ranking = (iol__ranking){0};
    if (!fs) return iol__store_fail(&store->error, IOL_SYSTEM, "out of memory");
    iol_status status = ranking_choose(store, query, fs, &s);
    if (status == IOL_OK && !query->without_total) status = ask_total(store, s, query, fs, ranking);
    const char *group = first_group(s, query);
    if (status == IOL_OK)
        status =
            group ? ask_keys_of_groups(store, s, query, fs, group, ranking) : ask_keys(store, s, query, fs, ranking);
    if (status == IOL_OK) status = name_mounts(store, s, query, ranking);
    if (status != IOL_OK) iol__ranking_free(ranking);
    free_choice(fs);
    free(fs);
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

static int ranking_by_text(const char *a, const char *b) { return strcmp(a ? a : "", b ? b : ""); }

static int ranking_by_key(const void *a, const void *b) {
    const iol__ranked *x = a, *y = b;
    for (int k = 0; k < 3; k++) {
        int order = ranking_by_text(x->key[k], y->key[k]);
        if (order) return order;
    }
    return 0;
}

static int ranking_by_value(const void *a, const void *b) {
    const iol__ranked *x = a, *y = b;
    if (x->value != y->value) return x->value > y->value ? -1 : 1;
    return ranking_by_key(a, b);
}

static int64_t folded(int64_t a, int64_t b, iol__unit unit) {
    if (unit == IOL_UNIT_SHARE) return a > b ? a : b;
    return iol__facts_plus(a, b);
}

bool iol__ranking_merge(iol__ranking *r, iol__ranking *more, iol__unit unit) {
    iol__ranked *list = realloc(r->list, (r->count + more->count + 1) * sizeof *list);
    if (!list) return false;
    r->list = list;
    if (more->count) memcpy(list + r->count, more->list, more->count * sizeof *list);
    size_t all = r->count + more->count, n = 0;
    qsort(list, all, sizeof *list, ranking_by_key);
    for (size_t i = 0; i < all; i++) {
        if (!n || ranking_by_key(&list[n - 1], &list[i]) != 0) {
            list[n++] = list[i];
            continue;
        }
        iol__ranked *into = &list[n - 1];
        into->read = iol__facts_plus(into->read, list[i].read);
        into->written = iol__facts_plus(into->written, list[i].written);
        into->logs += list[i].logs;
        into->value = folded(into->value, list[i].value, unit);
        free_ranked(&list[i]);
    }
    qsort(list, n, sizeof *list, ranking_by_value);
    r->count = n;
    r->total = folded(r->total, more->total, unit);
    r->logs += more->logs;
    free(more->list);
    *more = (iol__ranking){0};
    return true;
}
