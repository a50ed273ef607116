/* POST /mcp: the Model Context Protocol over HTTP, for the one who asks. Every message stands for itself: the server keeps no
   session, sends nothing of its own accord, and answers with one JSON object. A log goes by its number, and is opened as it is
   for the rest of the API; questions to the index are limited to the viewer's own jobs unless everything is open to them. */
#include "mcp/mcp.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "serve/api/mcp.h"
#include "serve/api/parts.h"
#include "serve/reading.h"
#include "serve/serve.h"

/* Who may ask from a browser -------------------------------------------------------------------------------------- */

/* A page of another origin must not ask in the name of whoever looks at it, also not one that has this server's address in
   another name: the gate looks at Host, so that what equals Host is ours. Behind a proxy the names of --host count too. */
bool iol__origin_is_ours(const iol__exchange *x) {
    const char *origin = x->headers.origin, *host = x->headers.host;
    const iol__serve_options *o = x->serve->options;
    if (!origin) return true;
    const char *name = strncmp(origin, "http://", 7) == 0    ? origin + 7
                       : strncmp(origin, "https://", 8) == 0 ? origin + 8
                                                             : NULL;
    if (!name) return false;
    if (host && strcasecmp(name, host) == 0) return true;
    for (size_t i = 0; i < o->n_hosts; i++)
        if (strcasecmp(name, o->hosts[i]) == 0) return true;
    return false;
}

static bool is_json(const char *type) {
    const size_t length = sizeof "application/json" - 1;
    return type && strncasecmp(type, "application/json", length) == 0 &&
           (!type[length] || strchr("; \t", type[length]));
}

static bool takes_json(const char *accept) {
    return !accept || strstr(accept, "application/json") || strstr(accept, "*/*") || strstr(accept, "application/*");
}

/* Logs ------------------------------------------------------------------------------------------------------------ */

/* Works with the arenas of the exchange, which jump when memory runs out: here, so that whoever waits above can free what it
   holds. */
typedef struct mcp_step {
    iol__exchange *x;
    const char *name; /* of a log, or what lists are to have in them */
    size_t most;
    iol__json *json;
    int fd;
} mcp_step;

static void with_memory(mcp_step *step, void (*work)(mcp_step *step)) {
    iol__exchange *x = step->x;
    jmp_buf *const above = x->arena.exhausted;
    jmp_buf exhausted;
    x->arena.exhausted = x->scratch.exhausted = &exhausted;
    if (setjmp(exhausted) == 0)
        work(step);
    else
        x->store_failed = true;
    x->arena.exhausted = x->scratch.exhausted = above;
}

static void open_numbered_log(mcp_step *step) {
    size_t length;
    step->fd = iol__log_file_number(step->x, step->name, &length);
}

static int mcp_open_log(void *context, const char *name, char why[400]) {
    mcp_step step = {.x = context, .name = name, .fd = -1};
    with_memory(&step, open_numbered_log);
    if (step.fd < 0)
        snprintf(why, 400,
                 "there is no log '%.300s' that you may read; list_logs has the numbers of those that there are", name);
    return step.fd;
}

static bool put_log_row(void *context, const iol__run_of_log_row *log) {
    mcp_step *step = context;
    char number[24];
    snprintf(number, sizeof number, "%lld", (long long)log->log_id);
    iol__json_open(step->json, '{');
    iol__json_put_text(step->json, "log", number);
    iol__json_put_text(step->json, "cluster", log->cluster);
    iol__json_put_text(step->json, "job", log->jobid);
    iol__json_put_text(step->json, "user", log->owner);
    iol__json_put_text(step->json, "program", log->exename);
    iol__json_put_i64(step->json, "start_unix_seconds", log->start / 1000000);
    iol__json_close(step->json, '}');
    return true;
}

static void add_list_conditions(const mcp_step *step, iol__sql *sql) {
    const iol__which which = {.viewer = &step->x->viewer};
    iol__sql_add(sql, " FROM log");
    iol__which_logs(sql, &which);
    if (!step->name) return;
    const char *pattern = iol__pattern_of(&step->x->arena, step->name, true);
    iol__sql_like(sql, "exename", "jobid", &pattern, 1, false);
}

static void put_log_list(mcp_step *step) {
    iol__exchange *x = step->x;
    iol__sql sql;
    int64_t total = 0;
    if (!iol__exchange_store(x)) return;
    iol__sql_start(&sql);
    iol__sql_add(&sql, "SELECT COUNT(*)");
    add_list_conditions(step, &sql);
    if (!iol__store_ok(x, iol__sql_number(&sql, x->store, 0, &total))) return;
    iol__json_put_i64(step->json, "total", total);
    iol__json_put_open(step->json, "logs", '[');
    iol__select_run_of_log(&sql);
    add_list_conditions(step, &sql);
    iol__sql_add(&sql, " ORDER BY start DESC, log_id DESC LIMIT %zu", step->most);
    iol__store_ok(x, iol__ask_run_of_log(&sql, x->store, put_log_row, step));
    iol__json_close(step->json, ']');
}

static void mcp_list_logs(void *context, const char *contains, size_t most, iol__json *json) {
    mcp_step step = {.x = context, .name = contains, .most = most, .json = json};
    with_memory(&step, put_log_list);
}

/* Jobs ------------------------------------------------------------------------------------------------------------ */

static bool note_look(void *context, const iol__job_row *job) {
    iol__audit_look(context, job->owner, job->cluster, job->jobid);
    return true;
}

static void note_looks(mcp_step *step) {
    iol__exchange *x = step->x;
    iol__sql sql;
    if (!iol__exchange_store(x)) return;
    iol__select_job(&sql);
    iol__sql_add(&sql, " FROM job WHERE jobid = ? ORDER BY start DESC LIMIT 100");
    iol__sql_value(&sql, iol__text(step->name));
    iol__store_ok(x, iol__ask_job(&sql, x->store, note_look, x));
}

static void mcp_looks_at(void *context, const char *jobid) {
    mcp_step step = {.x = context, .name = jobid};
    if (iol__access_all(&step.x->viewer)) with_memory(&step, note_looks);
}

/* Messages -------------------------------------------------------------------------------------------------------- */

static const char *read_message(iol__exchange *x) {
    char *text = iol__arena_alloc(&x->arena, x->body_length + 1, 1);
    size_t done = 0;
    for (ssize_t n;
         done < x->body_length && (n = pread(x->body_file, text + done, x->body_length - done, (off_t)done)) > 0;)
        done += (size_t)n;
    x->body_length = done;
    return text;
}

static void answer_mcp_message(iol__exchange *x) {
    const char *owners[2];
    const size_t n_owners = iol__access_owners(&x->viewer, owners);
    const iol__mcp_logs logs = {mcp_open_log, mcp_list_logs, x};
    const iol__mcp_heading heading = {x->headers.mcp_revision, x->headers.mcp_method, x->headers.mcp_name};
    iol__mcp_server server = {.logs = &logs,
                              .store = x->serve->options->store,
                              .site = x->serve->options->site_file,
                              .only_user = n_owners ? owners[0] : NULL,
                              .initialized = true,
                              .deadline = x->deadline,
                              .looks_at = mcp_looks_at,
                              .context = x};
    if (n_owners == 2) snprintf(server.only_number, sizeof server.only_number, "%s", owners[1]);
    const char *message = read_message(x);
    iol__out out;
    iol__out_open(&out, -1);
    const int status = iol__mcp_answer(&server, &heading, message, x->body_length, &out);
    /* What went wrong with a log or the store is told inside of the answer. */
    iol__out_close(&x->body);
    x->body = out;
    x->n_extra = 0;
    x->type = "application/json";
    x->status = status;
}

void iol__serve_mcp(iol__exchange *x) {
    if (!is_json(x->headers.content_type)) {
        iol__answer_error(x, 415, "a message of the Model Context Protocol is expected, as application/json");
        return;
    }
    if (!takes_json(x->headers.accept)) {
        iol__answer_error(x, 406, "answers are application/json");
        return;
    }
    if (iol__reading_begin(x)) answer_mcp_message(x);
}
