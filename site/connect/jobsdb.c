/* A table of jobs: summary(stepid, hostname, start, completion, numnodes). Which jobs ran beside this one, and when did
   one job run? */
#include <stdlib.h>
#include <string.h>

#include "site/connect/database.h"

/* What ran on the host in [start, end]: jobs, nodes and node-hours inside it. */
static iol_status concurrent(iol__request *request, iol__db *sql, iol__value *result) {
    iol__arena *arena = request->arena;
    char *start = iol__arena_print(arena, "%lld", (long long)request->start);
    char *end = iol__arena_print(arena, "%lld", (long long)request->end);
    const char *values[] = {start, end, request->host ? request->host : "%", NULL};
    iol__db_rows *rows;
    iol_status status =
        iol__db_ask(request, sql,
                    "SELECT start, completion, numnodes FROM summary WHERE completion > CAST(? AS INTEGER) "
                    "AND start < CAST(? AS INTEGER) AND hostname LIKE ?",
                    values, &rows);
    if (status != IOL_OK) return status;
    int64_t jobs = 0, nodes = 0, seconds = 0;
    while (iol__db_next(rows)) {
        int64_t from = iol__db_integer(rows, 0), to = iol__db_integer(rows, 1);
        if (from < request->start) from = request->start;
        if (to > request->end) to = request->end;
        jobs++;
        nodes += iol__db_integer(rows, 2);
        seconds += (to - from) * iol__db_integer(rows, 2);
    }
    iol__map_put_integer(arena, result, "numjobs", jobs);
    iol__map_put_integer(arena, result, "numnodes", nodes);
    iol__map_put_real(arena, result, "nodehrs", (double)seconds / 3600.0);
    return iol__db_done(request, sql, rows);
}

/* Start and end of one job; of several steps the last completion wins. */
static iol_status one_job(iol__request *request, iol__db *sql, iol__value *result) {
    const char *values[] = {iol__arena_print(request->arena, "%s.%%", request->job),
                            request->host ? request->host : "%", NULL};
    iol__db_rows *rows;
    iol_status status = iol__db_ask(request, sql,
                                    "SELECT start, completion FROM summary WHERE stepid LIKE ? AND hostname LIKE ? "
                                    "ORDER BY completion",
                                    values, &rows);
    if (status != IOL_OK) return status;
    size_t count = 0;
    for (; iol__db_next(rows); count++) {
        iol__map_put_integer(request->arena, result, "start", iol__db_integer(rows, 0));
        iol__map_put_integer(request->arena, result, "end", iol__db_integer(rows, 1));
    }
    if (count > 1) iol__site_say("job %s has %zu records; the one that ended last counts", request->job, count);
    return iol__db_done(request, sql, rows);
}

static iol_status all_jobs(iol__request *request, iol__db *sql, iol__value *list) {
    iol__arena *arena = request->arena;
    iol__db_rows *rows;
    iol_status status =
        iol__db_ask(request, sql, "SELECT stepid, hostname, start, completion, numnodes FROM summary", NULL, &rows);
    if (status != IOL_OK) return status;
    while (iol__db_next(rows)) {
        iol__value *row = iol__value_new(arena, IOL__MAP);
        iol__map_put_text(arena, row, "stepid", iol__db_text(rows, 0));
        iol__map_put_text(arena, row, "hostname", iol__db_text(rows, 1));
        iol__map_put_integer(arena, row, "start", iol__db_integer(rows, 2));
        iol__map_put_integer(arena, row, "completion", iol__db_integer(rows, 3));
        iol__map_put_integer(arena, row, "numnodes", iol__db_integer(rows, 4));
        iol__list_add(arena, list, row);
    }
    return iol__db_done(request, sql, rows);
}

static iol_status open_jobs(iol__request *request, iol__db **sql) {
    const char *address = request->n_paths ? request->paths[0] : iol__db_address(request->arena, "IOLITE_JOBSDB");
    if (request->n_paths > 1 || !address) return iol__refuse(request, IOL_INVALID, "one database is needed");
    return iol__db_open(request, address, "IOLITE_JOBSDB", sql);
}

iol_status iol__save_jobsdb(iol__request *request, const char *path) {
    iol__db *sql;
    iol_status status = open_jobs(request, &sql);
    if (status != IOL_OK) return status;
    iol__arena *arena = request->arena;
    const char *values[] = {iol__arena_print(arena, "%lld", (long long)(request->ranged ? request->start : INT64_MIN)),
                            iol__arena_print(arena, "%lld", (long long)(request->ranged ? request->end : INT64_MAX)),
                            request->host ? request->host : "%", NULL};
    const iol__db_copy copy = {.table = "summary",
                               .key = "stepid",
                               .query = "SELECT stepid, hostname, start, completion, numnodes FROM summary WHERE "
                                        "completion > CAST(? AS INTEGER) AND start < CAST(? AS INTEGER) AND hostname "
                                        "LIKE ?",
                               .values = values};
    status = iol__db_save(request, sql, path, &copy, 1);
    iol__db_close(sql);
    return status;
}

iol_status iol__read_jobsdb(iol__request *request, iol__value **out) {
    iol__db *sql;
    iol_status status = open_jobs(request, &sql);
    if (status != IOL_OK) return status;
    bool list = !request->ranged && !request->job;
    *out = iol__value_new(request->arena, list ? IOL__LIST : IOL__MAP);
    if (list) status = all_jobs(request, sql, *out);
    if (request->ranged) status = concurrent(request, sql, *out);
    if (status == IOL_OK && request->job) status = one_job(request, sql, *out);
    iol__db_close(sql);
    return status;
}
