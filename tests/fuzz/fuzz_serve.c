/* The fuzzer of requests: any bytes as method, address and headers, on an empty index, as a user, as staff and as nobody.
   The first line is the address, the others are headers: authorization, cookie, encoding, mark, user. Every answer must have a
   status, and nothing that asks may be served by a route that is not for it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "serve/serve.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char state[] = "/tmp/iolite-fuzz-serve-XXXXXX";

static void clean_up(void) {
    static const char *const names[] = {"/index.db", "/index.db-wal", "/index.db-shm", "/key", ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s%s", state, names[i]);
        remove(path);
    }
}

static iol__serve *served(void) {
    static iol__serve serve;
    static iol__serve_options options;
    static char url[128];
    static const char *const staff[] = {"boss"};
    iol__store *store;
    iol_error error;
    if (serve.options) return &serve;
    if (!mkdtemp(state) || atexit(clean_up) != 0) abort();
    snprintf(url, sizeof url, "sqlite:%s/index.db", state);
    options = (iol__serve_options){.store = url, .state = state, .prefix = "", .threads = 4, .site_file = NULL};
    options.trust = (iol__trust){.proxy_header = "X-User", .staff = staff, .n_staff = 1};
    if (iol__store_open(url, IOL_STORE_WRITE, &store, &error) != IOL_OK) abort();
    iol__store_close(store);
    if (iol__serve_open(&options, &serve, &error) != IOL_OK) abort();
    if (!iol__tokens_own(&serve.tokens)) abort();
    return &serve;
}

/* The next line as a text of its own; NULL for none and for an empty one. */
static char *line(const char **at, const char *end) {
    const char *stop = memchr(*at, '\n', (size_t)(end - *at));
    if (!stop) stop = end;
    char *text = stop > *at ? strndup(*at, (size_t)(stop - *at)) : NULL;
    *at = stop < end ? stop + 1 : end;
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const methods[] = {"GET", "POST", "HEAD", "PUT"};
    if (size < 2) return 0;
    const char *at = (const char *)data + 1, *end = (const char *)data + size;
    char *lines[6];
    for (int i = 0; i < 6; i++) lines[i] = line(&at, end);
    iol__exchange x;
    iol__exchange_begin(&x, served());
    char *query = lines[0] ? strchr(lines[0], '?') : NULL;
    if (query) *query++ = 0;
    x.method = methods[data[0] & 3];
    x.path = lines[0] ? lines[0] : "";
    x.query = query ? query : "";
    x.headers = (iol__headers){.authorization = lines[1],
                               .cookie = lines[2],
                               .accept_encoding = lines[3],
                               .if_none_match = lines[4],
                               .proxy_user = lines[5]};
    x.peer.local = data[0] & 4;
    bool admitted = iol__exchange_admit(&x);
    if (admitted && !iol__access_route(&x.viewer, x.route)) abort();
    iol__exchange_run(&x, admitted);
    if (x.status < 200 || x.status > 599 || x.status == 500) abort();
    iol__exchange_free(&x);
    for (int i = 0; i < 6; i++) free(lines[i]);
    return 0;
}
