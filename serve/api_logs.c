/* /logs: what the index keeps of one log, and what is read from the log itself. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve/logs.h"
#include "serve/serve.h"

/* Finding one ----------------------------------------------------------------------------------------------------- */

static const char columns[] = "log_id, identity, cluster, jobid, owner, state, exename, command, nprocs, nodes, start, "
                              "ended, run, io_time, log_version, lib_version, files, bytes_read, bytes_written";

static bool take_log(void *context, const iol__cell *c, size_t count) {
    iol__the_log *log = context;
    log->found = true;
    for (size_t i = 0; i < count && i < IOL_THE_LOG; i++)
        log->cells[i] = c[i].kind == IOL_CELL_TEXT ? iol__text(iol__arena_copy(log->arena, c[i].as.text)) : c[i];
    return false;
}

bool iol__find_log_number(iol__exchange *x, const char *id, iol__the_log *log) {
    *log = (iol__the_log){.arena = &x->arena};
    bool number = id && strlen(id) < 20 && id[strspn(id, "0123456789")] == 0; /* strtoll keeps within bounds */
    if (!iol__exchange_store(x)) return false;
    log->which = (iol__which){.viewer = &x->viewer, .log_id = number ? strtoll(id, NULL, 10) : 0};
    if (!log->which.log_id) return iol__not_found(x), false;
    iol__sql sql;
    iol__sql_start(&sql);
    iol__sql_add(&sql, "SELECT %s FROM log", columns);
    iol__which_logs(&sql, &log->which);
    if (!iol__store_ok(x, iol__sql_ask(&sql, x->store, take_log, log))) return false;
    if (!log->found || !iol__access_owner(&x->viewer, iol__cell_text(&log->cells[4]))) return iol__not_found(x), false;
    return true;
}

/* The whole ------------------------------------------------------------------------------------------------------- */

static bool put_module(void *context, const iol__cell *c, size_t count) {
    iol__answer *s = context;
    (void)count;
    iol__answer_row(s);
    for (int i = 0; i < 6; i++) iol__put_cell(s, &c[i]);
    for (int i = 6; i < 9; i++) iol__put_seconds(s, &c[i]);
    iol__answer_row_end(s);
    return true;
}

static bool put_mount(void *context, const iol__cell *c, size_t count) {
    iol__answer *s = context;
    (void)count;
    iol__answer_row(s);
    for (int i = 0; i < 3; i++) iol__put_cell(s, &c[i]);
    for (int i = 3; i < 9; i++) iol__put_count(s, &c[i]);
    for (int i = 9; i < 12; i++) iol__put_real(s, (double)iol__cell_integer(&c[i]) / 1e6);
    iol__answer_row_end(s);
    return true;
}

static bool put_rows(iol__exchange *x, const char *key, int schema, const char *sql, iol__store_row put,
                     int64_t log_id) {
    iol__answer s;
    iol__cell value = iol__integer(log_id);
    iol__answer_within(&s, x, key, schema);
    if (!iol__store_ok(x, iol__store_ask(x->store, sql, &value, 1, put, &s))) return false;
    iol__answer_within_end(&s);
    return true;
}

static void put_header(iol__exchange *x, const iol__cell *c, bool readable) {
    iol__answer s = {.x = x, .schema = &iol__schemas[IOL_SCHEMA_LogDetail], .form = IOL_ANSWER_JSON};
    double run = iol__cell_real(&c[12]), io = (double)iol__cell_integer(&c[13]);
    double bytes = (double)iol__cell_integer(&c[17]) + (double)iol__cell_integer(&c[18]);
    s.field = s.schema->fields;
    for (int i = 0; i < 8; i++) iol__put_cell(&s, &c[i]);
    iol__put_count(&s, &c[8]);
    iol__put_cell(&s, &c[9]);
    for (int i = 10; i < 13; i++) iol__put_seconds(&s, &c[i]);
    iol__put_real(&s, io / 1e6);
    iol__put_real(&s, iol__mibs_of(bytes, io));
    iol__put_real(&s, iol__percent_of(io, run));
    iol__put_cell(&s, &c[14]);
    iol__put_cell(&s, &c[15]);
    for (int i = 16; i < 19; i++) iol__put_count(&s, &c[i]);
    iol__put_flag(&s, readable);
}

void iol__serve_log(iol__exchange *x) {
    iol__the_log log;
    if (!iol__find_log_number(x, iol__param(x, "id"), &log)) return;
    bool readable;
    if (!iol__log_is_there(x, &log, &readable)) return;
    iol__one_begin(x);
    put_header(x, log.cells, readable);
    bool good = put_rows(x, "modules", IOL_SCHEMA_Module,
                         "SELECT module, records, bytes_read, bytes_written, reads, writes, read_time, write_time, "
                         "meta_time FROM log_module WHERE log_id = ? ORDER BY module",
                         put_module, log.which.log_id) &&
                put_rows(x, "mounts", IOL_SCHEMA_MountUse,
                         "SELECT mountpt, fs, type, bytes_read, bytes_written, reads, writes, opens, stats, read_time, "
                         "write_time, meta_time FROM (SELECT * FROM log_fs WHERE log_id = ?)" IOL_WITH_MOUNTS
                         " ORDER BY mountpt",
                         put_mount, log.which.log_id) &&
                iol__part_sizes(x, &log.which) && iol__part_findings(x, &log.which);
    if (good) iol__one_end(x);
}
