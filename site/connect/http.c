/* libcurl by its stable numbers, so that building needs no header. */
#include "site/connect/http.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "site/connect/unpack.h"

/* From curl/curl.h; these never change. */
enum {
    WRITEDATA = 10001,
    URL = 10002,
    USERNAME = 10173,
    PASSWORD = 10174,
    ERRORBUFFER = 10010,
    HTTPHEADER = 10023,
    WRITEFUNCTION = 20011,
    TIMEOUT = 13,
    CONNECTTIMEOUT = 78,
    NOSIGNAL = 99,
    PROTOCOLS = 181, /* 1: HTTP, 2: HTTPS */
    RESPONSE_CODE = 0x200002,
};

typedef struct curl {
    void *(*init)(void);
    int (*set)(void *, int, ...);
    int (*perform)(void *);
    int (*info)(void *, int, ...);
    void (*cleanup)(void *);
    const char *(*text)(int);
    void *(*append)(void *, const char *);
    void (*free_list)(void *);
} curl;

static const curl *load(void) {
    static curl loaded;
    static bool tried, there;
    if (tried) return there ? &loaded : NULL;
    tried = true;
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) library = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
    const struct {
        const char *name;
        void *to;
    } functions[] = {{"curl_easy_init", &loaded.init},       {"curl_easy_setopt", &loaded.set},
                     {"curl_easy_perform", &loaded.perform}, {"curl_easy_getinfo", &loaded.info},
                     {"curl_easy_cleanup", &loaded.cleanup}, {"curl_easy_strerror", &loaded.text},
                     {"curl_slist_append", &loaded.append},  {"curl_slist_free_all", &loaded.free_list}};
    there = library != NULL;
    for (size_t i = 0; there && i < sizeof functions / sizeof *functions; i++) {
        void *found = dlsym(library, functions[i].name);
        there = found != NULL;
        memcpy(functions[i].to, &found, sizeof found);
    }
    return there ? &loaded : NULL;
}

bool iol__is_url(const char *text) { return strncmp(text, "http://", 7) == 0 || strncmp(text, "https://", 8) == 0; }

static size_t keep(char *bytes, size_t size, size_t count, void *context) {
    iol__unpacked *to = context;
    if (!iol__unpack_room(to, size * count)) return 0;
    memcpy(to->bytes + to->length, bytes, size * count);
    to->length += size * count;
    to->bytes[to->length] = 0;
    return size * count;
}

static void *headers_of(const curl *c, const iol__http_secrets *secrets) {
    void *headers = NULL;
    char bearer[4200];
    if (secrets->token) {
        snprintf(bearer, sizeof bearer, "Authorization: Bearer %.4096s", secrets->token);
        headers = c->append(headers, bearer);
    }
    return secrets->header ? c->append(headers, secrets->header) : headers;
}

iol_status iol__http_get(const char *url, const iol__http_secrets *secrets, iol__feed *answer, long *code,
                         char why[400]) {
    const curl *c = load();
    iol__unpacked body = {0};
    char reason[256] = "";
    void *on = c ? c->init() : NULL, *headers = on ? headers_of(c, secrets) : NULL;
    if (!on) {
        snprintf(why, 400, "%.250s: libcurl is not on this machine (Debian: libcurl4)", url);
        return IOL_UNSUPPORTED;
    }
    c->set(on, URL, url);
    c->set(on, WRITEFUNCTION, keep);
    c->set(on, WRITEDATA, &body);
    c->set(on, ERRORBUFFER, reason);
    c->set(on, NOSIGNAL, 1L);
    c->set(on, TIMEOUT, (long)IOL__HTTP_SECONDS);
    c->set(on, CONNECTTIMEOUT, (long)IOL__HTTP_SECONDS);
    c->set(on, PROTOCOLS, 3L);
    if (headers) c->set(on, HTTPHEADER, headers);
    if (secrets->user) c->set(on, USERNAME, secrets->user);
    if (secrets->password) c->set(on, PASSWORD, secrets->password);
    int outcome = c->perform(on);
    if (outcome == 0) c->info(on, RESPONSE_CODE, code);
    if (outcome != 0)
        snprintf(why, 400, "%.200s: %.150s", url,
                 body.too_large ? "the answer is larger than 1 GiB"
                 : *reason      ? reason
                                : c->text(outcome));
    c->cleanup(on);
    if (headers) c->free_list(headers);
    if (outcome == 0 && !body.bytes && iol__unpack_room(&body, 1)) body.bytes[0] = 0;
    if (outcome == 0 && body.bytes) {
        *answer = (iol__feed){.name = "the answer", .bytes = body.bytes, .length = body.length};
        return IOL_OK;
    }
    free(body.bytes);
    return IOL_SYSTEM;
}

char *iol__url_escape(const char *text) {
    char *escaped = malloc(3 * strlen(text) + 1), *at = escaped;
    for (; escaped && *text; text++)
        if (isalnum((unsigned char)*text) || strchr("-._~", *text))
            *at++ = *text;
        else
            at += sprintf(at, "%%%02X", (unsigned char)*text);
    if (escaped) *at = 0;
    return escaped;
}
