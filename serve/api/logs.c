/* /logs: what the index keeps of one log, and what is read from the log itself. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve/logs.h"
#include "serve/serve.h"

/* Finding one ----------------------------------------------------------------------------------------------------- */

static bool take_logs_log(void *context, const iol__the_log_row *row) {
    iol__the_log *log = context;
    log->found = true;
    log->row = iol__keep_the_log(log->arena, row);
    return false;
}

bool iol__find_log_number(iol__exchange *x, const char *id, iol__the_log *log) {
    *log = (iol__the_log){.arena = &x->arena};
    bool number = id && strlen(id) < 20 && id[strspn(id, "0123456789")] == 0; /* strtoll keeps within bounds */
    if (!iol__exchange_store(x)) return false;
    log->which = (iol__which){.viewer = &x->viewer, .log_id = number ? strtoll(id, NULL, 10) : 0};
    if (!log->which.log_id) return iol__not_found(x), false;
    iol__sql sql;
    iol__select_the_log(&sql);
    iol__sql_add(&sql, " FROM log");
    iol__which_logs(&sql, &log->which);
    if (!iol__store_ok(x, iol__ask_the_log(&sql, x->store, take_logs_log, log))) return false;
    if (!log->found || !iol__access_owner(&x->viewer, log->row.owner)) return iol__not_found(x), false;
    iol__audit_look(x, log->row.owner, log->row.cluster, log->row.jobid);
    return true;
}

/* The whole ------------------------------------------------------------------------------------------------------- */

static bool put_module(void *answer, const iol__module_use_row *module) {
    iol__put_Module(answer, module);
    return true;
}

static bool put_modules(iol__exchange *x, int64_t log_id) {
    iol__answer s;
    iol__sql sql;
    iol__answer_within(&s, x, "modules", IOL_SCHEMA_Module);
    iol__select_module_use(&sql);
    iol__sql_add(&sql, " FROM log_module WHERE log_id = ? ORDER BY module");
    iol__sql_value(&sql, iol__integer(log_id));
    if (!iol__store_ok(x, iol__ask_module_use(&sql, x->store, put_module, &s))) return false;
    iol__answer_within_end(&s);
    return true;
}

static bool put_logs_mount(void *answer, const iol__mount_use_row *mount) {
    iol__put_MountUse(answer, mount);
    return true;
}

static bool put_mounts(iol__exchange *x, int64_t log_id) {
    iol__answer s;
    iol__sql sql;
    iol__answer_within(&s, x, "mounts", IOL_SCHEMA_MountUse);
    iol__select_mount_use(&sql);
    iol__sql_add(&sql, " FROM (SELECT * FROM log_fs WHERE log_id = ?)" IOL_WITH_MOUNTS " ORDER BY mountpt");
    iol__sql_value(&sql, iol__integer(log_id));
    if (!iol__store_ok(x, iol__ask_mount_use(&sql, x->store, put_logs_mount, &s))) return false;
    iol__answer_within_end(&s);
    return true;
}

void iol__serve_log(iol__exchange *x) {
    iol__the_log log;
    iol__answer s;
    if (!iol__find_log_number(x, iol__param(x, "id"), &log)) return;
    bool readable;
    if (!iol__log_is_there(x, &log, &readable)) return;
    iol__one_begin(x);
    iol__answer_rest(&s, x, IOL_SCHEMA_LogDetail);
    iol__put_in_LogDetail(&s, &log.row, &(iol__LogDetail_answer){.readable = readable});
    if (put_modules(x, log.which.log_id) && put_mounts(x, log.which.log_id) && iol__part_sizes(x, &log.which) &&
        iol__part_findings(x, &log.which))
        iol__one_end(x);
}
