/* Answers over HTTP, by libcurl. */
#include "site/connect/http.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "site/connect/connect.h"
#include "site/connect/unpack.h"
#include "site/curl.h"
#include "text/plain_file.h"

bool iol__is_url(const char *text) { return strncmp(text, "http://", 7) == 0 || strncmp(text, "https://", 8) == 0; }

bool iol__url_tells_password(const char *text) {
    const char *host = strstr(text, "://");
    if (!host) return false;
    size_t length = strcspn(host + 3, "/?#");
    const char *at = memrchr(host + 3, '@', length);
    return at && memchr(host + 3, ':', (size_t)(at - host - 3));
}

static size_t http_keep(char *bytes, size_t size, size_t count, void *context) {
    iol__unpacked *to = context;
    if (!iol__unpack_room(to, size * count)) return 0;
    memcpy(to->bytes + to->length, bytes, size * count);
    to->length += size * count;
    to->bytes[to->length] = 0;
    return size * count;
}

static void *headers_of(const iol__curl *c, const iol__http_secrets *secrets) {
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
    return iol__http_post(url, NULL, secrets, answer, code, why);
}

/* IOLITE_CA_FILE: who signed the certificates of servers, where the system does not know them. */
static void set_options(const iol__curl *c, void *on, const char *document, const iol__http_secrets *secrets) {
    const char *authority = getenv("IOLITE_CA_FILE");
    long seconds = iol__site_patience ? (long)iol__site_patience : IOL__HTTP_SECONDS;
    c->set(on, IOL_CURL_NOSIGNAL, 1L);
    c->set(on, IOL_CURL_TIMEOUT, seconds);
    c->set(on, IOL_CURL_CONNECTTIMEOUT, seconds);
    c->set(on, IOL_CURL_PROTOCOLS, 3L);
    /* The library that reads it would wait for a pipe. Nobody is trusted then. */
    if (authority && *authority) c->set(on, IOL_CURL_CAINFO, iol__plain_file_is(authority) ? authority : "/dev/null");
    if (document) c->set(on, IOL_CURL_POSTFIELDS, document);
    if (secrets->socket) c->set(on, IOL_CURL_UNIX_SOCKET_PATH, secrets->socket);
    if (secrets->user) c->set(on, IOL_CURL_USERNAME, secrets->user);
    if (secrets->password) c->set(on, IOL_CURL_PASSWORD, secrets->password);
}

iol_status iol__http_post(const char *url, const char *document, const iol__http_secrets *secrets, iol__feed *answer,
                          long *code, char why[400]) {
    const iol__curl *c = iol__curl_load();
    iol__unpacked body = {0};
    char reason[256] = "";
    void *on = c ? c->init() : NULL, *headers = on ? headers_of(c, secrets) : NULL;
    if (iol__url_tells_password(url)) {
        snprintf(why, 400,
                 "a password does not belong into an address, which others see: IOLITE_SOURCE_USER and _PASSWORD, or "
                 "files that _FILE names (docs/site-data.md)");
        if (headers) c->free_list(headers);
        if (on) c->cleanup(on);
        return IOL_INVALID;
    }
    if (!on) {
        snprintf(why, 400, "%.250s: libcurl is not on this machine (Debian: libcurl4)", url);
        return IOL_UNSUPPORTED;
    }
    c->set(on, IOL_CURL_URL, url);
    c->set(on, IOL_CURL_WRITEFUNCTION, http_keep);
    c->set(on, IOL_CURL_WRITEDATA, &body);
    c->set(on, IOL_CURL_ERRORBUFFER, reason);
    set_options(c, on, document, secrets);
    if (document) headers = c->append(headers, "Content-Type: application/json");
    if (headers) c->set(on, IOL_CURL_HTTPHEADER, headers);
    int outcome = c->perform(on);
    c->info(on, IOL_CURL_RESPONSE_CODE, code);
    bool came = outcome == 0 || (body.length && !body.too_large);
    *why = 0;
    if (outcome != 0)
        snprintf(why, 400, "%.*s: %.150s", (int)(strcspn(url, "?") < 200 ? strcspn(url, "?") : 200), url,
                 body.too_large ? "the answer is larger than 1 GiB"
                 : *reason      ? reason
                                : c->text(outcome));
    c->cleanup(on);
    if (headers) c->free_list(headers);
    if (came && !body.bytes && iol__unpack_room(&body, 1)) body.bytes[0] = 0;
    if (came && body.bytes) {
        *answer = (iol__feed){.name = "the answer", .bytes = body.bytes, .length = body.length};
        return IOL_OK;
    }
    free(body.bytes);
    return IOL_SYSTEM;
}
