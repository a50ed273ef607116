/* One statement per table and day. The sums of log_fs are by file system, so that a log with two mounts of one file system
   counts once. */
#include "site/rollup.h"

#include <stdlib.h>

static const char day_use[] = "INSERT INTO day_use SELECT day, cluster, owner, COALESCE(exename, ''), COUNT(*)"
#define SUM(name) ", SUM(COALESCE(" #name ", 0))"
#include "site/log_sums.def"
#undef SUM
                              " FROM log WHERE day = ? GROUP BY day, cluster, owner, COALESCE(exename, '')";

static const char day_fs[] = "INSERT INTO day_fs SELECT day, cluster, owner, exename, fs, COUNT(DISTINCT log_id)"
#define SUM(name) ", SUM(" #name ")"
#include "site/fs_sums.def"
#undef SUM
                             " FROM (SELECT log.day AS day, log.cluster AS cluster, log.owner AS owner, "
                             "COALESCE(log.exename, '') AS exename, log.log_id AS log_id, log_fs.mount_id AS mount_id"
#define SUM(name) ", COALESCE(log_fs." #name ", 0) AS " #name
#include "site/fs_sums.def"
#undef SUM
                             " FROM log JOIN log_fs ON log.log_id = log_fs.log_id WHERE log.day = ?) AS one"
                             " JOIN mount ON one.mount_id = mount.mount_id GROUP BY day, cluster, owner, exename, fs";

static const char day_finding[] =
    "INSERT INTO day_finding SELECT log.day, log.cluster, finding.rule, finding.level, COUNT(*), "
    "SUM(COALESCE(finding.lost, 0)), SUM(COALESCE(finding.node_time, 0)) FROM log JOIN finding ON log.log_id = "
    "finding.log_id "
    "WHERE log.day = ? GROUP BY log.day, log.cluster, finding.rule, finding.level";

static const char day_modules[] = "INSERT INTO day_modules SELECT day, cluster, modules, compat, COUNT(*) FROM log "
                                  "WHERE day = ? GROUP BY day, cluster, modules, compat";

static iol_status make_day(iol__store *store, int64_t day) {
    static const char *const statements[] = {"DELETE FROM day_use WHERE day = ?",
                                             "DELETE FROM day_fs WHERE day = ?",
                                             "DELETE FROM day_finding WHERE day = ?",
                                             "DELETE FROM day_modules WHERE day = ?",
                                             day_use,
                                             day_fs,
                                             day_finding,
                                             day_modules,
                                             "DELETE FROM stale WHERE day = ?"};
    iol__cell value = iol__integer(day);
    iol_status status = iol__store_begin(store);
    if (status != IOL_OK) return status;
    for (size_t i = 0; status == IOL_OK && i < sizeof statements / sizeof *statements; i++)
        status = iol__store_run(store, statements[i], &value, 1);
    if (status == IOL_OK) status = iol__store_commit(store);
    if (status != IOL_OK) iol__store_rollback(store);
    return status;
}

iol_status iol__rollup(iol__store *store) {
    for (;;) {
        int64_t day;
        iol_status status = iol__store_number(store, "SELECT MIN(day) FROM stale", NULL, 0, INT64_MIN, &day);
        if (status != IOL_OK || day == INT64_MIN) return status;
        status = make_day(store, day);
        if (status != IOL_OK) return status;
    }
}

iol_status iol__rollup_current(iol__store *store, bool *current) {
    int64_t stale = 0;
    iol_status status = iol__store_number(store, "SELECT COUNT(*) FROM stale", NULL, 0, 0, &stale);
    *current = stale == 0;
    return status;
}
