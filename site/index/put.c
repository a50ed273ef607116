/* The order within a transaction: which logs are known, new ones with their rows, places, then jobs and days that changed.
   Each step is one statement or a few for the whole batch, because a server's answer takes its time. A second writer
   with the same log finds it there, or writes the same rows again. */
#include "site/index/put.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "site/index/jobs.h"
#include "site/query/query.h"
#include "site/site.h"

static iol_status put_no_memory(iol__store *store) {
    return iol__store_fail(&store->error, IOL_SYSTEM, "out of memory");
}

/* Mounts -------------------------------------------------------------------------------------------------------- */

/* Sums by file system have to be made again when a mount gets another one. */
static iol_status all_stale(iol__store *store) {
    iol__sql sql;
    iol__insert_stale(&sql, &(iol__stale_sql){.day = "DISTINCT day"});
    iol__sql_add(&sql, " FROM log WHERE day NOT IN (SELECT day FROM stale)");
    return iol__sql_ask(&sql, store, NULL, NULL);
}

/* The number of a mount; the site file's name for it is brought up to date. */
static iol_status mount_number(iol__store *store, const iol__entry_mount *mount, int64_t *number) {
    iol__cell key[] = {iol__text(mount->point), iol__text(mount->fs)};
    iol_status status =
        iol__store_number(store, "SELECT mount_id FROM mount WHERE mountpt = ? AND fs = ?", key, 2, 0, number);
    if (status != IOL_OK || *number) return status;
    status = iol__store_number(store, "SELECT mount_id FROM mount WHERE mountpt = ?", key, 1, 0, number);
    if (status == IOL_OK && !*number && store->driver->own_numbers) {
        *number = iol__hash_texts(mount->point, "");
    } else if (status == IOL_OK && !*number) {
        status = iol__store_number(store, "SELECT MAX(mount_id) FROM mount", NULL, 0, 0, number);
        ++*number;
    } else if (status == IOL_OK)
        status = all_stale(store);
    if (status != IOL_OK) return status;
    const iol__mount_row row = {.mount_id = *number, .mountpt = mount->point, .fs = mount->fs, .type = mount->type};
    return iol__store_put_mount(store, &row);
}

/* Logs ---------------------------------------------------------------------------------------------------------- */

static iol_status remove_log(iol__store *store, int64_t log_id) {
    static const char *const statements[] = {
        "DELETE FROM log WHERE log_id = ?",      "DELETE FROM log_module WHERE log_id = ?",
        "DELETE FROM log_fs WHERE log_id = ?",   "DELETE FROM log_ost WHERE log_id = ?",
        "DELETE FROM file WHERE log_id = ?",     "DELETE FROM finding WHERE log_id = ?",
        "DELETE FROM log_line WHERE log_id = ?", "DELETE FROM run_log WHERE log_id = ?",
    };
    iol_status status = IOL_OK;
    iol__cell key = iol__integer(log_id);
    for (size_t i = 0; status == IOL_OK && i < IOL_COUNT(statements); i++)
        status = iol__store_run(store, statements[i], &key, 1);
    return status;
}

/* Numbers of mounts that were looked up in this transaction. */
typedef struct mount_cache {
    const iol__entry_mount *mounts[64];
    int64_t numbers[64];
    size_t count;
} mount_cache;

static iol_status cached_mount(iol__store *store, mount_cache *cache, const iol__entry_mount *mount, int64_t *number) {
    for (size_t i = 0; i < cache->count; i++) {
        const iol__entry_mount *m = cache->mounts[i];
        if (strcmp(m->point, mount->point) != 0 || strcmp(m->fs, mount->fs) != 0) continue;
        *number = cache->numbers[i];
        return IOL_OK;
    }
    iol_status status = mount_number(store, mount, number);
    if (status == IOL_OK && cache->count < IOL_COUNT(cache->numbers)) {
        cache->mounts[cache->count] = mount;
        cache->numbers[cache->count++] = *number;
    }
    return status;
}

/* A number that the store gives. */
static void set_number(iol__entry_row *row, const char *column, int64_t number) {
    const iol__column *columns = iol__tables[row->table].columns;
    for (size_t i = 0; i < iol__table_width(row->table); i++)
        if (columns[i].type == IOL_TYPE_KEY && strcmp(columns[i].name, column) == 0)
            row->values[i] = iol__integer(number);
}

static iol_status put_put_rows(iol__store *store, mount_cache *cache, iol__entry *entry, int64_t log_id) {
    int64_t *mounts = calloc(entry->n_mounts + 1, sizeof *mounts);
    iol_status status = mounts ? IOL_OK : put_no_memory(store);
    for (size_t i = 0; status == IOL_OK && i < entry->n_mounts; i++)
        status = cached_mount(store, cache, &entry->mounts[i], &mounts[i]);
    for (iol__entry_row *row = entry->first; status == IOL_OK && row; row = row->next) {
        set_number(row, "log_id", log_id);
        if (row->mount >= 0) set_number(row, "mount_id", mounts[row->mount]);
        status = iol__store_put(store, row->table, row->values);
    }
    free(mounts);
    return status;
}

/* Whether the log that was at a place is an earlier state of the one that is there now, and should go. */
typedef struct put_earlier {
    const iol__entry *entry;
    bool same;
    int64_t day;
    char *jobid, *cluster;
} put_earlier;

static bool take_earlier(void *context, const iol__earlier_log_row *log) {
    put_earlier *e = context;
    const bool one_job = e->entry->of_run || (log->jobid && strcmp(log->jobid, e->entry->jobid) == 0);
    const bool one_run = one_job && log->start == e->entry->start;
    e->same = one_run || (log->state && strcmp(log->state, "damaged") == 0);
    e->day = log->day;
    e->jobid = strdup(log->jobid ? log->jobid : "");
    e->cluster = strdup(log->cluster ? log->cluster : "");
    return false;
}

/* What changed: jobs and days. */
typedef struct changes {
    iol__job_key *jobs;
    int64_t *days;
    size_t count;
} changes;

/* A batch, and what is known of its logs. */
typedef struct batch {
    iol__store *store;
    const struct iol__site *site;
    bool again;
    int64_t next;      /* number for a new log, where the store counts */
    iol__found **logs; /* those that could be read, by identity */
    size_t n_logs;
    bool moved; /* a number turned out to be another log's */
    mount_cache mounts;
    changes changes;
} batch;

static void put_changed(batch *b, const char *cluster, const char *jobid, int64_t day) {
    b->changes.jobs[b->changes.count] = (iol__job_key){cluster, jobid};
    b->changes.days[b->changes.count++] = day;
}

/* A half-written log that has been completed since takes the place of what could be read of it. */
static iol_status replace_earlier(batch *b, iol__found *found) {
    iol__store *store = b->store;
    iol__cell key[] = {iol__integer(found->before), iol__text(found->dir), iol__text(found->name)};
    put_earlier e = {.entry = &found->entry};
    int64_t others = 0;
    iol__sql sql;
    iol__select_earlier_log(&sql);
    iol__sql_add(&sql, " FROM log WHERE log_id = ?");
    iol__sql_value(&sql, iol__integer(found->before));
    iol_status status = iol__ask_earlier_log(&sql, store, take_earlier, &e);
    if (status == IOL_OK)
        status = iol__store_number(store, "SELECT COUNT(*) FROM place WHERE log_id = ? AND NOT (dir = ? AND name = ?)",
                                   key, 3, 0, &others);
    if (status == IOL_OK && e.same && !others && e.jobid && e.cluster) {
        status = remove_log(store, found->before);
        found->earlier_jobid = e.jobid;
        found->earlier_cluster = e.cluster;
        put_changed(b, e.cluster, e.jobid, e.day);
        return status;
    }
    free(e.jobid);
    free(e.cluster);
    return status;
}

/* A copy under another name may be the first to tell whose it is. Which copy comes first must not matter: the first name by
   letters counts. */
static iol_status name_owner(batch *b, iol__found *found, int64_t log_id) {
    int64_t better = 0;
    iol__cell values[] = {iol__integer(log_id), iol__text(found->entry.user)};
    if (!found->entry.user) return IOL_OK;
    iol_status status =
        iol__store_number(b->store, "SELECT COUNT(*) FROM log WHERE log_id = ? AND (username IS NULL OR username > ?)",
                          values, 2, 0, &better);
    if (status != IOL_OK || !better) return status;
    const iol__cell update[] = {iol__text(found->entry.user), iol__text(found->entry.user), iol__integer(log_id)};
    found->renamed = true;
    return iol__store_run(b->store, "UPDATE log SET username = ?, owner = ? WHERE log_id = ?", update, 3);
}

/* Numbers of logs ------------------------------------------------------------------------------------------------ */

static int by_identity(const void *a, const void *b) {
    const iol__found *x = *(iol__found *const *)a, *y = *(iol__found *const *)b;
    int order = strcmp(x->entry.identity, y->entry.identity);
    return order ? order : strcmp(x->entry.cluster, y->entry.cluster);
}

static bool same_log(const iol__found *a, const iol__found *b) { return by_identity(&a, &b) == 0; }

static void note_known(iol__found *f, const iol__known_log_row *log) {
    f->log_id = log->log_id;
    free(f->known_jobid);
    f->known_jobid = log->jobid ? strdup(log->jobid) : NULL;
}

static bool take_put_known(void *context, const iol__known_log_row *log) {
    batch *b = context;
    const char *identity = log->identity, *cluster = log->cluster;
    for (size_t low = 0, high = b->n_logs; identity && cluster && low < high;) {
        size_t middle = (low + high) / 2;
        iol__found *f = b->logs[middle];
        int order = strcmp(f->entry.identity, identity);
        if (!order) order = strcmp(f->entry.cluster, cluster);
        if (order < 0) {
            low = middle + 1;
        } else if (order > 0) {
            high = middle;
        } else {
            while (middle && same_log(b->logs[middle - 1], f)) middle--;
            for (; middle < b->n_logs && same_log(b->logs[middle], f); middle++) note_known(b->logs[middle], log);
            break;
        }
    }
    return true;
}

static iol_status ask_known(batch *b, size_t from, size_t count) {
    iol__cell values[IOL_SQL_LIST];
    iol__sql sql;
    for (size_t i = 0; i < count; i++) values[i] = iol__text(b->logs[from + i]->entry.identity);
    iol__select_known_log(&sql);
    iol__sql_add(&sql, " FROM log WHERE cluster = ?");
    iol__sql_value(&sql, iol__text(b->logs[from]->entry.cluster));
    sql.where = true;
    iol__sql_in(&sql, "identity", values, count);
    /* ClickHouse finds logs by their job, unless they may have got another one. */
    bool by_job = !b->store->driver->atomic;
    for (size_t i = 0; i < count; i++) {
        values[i] = iol__text(b->logs[from + i]->entry.jobid);
        by_job = by_job && !b->logs[from + i]->entry.of_run;
    }
    if (by_job) iol__sql_in(&sql, "jobid", values, count);
    return iol__ask_known_log(&sql, b->store, take_put_known, b);
}

/* The same log under its number came from another indexer meanwhile: it is written again there. */
static bool take_taken(void *context, const iol__known_log_row *log) {
    batch *b = context;
    for (size_t i = 0; log->identity && log->cluster && i < b->n_logs; i++) {
        iol__found *f = b->logs[i];
        if (!f->added || f->log_id != log->log_id) continue;
        if (strcmp(f->entry.identity, log->identity) == 0 && strcmp(f->entry.cluster, log->cluster) == 0) continue;
        f->log_id++;
        b->moved = true;
    }
    return true;
}

/* Two logs of one number are as likely as two equal cards in a heap of 10^15; but there are many heaps. */
static iol_status avoid_others(batch *b) {
    iol_status status = IOL_OK;
    do {
        iol__cell values[IOL_SQL_LIST];
        b->moved = false;
        for (size_t i = 0, n; i < b->n_logs && status == IOL_OK;) {
            for (n = 0; i < b->n_logs && n < IOL_SQL_LIST; i++)
                if (b->logs[i]->added) values[n++] = iol__integer(b->logs[i]->log_id);
            iol__sql sql;
            if (!n) break;
            iol__select_known_log(&sql);
            iol__sql_add(&sql, " FROM log");
            iol__sql_in(&sql, "log_id", values, n);
            status = iol__ask_known_log(&sql, b->store, take_taken, b);
        }
    } while (b->moved && status == IOL_OK);
    return status;
}

/* A copy in this batch whose name says of which job the log is; else the log itself. */
static const iol__found *copy_with_job(const batch *b, size_t i) {
    size_t k = i;
    while (k + 1 < b->n_logs && b->logs[k]->entry.no_job && same_log(b->logs[k + 1], b->logs[i])) k++;
    return b->logs[k];
}

/* A known log that is written again stays in the job of its run until somebody has looked for that again, and in the job
   that another copy has told. */
static void choose_job(batch *b, size_t i) {
    iol__found *f = b->logs[i];
    const iol__found *told = copy_with_job(b, i);
    const bool stays =
        f->known && f->known_jobid && (f->entry.of_run || told->entry.no_job || !b->store->driver->atomic);
    f->entry.log[IOL_AT(log, jobid)] = iol__text(stays ? f->known_jobid : told->entry.jobid);
}

static const char *chosen_job(const iol__found *f) { return iol__cell_text(&f->entry.log[IOL_AT(log, jobid)]); }

/* Who is there already, and numbers for the others. Copies in one batch have one number; the first of them is written. */
static iol_status number_logs(batch *b) {
    bool own = b->store->driver->own_numbers;
    iol_status status = IOL_OK;
    qsort(b->logs, b->n_logs, sizeof(*b->logs), by_identity);
    for (size_t i = 0, many; i < b->n_logs && status == IOL_OK; i += many) {
        for (many = 1; i + many < b->n_logs && many < IOL_SQL_LIST; many++)
            if (strcmp(b->logs[i + many]->entry.cluster, b->logs[i]->entry.cluster) != 0) break;
        status = ask_known(b, i, many);
    }
    if (status == IOL_OK && !own)
        status = iol__store_number(b->store, "SELECT MAX(log_id) FROM log", NULL, 0, 0, &b->next);
    for (size_t i = 0; i < b->n_logs; i++) {
        iol__found *f = b->logs[i];
        f->copy = i && same_log(b->logs[i - 1], f);
        f->known = f->log_id != 0;
        f->added = !f->copy && !f->known;
        if (f->added) f->log_id = own ? iol__log_number(f->entry.cluster, f->entry.identity, f->entry.day) : ++b->next;
    }
    if (status == IOL_OK && own) status = avoid_others(b);
    for (size_t i = 0; i < b->n_logs; i++) {
        b->logs[i]->write = b->logs[i]->added || (b->again && !b->logs[i]->copy);
        choose_job(b, i);
        if (b->logs[i]->copy) b->logs[i]->log_id = b->logs[i - 1]->log_id;
    }
    return status;
}

/* The same for the job of a log that has no job id. Where logs are found by their job, it stays as it was. */
static iol_status name_job(batch *b, iol__found *f) {
    const bool unknown = f->known_jobid && strncmp(f->known_jobid, IOL_NO_JOB, strlen(IOL_NO_JOB)) == 0;
    const iol__cell values[] = {iol__text(f->entry.jobid), iol__integer(f->log_id)};
    if (!unknown || f->entry.no_job || !b->store->driver->atomic) return IOL_OK;
    f->renamed = true;
    return iol__store_run(b->store, "UPDATE log SET jobid = ? WHERE log_id = ?", values, 2);
}

/* A copy under another name may be the first to tell that the job id is a process id. */
static iol_status put_missing_run(batch *b, iol__found *f) {
    const iol__cell key = iol__integer(f->log_id);
    int64_t there = 1;
    if (!f->entry.of_run) return IOL_OK;
    iol_status status =
        iol__store_number(b->store, "SELECT COUNT(*) FROM run_log WHERE log_id = ?", &key, 1, 0, &there);
    for (iol__entry_row *row = f->entry.first; status == IOL_OK && !there && row; row = row->next) {
        if (row->table != IOL_TABLE_run_log) continue;
        set_number(row, "log_id", f->log_id);
        status = iol__store_put(b->store, row->table, row->values);
    }
    return status;
}

/* Rows of new logs, and of known ones that are read again. */
static iol_status put_put_logs(batch *b) {
    iol_status status = IOL_OK;
    for (size_t i = 0; i < b->n_logs && status == IOL_OK; i++) {
        iol__found *f = b->logs[i];
        if (f->known && f->write && b->store->driver->atomic) status = remove_log(b->store, f->log_id);
        if (status == IOL_OK && f->before && f->before != f->log_id) status = replace_earlier(b, f);
    }
    for (size_t i = 0; i < b->n_logs && status == IOL_OK; i++)
        if (b->logs[i]->write) status = put_put_rows(b->store, &b->mounts, &b->logs[i]->entry, b->logs[i]->log_id);
    for (size_t i = 0; i < b->n_logs && status == IOL_OK; i++) {
        if (b->logs[i]->write) continue;
        status = name_owner(b, b->logs[i], b->logs[i]->log_id);
        if (status == IOL_OK) status = name_job(b, b->logs[i]);
        if (status == IOL_OK) status = put_missing_run(b, b->logs[i]);
    }
    return status;
}

static iol_status put_put_place(iol__store *store, const iol__found *found, int64_t log_id) {
    const iol__place_row row = {.dir = found->dir,
                                .name = found->name,
                                .device = found->device,
                                .inode = found->inode,
                                .size = found->size,
                                .mtime = found->mtime,
                                .state = found->broken          ? "broken"
                                         : found->entry.damaged ? "damaged"
                                                                : "ok",
                                .reason = found->broken ? found->reason : found->entry.reason,
                                .reader = found->closed ? "" : IOLITE_VERSION,
                                .username = found->broken ? NULL : found->entry.user,
                                .log_id = log_id};
    return iol__store_put_place(store, &row);
}

/* Batches ------------------------------------------------------------------------------------------------------- */

/* Without transactions the days are marked before the logs come, and again after them: a kill between may not leave sums
   that look complete, and who sums up meanwhile may not take the mark away. */
static iol_status put_announce(batch *b) {
    iol_status status = IOL_OK;
    for (size_t i = 0; i < b->n_logs && status == IOL_OK && !b->store->driver->atomic; i++)
        if (!i || b->logs[i]->entry.day != b->logs[i - 1]->entry.day)
            status = iol__store_put_stale(b->store, &(iol__stale_row){.day = b->logs[i]->entry.day});
    return status;
}

static iol_status put_put_all(batch *b, iol__found *list) {
    iol_status status = put_announce(b);
    if (status == IOL_OK) status = number_logs(b);
    if (status == IOL_OK) status = put_put_logs(b);
    for (iol__found *f = list; status == IOL_OK && f; f = f->next) {
        status = put_put_place(b->store, f, f->broken || f->expired ? 0 : f->log_id);
        if (f->broken || f->expired || !(f->write || f->renamed || !b->store->driver->atomic)) continue;
        put_changed(b, f->entry.cluster, chosen_job(f), f->entry.day);
        if (f->known_jobid) put_changed(b, f->entry.cluster, f->known_jobid, f->entry.day);
    }
    if (status != IOL_OK) return status;
    const changes *c = &b->changes;
    return iol__jobs_rebuild(b->store, b->site, c->jobs, c->count, c->days, c->count);
}

static iol_status put_at_once(batch *b, iol__found *list) {
    int64_t *months = calloc(b->n_logs + 1, sizeof *months);
    if (!months) return put_no_memory(b->store);
    for (size_t i = 0; i < b->n_logs; i++) months[i] = iol__log_month(b->logs[i]->entry.day);
    iol_status status = iol__store_expect(b->store, months, b->n_logs);
    free(months);
    if (status == IOL_OK) status = iol__store_begin(b->store);
    if (status != IOL_OK) return status;
    status = put_put_all(b, list);
    if (status == IOL_OK) status = iol__store_commit(b->store);
    if (status != IOL_OK) iol__store_rollback(b->store);
    return status;
}

static iol_status put_once(iol__store *store, iol__found *list, bool again, const struct iol__site *site) {
    size_t n = 0;
    for (const iol__found *f = list; f; f = f->next) n++;
    batch b = {.store = store, .site = site, .again = again};
    b.logs = calloc(n + 1, sizeof(*b.logs));
    b.changes.jobs = calloc(3 * n + 1, sizeof *b.changes.jobs);
    b.changes.days = calloc(3 * n + 1, sizeof *b.changes.days);
    for (iol__found *f = list; b.logs && f; f = f->next)
        if (!f->broken && !f->expired) b.logs[b.n_logs++] = f;
    iol_status status = b.logs && b.changes.jobs && b.changes.days ? put_at_once(&b, list) : put_no_memory(store);
    for (iol__found *f = list; f; f = f->next) {
        free(f->known_jobid);
        free(f->earlier_jobid);
        free(f->earlier_cluster);
        f->known_jobid = f->earlier_jobid = f->earlier_cluster = NULL;
    }
    free(b.logs);
    free(b.changes.jobs);
    free(b.changes.days);
    return status;
}

enum { MOST_TRIES = 10 };

/* Two writers that wait for each other: the server ends one of them, and what it wrote is undone. It writes it again. */
iol_status iol__put_batch(iol__store *store, iol__found *list, bool again, const struct iol__site *site) {
    iol_status status = IOL_OK;
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        store->yielded = false;
        status = put_once(store, list, again, site);
        if (status == IOL_OK || !store->yielded) break;
        for (iol__found *f = list; f; f = f->next) {
            f->log_id = 0;
            f->renamed = false;
        }
    }
    return status;
}

iol_status iol__put_gone(iol__store *store, const char *dir, const char *name) {
    iol__cell key[] = {iol__text(dir), iol__text(name)};
    return iol__store_run(store, "DELETE FROM place WHERE dir = ? AND name = ?", key, 2);
}
