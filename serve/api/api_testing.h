/* A small centre for the tests of the API: two users, four jobs and three logs with values of their own, and requests as the
   listener would make them, but without a socket. */
#ifndef IOL_SERVE_API_TESTING_H
#define IOL_SERVE_API_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/count.h"
#include "serve/serve.h"
#include "site/index/rollup.h"

typedef struct centre {
    char state[64], url[128];
    iol__serve serve;
    iol__serve_options options;
    char *body; /* of the latest answer */
    int status;
} centre;

/* 2023-11-14 22:13:20 UTC: a Tuesday. */
#define CENTRE_START INT64_C(1700000000000000)
enum { CENTRE_DAY = 20231114, CENTRE_NEXT_DAY = 20231115 };

#define PUT(table, ...) assert_int_equal(iol__store_put_##table(store, &(iol__##table##_row){__VA_ARGS__}), IOL_OK)

static void put_centre_log(iol__store *store, int64_t id, const char *jobid, const char *owner, const char *exe,
                           int64_t start, int64_t day) {
    char identity[40];
    snprintf(identity, sizeof identity, "%032lld", (long long)id);
    PUT(log, .log_id = id, .cluster = "onyx", .identity = identity, .state = "ok", .reader = "test", .jobid = jobid,
        .uid = 1000, .owner = owner, .exe = exe, .exename = exe, .command = exe, .nprocs = 4, .nodes = 2,
        .start = start, .ended = {start + 10000000, true}, .run = {10000000, true}, .day = day, .log_version = "3.41",
        .files = 3, .bytes_read = 1000 * id, .bytes_written = 2000 * id, .reads = 10 * id, .writes = 20 * id,
        .opens = 3 * id, .read_time = 100000 * id, .write_time = 200000 * id, .meta_time = 50000 * id,
        .io_time = {500000 * id, true}, .rate = 6000, .findings = id, .lost = 250000 * id, .node_time = 500000 * id,
        .modules = 5, .took = {40 + id, true});
    PUT(log_fs, .log_id = id, .mount_id = 1 + id % 2, .bytes_read = {1000 * id, true},
        .bytes_written = {2000 * id, true}, .reads = {10 * id, true}, .writes = {20 * id, true},
        .opens = {3 * id, true}, .read_time = 100000 * id, .write_time = 200000 * id, .meta_time = 50000 * id);
    PUT(log_module, .log_id = id, .module = "POSIX", .records = 3, .bytes_read = {1000 * id, true},
        .bytes_written = {2000 * id, true}, .reads = {10 * id, true}, .writes = {20 * id, true},
        .read_sizes = "1 2 3 4 5 6 7 8 9 10", .write_sizes = "0 0 0 0 20 0 0 0 0 0");
    PUT(finding, .log_id = id, .rule = "posix.writes.small", .level = id == 2 ? "high" : "warn",
        .lost = {200000 * id, true}, .node_time = {400000 * id, true}, .files = 1, .title = "writes are small");
}

static void put_centre_job(iol__store *store, const char *jobid, const char *owner, const char *exe, int64_t start,
                           int64_t day, int64_t log_id) {
    PUT(job, .cluster = "onyx", .jobid = jobid, .owner = owner, .start = start, .ended = {start + 10000000, true},
        .day = day, .account = "physics", .state = log_id ? "COMPLETED" : "TIMEOUT", .known = 1, .nodes = 2,
        .logs = log_id != 0, .exename = exe, .nprocs = log_id ? 4 : 0, .bytes_read = 1000 * log_id,
        .bytes_written = 2000 * log_id, .reads = 10 * log_id, .writes = 20 * log_id, .opens = 3 * log_id,
        .io_time = 500000 * log_id, .run = log_id ? 10000000 : 0, .findings = log_id, .lost = 250000 * log_id,
        .node_time = 500000 * log_id, .covered = {log_id != 0, true});
}

/* ana: jobs 77 and 78 with logs 1 and 2 of "heat", the second on the next day; ben: job 79 with log 3 of "copy", and job 80,
   which has none. Logs 1 and 3 wrote to "scratch", log 2 to "home". */
static void fill_centre(iol__store *store) {
    const int64_t day = INT64_C(86400000000);
    PUT(mount, .mount_id = 1, .mountpt = "/home", .fs = "home", .type = "nfs");
    PUT(mount, .mount_id = 2, .mountpt = "/scratch", .fs = "scratch", .type = "lustre");
    put_centre_log(store, 1, "77", "ana", "heat", CENTRE_START, CENTRE_DAY);
    put_centre_log(store, 2, "78", "ana", "heat", CENTRE_START + day, CENTRE_NEXT_DAY);
    put_centre_log(store, 3, "79", "ben", "copy", CENTRE_START + day, CENTRE_NEXT_DAY);
    put_centre_job(store, "77", "ana", "heat", CENTRE_START, CENTRE_DAY, 1);
    put_centre_job(store, "78", "ana", "heat", CENTRE_START + day, CENTRE_NEXT_DAY, 2);
    put_centre_job(store, "79", "ben", "copy", CENTRE_START + day, CENTRE_NEXT_DAY, 3);
    put_centre_job(store, "80", "ben", "copy", CENTRE_START + day, CENTRE_NEXT_DAY, 0);
    PUT(file, .log_id = 2, .record = "11", .mount_id = 1, .name = "/home/ana/a", .ranks = {4, true}, .bytes_read = 500,
        .bytes_written = 4000, .reads = 5, .writes = 40, .opens = 4, .io_time = 750000);
    PUT(file, .log_id = 2, .record = "12", .mount_id = 1, .name = "/home/ana/b", .ranks = {1, true}, .bytes_read = 1500,
        .reads = 15, .opens = 2, .io_time = 250000);
    PUT(stale, .day = CENTRE_DAY);
    PUT(stale, .day = CENTRE_NEXT_DAY);
    if (iol__rollup(store) != IOL_OK) fail_msg("rollup: %s", iol__store_error(store));
}

static int open_centre(void **state) {
    static const char *const staff[] = {"boss"};
    centre *c = calloc(1, sizeof *c);
    iol__store *store;
    iol_error error;
    if (!c) return -1;
    setenv("TZ", "UTC", 1);
    snprintf(c->state, sizeof c->state, "%s/iolite-centre-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    if (!mkdtemp(c->state)) return -1;
    snprintf(c->url, sizeof c->url, "sqlite:%s/index.db", c->state);
    assert_int_equal(iol__store_open(c->url, IOL_STORE_WRITE, &store, &error), IOL_OK);
    fill_centre(store);
    iol__store_close(store);
    c->options = (iol__serve_options){
        .store = c->url,
        .state = c->state,
        .prefix = "",
        .threads = 2,
        .trust = {.proxy_header = "X-User", .staff = staff, .n_staff = IOL_COUNT(staff)},
    };
    assert_int_equal(iol__serve_open(&c->options, &c->serve, &error), IOL_OK);
    *state = c;
    return 0;
}

static int close_centre(void **state) {
    centre *c = *state;
    static const char *const names[] = {"/index.db", "/index.db-wal", "/index.db-shm", "/key", ""};
    iol__serve_close(&c->serve);
    for (size_t i = 0; i < IOL_COUNT(names); i++) {
        char path[128];
        snprintf(path, sizeof path, "%s%s", c->state, names[i]);
        remove(path);
    }
    free(c->body);
    free(c);
    return 0;
}

/* What this user is answered at an address below /api/v1. */
static const char *ask(centre *c, const char *user, const char *address) {
    iol__exchange x;
    char path[1024];
    snprintf(path, sizeof path, "/api/v1%s", address);
    char *query = strchr(path, '?');
    if (query) *query++ = 0;
    iol__exchange_begin(&x, &c->serve);
    x.method = "GET";
    x.path = path;
    x.query = query ? query : "";
    x.headers.proxy_user = user;
    x.peer.local = true;
    iol__exchange_run(&x, iol__exchange_admit(&x));
    c->status = x.status;
    free(c->body);
    iol__out_char(&x.body, 0);
    c->body = strdup(x.body.buffer);
    iol__exchange_free(&x);
    return c->body;
}

/* The answer has these texts, in this order. */
__attribute__((sentinel)) static void answers_all(centre *c, const char *user, const char *address, ...) {
    const char *at = ask(c, user, address), *wanted;
    va_list texts;
    if (c->status != 200) fail_msg("%s: status %d: %s", address, c->status, c->body);
    va_start(texts, address);
    while ((wanted = va_arg(texts, const char *))) {
        const char *found = strstr(at, wanted);
        if (!found) fail_msg("%s: no %s where it should be in %s", address, wanted, c->body);
        at = found + strlen(wanted);
    }
    va_end(texts);
}
#define ANSWERS(c, user, address, ...) answers_all(c, user, address, __VA_ARGS__, (const char *)NULL)

__attribute__((unused)) static void lacks(centre *c, const char *text) {
    if (strstr(c->body, text)) fail_msg("there is %s in %s", text, c->body);
}

__attribute__((unused)) static void refuses(centre *c, const char *user, const char *address, int status) {
    ask(c, user, address);
    if (c->status != status) fail_msg("%s: status %d, not %d: %s", address, c->status, status, c->body);
}

#endif
