/* The order within a transaction: logs with their rows, places, then jobs and days that changed. Who comes second with the
   same log finds it there, because writers wait for each other at the beginning. */
#include "site/put.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "site/jobs.h"
#include "site/site.h"

static iol_status no_memory(iol__store *store) { return iol__store_fail(&store->error, IOL_SYSTEM, "out of memory"); }

/* Mounts -------------------------------------------------------------------------------------------------------- */

static bool take_fs(void *context, const iol__cell *values, size_t count) {
    (void)count;
    int64_t *number = context;
    *number = iol__cell_integer(values);
    return false;
}

/* Sums by file system have to be made again when a mount gets another one. */
static iol_status all_stale(iol__store *store) {
    return iol__store_run(
        store, "INSERT INTO stale SELECT DISTINCT day FROM log WHERE day NOT IN (SELECT day FROM stale)", NULL, 0);
}

/* The number of a mount; the site file's name for it is brought up to date. */
static iol_status mount_number(iol__store *store, const iol__entry_mount *mount, int64_t *number) {
    iol__cell key[] = {iol__text(mount->point), iol__text(mount->fs)};
    *number = 0;
    iol_status status =
        iol__store_ask(store, "SELECT mount_id FROM mount WHERE mountpt = ? AND fs = ?", key, 2, take_fs, number);
    if (status != IOL_OK || *number) return status;
    status = iol__store_number(store, "SELECT mount_id FROM mount WHERE mountpt = ?", key, 1, 0, number);
    if (status == IOL_OK && !*number) {
        status = iol__store_number(store, "SELECT MAX(mount_id) FROM mount", NULL, 0, 0, number);
        ++*number;
    } else if (status == IOL_OK)
        status = all_stale(store);
    if (status != IOL_OK) return status;
    return iol__store_put(store, IOL_TABLE_mount,
                          (iol__cell[]){iol__integer(*number), key[0], key[1], iol__text(mount->type)});
}

/* Logs ---------------------------------------------------------------------------------------------------------- */

static iol_status remove_log(iol__store *store, int64_t log_id) {
    static const char *const statements[] = {
        "DELETE FROM log WHERE log_id = ?",    "DELETE FROM log_module WHERE log_id = ?",
        "DELETE FROM log_fs WHERE log_id = ?", "DELETE FROM log_ost WHERE log_id = ?",
        "DELETE FROM file WHERE log_id = ?",   "DELETE FROM finding WHERE log_id = ?",
    };
    iol_status status = IOL_OK;
    iol__cell key = iol__integer(log_id);
    for (size_t i = 0; status == IOL_OK && i < sizeof statements / sizeof *statements; i++)
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
    if (status == IOL_OK && cache->count < sizeof cache->numbers / sizeof *cache->numbers) {
        cache->mounts[cache->count] = mount;
        cache->numbers[cache->count++] = *number;
    }
    return status;
}

static iol_status put_rows(iol__store *store, mount_cache *cache, iol__entry *entry, int64_t log_id) {
    int64_t mounts[512];
    if (entry->n_mounts > sizeof mounts / sizeof *mounts) return no_memory(store);
    iol_status status = IOL_OK;
    for (size_t i = 0; status == IOL_OK && i < entry->n_mounts; i++)
        status = cached_mount(store, cache, &entry->mounts[i], &mounts[i]);
    for (iol__row *row = entry->first; status == IOL_OK && row; row = row->next) {
        row->values[0] = iol__integer(log_id);
        if (row->table == IOL_TABLE_file)
            row->values[IOL_AT(file, mount_id)] = iol__integer(mounts[row->mount]);
        else if (row->mount >= 0)
            row->values[1] = iol__integer(mounts[row->mount]);
        status = iol__store_put(store, row->table, row->values);
    }
    return status;
}

/* Whether the log that was at a place is an earlier state of the one that is there now, and should go. */
typedef struct earlier {
    const iol__entry *entry;
    bool same;
    int64_t day;
    char jobid[32], cluster[128];
} earlier;

static bool take_earlier(void *context, const iol__cell *values, size_t count) {
    (void)count;
    earlier *e = context;
    const char *state = iol__cell_text(&values[0]), *jobid = iol__cell_text(&values[1]),
               *cluster = iol__cell_text(&values[4]);
    bool one_run = jobid && strcmp(jobid, e->entry->jobid) == 0 && iol__cell_integer(&values[2]) == e->entry->start;
    e->same = one_run || (state && strcmp(state, "damaged") == 0);
    e->day = iol__cell_integer(&values[3]);
    snprintf(e->jobid, sizeof e->jobid, "%s", jobid ? jobid : "");
    snprintf(e->cluster, sizeof e->cluster, "%s", cluster ? cluster : "");
    return false;
}

static iol_status put_stale(iol__store *store, int64_t day) {
    return iol__store_put(store, IOL_TABLE_stale, (iol__cell[]){iol__integer(day)});
}

/* A half-written log that has been completed since takes the place of what could be read of it. */
static iol_status replace_earlier(iol__store *store, const iol__found *found, const struct iol__site *site) {
    iol__cell key[] = {iol__integer(found->before), iol__text(found->dir), iol__text(found->name)};
    earlier e = {.entry = &found->entry};
    int64_t others = 0;
    iol_status status = iol__store_ask(store, "SELECT state, jobid, start, day, cluster FROM log WHERE log_id = ?", key,
                                       1, take_earlier, &e);
    if (status == IOL_OK)
        status = iol__store_number(store, "SELECT COUNT(*) FROM place WHERE log_id = ? AND NOT (dir = ? AND name = ?)",
                                   key, 3, 0, &others);
    if (status != IOL_OK || !e.same || others) return status;
    status = remove_log(store, found->before);
    if (status == IOL_OK) status = put_stale(store, e.day);
    return status == IOL_OK ? iol__jobs_rebuild(store, site, e.cluster, e.jobid) : status;
}

/* A copy under another name may be the first to tell whose it is. Which copy comes first must not matter: the first name by
   letters counts. */
static iol_status name_owner(iol__store *store, iol__found *found, int64_t log_id) {
    int64_t better = 0;
    iol__cell values[] = {iol__integer(log_id), iol__text(found->entry.user)};
    if (!found->entry.user) return IOL_OK;
    iol_status status =
        iol__store_number(store, "SELECT COUNT(*) FROM log WHERE log_id = ? AND (username IS NULL OR username > ?)",
                          values, 2, 0, &better);
    if (status != IOL_OK || !better) return status;
    iol__cell update[] = {values[1], values[1], values[0]};
    found->renamed = true;
    return iol__store_run(store, "UPDATE log SET username = ?, owner = ? WHERE log_id = ?", update, 3);
}

static iol_status put_log(iol__store *store, iol__found *found, int64_t *next, mount_cache *cache, bool again,
                          const struct iol__site *site, int64_t *log_id) {
    iol__entry *entry = &found->entry;
    iol__cell key[] = {iol__text(entry->cluster), iol__text(entry->identity)};
    iol_status status =
        iol__store_number(store, "SELECT log_id FROM log WHERE cluster = ? AND identity = ?", key, 2, 0, log_id);
    if (status != IOL_OK) return status;
    found->added = !*log_id;
    if (*log_id && again) status = remove_log(store, *log_id);
    if (status == IOL_OK && found->before && found->before != *log_id) status = replace_earlier(store, found, site);
    if (status == IOL_OK && *log_id && !again) status = name_owner(store, found, *log_id);
    if (status != IOL_OK || (*log_id && !again)) return status;
    if (!*log_id) *log_id = (*next)++;
    return put_rows(store, cache, entry, *log_id);
}

static iol_status put_place(iol__store *store, const iol__found *found, int64_t log_id) {
    iol__cell values[IOL_WIDEST] = {0};
#define SET(column, value) values[IOL_AT(place, column)] = (value)
    SET(dir, iol__text(found->dir));
    SET(name, iol__text(found->name));
    SET(device, iol__integer(found->device));
    SET(inode, iol__integer(found->inode));
    SET(size, iol__integer(found->size));
    SET(mtime, iol__integer(found->mtime));
    SET(state, iol__text(found->broken ? "broken" : found->entry.damaged ? "damaged" : "ok"));
    SET(reason, iol__text(found->broken ? found->reason : found->entry.reason));
    SET(reader, iol__text(IOLITE_VERSION));
    SET(username, iol__text(found->broken ? NULL : found->entry.user));
    SET(log_id, iol__integer(log_id));
#undef SET
    return iol__store_put(store, IOL_TABLE_place, values);
}

/* Batches ------------------------------------------------------------------------------------------------------- */

/* What changed: jobs and days, each once. */
typedef struct touched {
    const char *cluster, *jobid;
    int64_t day;
} touched;

static int by_job(const void *a, const void *b) {
    const touched *x = a, *y = b;
    int order = strcmp(x->jobid, y->jobid);
    return order ? order : strcmp(x->cluster, y->cluster);
}

static int by_day(const void *a, const void *b) {
    const touched *x = a, *y = b;
    return x->day < y->day ? -1 : x->day > y->day;
}

static iol_status follow(iol__store *store, touched *list, size_t n, const struct iol__site *site) {
    iol_status status = IOL_OK;
    qsort(list, n, sizeof *list, by_job);
    for (size_t i = 0; status == IOL_OK && i < n; i++)
        if (!i || by_job(&list[i - 1], &list[i]) != 0)
            status = iol__jobs_rebuild(store, site, list[i].cluster, list[i].jobid);
    qsort(list, n, sizeof *list, by_day);
    for (size_t i = 0; status == IOL_OK && i < n; i++)
        if (!i || list[i - 1].day != list[i].day) status = put_stale(store, list[i].day);
    return status;
}

static iol_status put_all(iol__store *store, iol__found *batch, bool again, const struct iol__site *site,
                          touched *list) {
    int64_t next;
    size_t n = 0;
    mount_cache cache = {.count = 0};
    iol_status status = iol__store_number(store, "SELECT MAX(log_id) FROM log", NULL, 0, 0, &next);
    next++;
    for (iol__found *f = batch; status == IOL_OK && f; f = f->next) {
        int64_t log_id = 0;
        if (!f->broken) status = put_log(store, f, &next, &cache, again, site, &log_id);
        if (status == IOL_OK) status = put_place(store, f, log_id);
        if (!f->broken && (f->added || f->renamed || again))
            list[n++] = (touched){f->entry.cluster, f->entry.jobid, f->entry.day};
    }
    return status == IOL_OK ? follow(store, list, n, site) : status;
}

iol_status iol__put_batch(iol__store *store, iol__found *batch, bool again, const struct iol__site *site) {
    size_t n = 0;
    for (const iol__found *f = batch; f; f = f->next) n++;
    touched *list = calloc(n + 1, sizeof *list);
    if (!list) return no_memory(store);
    iol_status status = iol__store_begin(store);
    if (status == IOL_OK) {
        status = put_all(store, batch, again, site, list);
        if (status == IOL_OK) status = iol__store_commit(store);
        if (status != IOL_OK) iol__store_rollback(store);
    }
    free(list);
    return status;
}

iol_status iol__put_gone(iol__store *store, const char *dir, const char *name) {
    iol__cell key[] = {iol__text(dir), iol__text(name)};
    return iol__store_run(store, "DELETE FROM place WHERE dir = ? AND name = ?", key, 2);
}
