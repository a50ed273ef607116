/* LMT's database in SQLite: what there is in it. Archiving it is site/series/lmt.c. */
#include <string.h>

#include "site/connect/sqlite_read.h"

static iol_status put_names(iol__request *request, iol__lite *sql, iol__value *into, const char *key,
                            const char *query) {
    iol__lite_rows *rows;
    iol_status status = iol__lite_ask(request, sql, query, NULL, &rows);
    if (status != IOL_OK) return status;
    iol__value *names = iol__map_open(request->arena, into, key, IOL__LIST);
    while (iol__lite_next(rows))
        iol__list_add(request->arena, names, iol__of_text(request->arena, iol__lite_text(rows, 0)));
    return iol__lite_done(request, sql, rows);
}

iol_status iol__read_lmt(iol__request *request, iol__value **out) {
    static const char *const names[][2] = {
        {"osts", "SELECT OST_NAME FROM OST_INFO"},
        {"osses", "SELECT HOSTNAME FROM OSS_INFO"},
        {"mdses", "SELECT HOSTNAME FROM MDS_INFO"},
        {"first", "SELECT min(TIMESTAMP) FROM TIMESTAMP_INFO"},
        {"last", "SELECT max(TIMESTAMP) FROM TIMESTAMP_INFO"},
    };
    iol__lite *sql;
    if (request->n_paths != 1) return iol__refuse(request, IOL_INVALID, "one database, please");
    iol_status status = iol__lite_open(request, request->paths[0], &sql);
    if (status != IOL_OK) return status;
    *out = iol__value_new(request->arena, IOL__MAP);
    for (size_t i = 0; i < sizeof names / sizeof *names && status == IOL_OK; i++)
        status = put_names(request, sql, *out, names[i][0], names[i][1]);
    iol__lite_close(sql);
    return status;
}
