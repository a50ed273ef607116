/* ClickHouse over HTTP. An answer is taken only when it is complete: the server holds it back until the last row is there,
   so that a server of the cluster that dies meanwhile gives an error and not half an answer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/deadline.h"
#include "site/store/clickhouse.h"

enum { CONNECT_SECONDS = 10, USUAL_SECONDS = 600 };

/* Never a part of the answer, never an insert that only the first server has seen; subqueries over all servers. */
static const char settings[] = "wait_end_of_query=1&skip_unavailable_shards=0&insert_distributed_sync=1"
                               "&distributed_product_mode=global&join_default_strictness=ALL"
                               "&connect_timeout_with_failover_ms=3000&max_query_size=16777216&max_ast_elements=500000"
                               "&max_expanded_ast_elements=1000000";

/* URLs ---------------------------------------------------------------------------------------------------------- */

/* clickhouse://[user[:password]@]host[:port][,host[:port]...]/database[?cluster=name] */
static bool cut_url(iol__ch *ch, char *rest) {
    char *slash, *at, *query, *colon;
    if (strncmp(rest, "//", 2) == 0) rest += 2;
    query = strchr(rest, '?');
    if (query) *query++ = 0;
    slash = strchr(rest, '/');
    if (slash) *slash++ = 0;
    ch->database = slash && *slash ? slash : "default";
    at = strrchr(rest, '@');
    if (at) {
        *at = 0;
        ch->user = rest;
        colon = strchr(rest, ':');
        if (colon) *colon++ = 0;
        ch->password = colon ? colon : "";
        rest = at + 1;
    }
    for (char *host; (host = strsep(&rest, ","));)
        if (*host && ch->n_hosts < IOL_CH_HOSTS) ch->hosts[ch->n_hosts++] = host;
    for (char *word; query && (word = strsep(&query, "&"));) {
        if (strncmp(word, "cluster=", 8) != 0 || !word[8]) return false;
        ch->cluster = word + 8;
    }
    /* Names are part of statements. */
    const char *names[] = {ch->database, ch->cluster ? ch->cluster : ""};
    for (int i = 0; i < 2; i++)
        for (const char *c = names[i]; *c; c++)
            if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", *c)) return false;
    return ch->n_hosts > 0;
}

iol_status iol__ch_open_url(iol__ch *ch, const char *url, iol_error *error) {
    const char *colon = strchr(url, ':');
    ch->tls = strncmp(url, "clickhouses:", 12) == 0;
    ch->url = strdup(colon ? colon + 1 : url);
    if (!ch->url) return iol__store_fail(error, IOL_SYSTEM, "out of memory");
    if (!cut_url(ch, ch->url))
        return iol__store_fail(
            error, IOL_INVALID,
            "a ClickHouse store is named clickhouse://HOST:PORT[,HOST:PORT...]/DATABASE[?cluster=NAME]");
    ch->curl = iol__curl_load();
    if (!ch->curl) return iol__store_fail(error, IOL_UNSUPPORTED, "libcurl is not on this machine (Debian: libcurl4)");
    ch->handle = ch->curl->init();
    /* Without this, libcurl waits for permission to send before each large body. */
    ch->headers = ch->curl->append(NULL, "Expect:");
    snprintf(ch->name, sizeof ch->name, "clickhouse://%.100s%s/%.80s", ch->hosts[0], ch->n_hosts > 1 ? ",..." : "",
             ch->database);
    return ch->handle ? IOL_OK : iol__store_fail(error, IOL_SYSTEM, "out of memory");
}

void iol__ch_close_url(iol__ch *ch) {
    if (ch->handle) ch->curl->cleanup(ch->handle);
    if (ch->headers) ch->curl->free_list(ch->headers);
    iol__rows_free(&ch->answer);
    free(ch->url);
}

/* Trouble ------------------------------------------------------------------------------------------------------- */

static const char *help_of(int code) {
    static const struct {
        int code;
        const char *help;
    } table[] = {
        {279, "a server of the cluster does not answer, and without it the answer would not be whole"},
        {32, "a server of the cluster went away, and without it the answer would not be whole"},
        {159, "the answer took too long"},
        {209, "a server of the cluster does not answer in time"},
        {210, "a server of the cluster cannot be reached"},
        {243, "the server's disk is full"},
        {241, "the server has not enough memory for this"},
        {81, "there is no such database"},
        {170, "the server knows no cluster of this name"},
        {192, "the server does not know this user"},
        {193, "wrong password"},
        {516, "the server does not know this user, or the password is wrong"},
        {252, "the server cannot keep up: too many parts; run it again later"},
    };
    for (size_t i = 0; i < IOL_COUNT(table); i++)
        if (table[i].code == code) return table[i].help;
    return NULL;
}

/* "Code: 279, e.displayText() = DB::NetException: ..." */
static iol_status refused(iol__ch *ch, long status) {
    char message[300];
    int code = 0;
    const char *text = ch->answer.length ? ch->answer.bytes : "";
    sscanf(text, "Code: %d", &code);
    /* Which call failed has a code, why it failed has not. */
    const char *help = strstr(text, "errno: 28,") ? "the server's disk is full" : help_of(code);
    snprintf(message, sizeof message, "%.290s", text);
    message[strcspn(message, "\n")] = 0;
    if (help) return iol__store_fail(&ch->base.error, IOL_SYSTEM, "%.200s: %s (code %d)", ch->name, help, code);
    return iol__store_fail(&ch->base.error, IOL_SYSTEM, "%.200s: %s (HTTP %ld)", ch->name, message, status);
}

/* Requests ------------------------------------------------------------------------------------------------------ */

static size_t clickhouse_http_keep(char *bytes, size_t size, size_t count, void *context) {
    iol__rows *to = context;
    iol__rows_add(to, bytes, size * count);
    return to->failed ? 0 : size * count;
}

/* The server ends by itself what nobody waits for any more. It counts in seconds. */
static int64_t patience_ms(const iol__ch *ch) {
    const char *own = getenv("IOLITE_STORE_TIMEOUT");
    return iol__deadline_ms(ch->base.deadline, 1000 * (own && atol(own) > 0 ? (int64_t)atol(own) : USUAL_SECONDS));
}

static char *request_url(const iol__ch *ch, size_t host, const char *query, int64_t ms) {
    char *url = NULL, *escaped = query ? iol__url_escape(query) : NULL;
    bool port = strchr(ch->hosts[host], ':') != NULL;
    if (query && !escaped) return NULL;
    if (asprintf(
            &url, "%s://%s%s/?database=%s&%s&max_execution_time=%lld%s%s", ch->tls ? "https" : "http", ch->hosts[host],
            port      ? ""
            : ch->tls ? ":8443"
                      : ":8123",
            ch->database, settings, (long long)(ms + 999) / 1000, query ? "&query=" : "", query ? escaped : "") < 0)
        url = NULL;
    free(escaped);
    return url;
}

iol_status iol__ch_post(iol__ch *ch, size_t host, const char *query, const char *body, size_t length) {
    const iol__curl *c = ch->curl;
    const int64_t ms = patience_ms(ch);
    char reason[256] = "", *url = request_url(ch, host, query, ms);
    long status = 0;
    if (!url) return iol__store_fail(&ch->base.error, IOL_SYSTEM, "out of memory");
    iol__rows_clear(&ch->answer);
    c->set(ch->handle, IOL_CURL_URL, url);
    c->set(ch->handle, IOL_CURL_WRITEFUNCTION, clickhouse_http_keep);
    c->set(ch->handle, IOL_CURL_WRITEDATA, &ch->answer);
    c->set(ch->handle, IOL_CURL_ERRORBUFFER, reason);
    c->set(ch->handle, IOL_CURL_NOSIGNAL, 1L);
    c->set(ch->handle, IOL_CURL_TIMEOUT_MS, (long)ms);
    c->set(ch->handle, IOL_CURL_CONNECTTIMEOUT, (long)CONNECT_SECONDS);
    c->set(ch->handle, IOL_CURL_PROTOCOLS, 3L);
    c->set(ch->handle, IOL_CURL_HTTPHEADER, ch->headers);
    c->set(ch->handle, IOL_CURL_POST, 1L);
    c->set(ch->handle, IOL_CURL_POSTFIELDSIZE, (long)length);
    c->set(ch->handle, IOL_CURL_POSTFIELDS, body);
    if (ch->user) c->set(ch->handle, IOL_CURL_USERNAME, ch->user);
    if (ch->user) c->set(ch->handle, IOL_CURL_PASSWORD, ch->password);
    int outcome = c->perform(ch->handle);
    free(url);
    if (outcome != 0)
        return iol__store_fail(&ch->base.error, IOL_END, "ClickHouse on %.100s cannot be reached: %.200s",
                               ch->hosts[host], *reason ? reason : c->text(outcome));
    c->info(ch->handle, IOL_CURL_RESPONSE_CODE, &status);
    return status == 200 ? IOL_OK : refused(ch, status);
}

iol_status iol__ch_request(iol__ch *ch, const char *query, const char *body, size_t length) {
    iol_status status = IOL_END;
    for (size_t i = 0; i < ch->n_hosts && status == IOL_END && !(i && iol__is_past(ch->base.deadline)); i++)
        status = iol__ch_post(ch, i, query, body, length);
    return status == IOL_END ? IOL_SYSTEM : status;
}

/* Answers ------------------------------------------------------------------------------------------------------- */

typedef enum answer_type { AS_INTEGER, AS_REAL, AS_TEXT } answer_type;

static answer_type clickhouse_http_type_of(const char *name) {
    if (strncmp(name, "Nullable(", 9) == 0) name += 9;
    if (strncmp(name, "Int", 3) == 0 || strncmp(name, "UInt", 4) == 0) return AS_INTEGER;
    return strncmp(name, "Float", 5) == 0 ? AS_REAL : AS_TEXT;
}

/* In place: \t, \n and their like become what they stand for. */
static void clickhouse_http_unescape(char *text) {
    static const char letters[] = "bfrnt0", meanings[] = "\b\f\r\n\t";
    char *to = text;
    for (; *text; text++) {
        if (*text != '\\' || !text[1]) {
            *to++ = *text;
            continue;
        }
        const char *found = strchr(letters, *++text);
        *to++ = found ? meanings[found - letters] : *text;
    }
    *to = 0;
}

static iol__cell clickhouse_http_cell_of(char *field, answer_type type) {
    if (strcmp(field, "\\N") == 0) return iol__null();
    if (type == AS_INTEGER) return iol__integer(strtoll(field, NULL, 10));
    if (type == AS_REAL) return iol__real(strtod(field, NULL));
    clickhouse_http_unescape(field);
    return iol__text(field);
}

/* How many fields the line has; at most IOL_WIDEST are taken. */
static size_t cut_line(char *line, const answer_type *types, size_t count, iol__cell *values) {
    size_t n = 0;
    for (char *field; (field = strsep(&line, "\t")); n++)
        if (n < count) values[n] = clickhouse_http_cell_of(field, types[n]);
    return n;
}

/* TabSeparatedWithNamesAndTypes. What lacks the two lines of the head, a field or the end of the last line did not come from
   ClickHouse, or not all of it. */
iol_status iol__ch_rows(iol__ch *ch, iol__store_row row, void *context) {
    answer_type types[IOL_WIDEST];
    iol__cell values[IOL_WIDEST];
    size_t count = 0;
    iol__rows answer = ch->answer; /* a row's function may ask again */
    ch->answer = (iol__rows){0};
    bool whole = answer.length && answer.bytes[answer.length - 1] == '\n', wanted = true;
    char *rest = answer.bytes, *names = rest ? strsep(&rest, "\n") : NULL, *line = rest ? strsep(&rest, "\n") : NULL;
    whole = whole && names && line && rest;
    for (char *name; whole && count < IOL_WIDEST && (name = strsep(&line, "\t"));)
        types[count++] = clickhouse_http_type_of(name);
    while (whole && wanted && *rest) {
        whole = cut_line(strsep(&rest, "\n"), types, count, values) == count;
        wanted = whole && row(context, values, count);
    }
    iol__rows_free(&answer);
    if (whole) return IOL_OK;
    return iol__store_fail(&ch->base.error, IOL_SYSTEM,
                           "%.200s: this is not an answer of ClickHouse, or a part of it is missing", ch->name);
}
