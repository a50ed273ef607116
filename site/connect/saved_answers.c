/* Saved answers that need no translation: Elasticsearch's pages of collectd documents, rates of ESnet's routers, and
   Prometheus' answers, whose numbers are texts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "site/connect/database.h"
#include "site/connect/http.h"
#include "site/curl.h"

static iol_status read_saved_answers_json(iol__request *request, iol__value_kind kind, const char *what,
                                          iol__value **out) {
    iol__feed feed;
    iol_status status = iol__request_feed(request, 0, &feed);
    if (status != IOL_OK) return status;
    *out = iol__request_json(request, &feed);
    iol__feed_close(&feed);
    if (*out && (*out)->kind == kind) return IOL_OK;
    return *request->why ? IOL_DAMAGED
                         : iol__refuse(request, IOL_DAMAGED, "%.200s: %s expected", request->paths[0], what);
}

iol_status iol__read_collectd(iol__request *request, iol__value **out) {
    if (request->n_paths == 1 && iol__is_url(request->paths[0])) return iol__ask_elastic(request, out);
    return read_saved_answers_json(request, IOL__LIST, "a list of pages as Elasticsearch gives them", out);
}

iol_status iol__read_esnet(iol__request *request, iol__value **out) {
    static const char form[] = "{endpoint: {interface: {in, out}}}";
    iol_status status = read_saved_answers_json(request, IOL__MAP, form, out);
    if (status == IOL_OK) request->understood += iol__is_cache(*out);
    return status == IOL_OK ? iol__expect_form(request, form) : status;
}

/* "1000000000" to a number; "NaN" and infinities are not measurements. */
static iol__value *saved_answers_sample(iol__arena *arena, const iol__value *value) {
    if (value->kind == IOL__INTEGER || value->kind == IOL__REAL) return iol__value_copy(arena, value);
    if (value->kind != IOL__TEXT) return iol__value_new(arena, IOL__NOTHING);
    char *end;
    double number = strtod(value->text, &end);
    bool good = end != value->text && !*end && isfinite(number);
    return good ? iol__of_real(arena, number) : iol__value_new(arena, IOL__NOTHING);
}

static void add_point(iol__arena *arena, iol__value *points, const iol__value *pair) {
    if (!pair || pair->kind != IOL__LIST || pair->count != 2 || isnan(iol__value_number(pair->items[0]))) return;
    iol__value *point = iol__value_new(arena, IOL__LIST);
    iol__list_add(arena, point, pair->items[0]);
    iol__list_add(arena, point, saved_answers_sample(arena, pair->items[1]));
    iol__list_add(arena, points, point);
}

/* One of a range has values, one of an instant a value; a number that has no labels is the pair itself. */
static iol__value *saved_answers_series(iol__arena *arena, const iol__value *from) {
    iol__value *made = iol__value_new(arena, IOL__MAP), *values = iol__map_get(from, "values");
    iol__value *metric = iol__map_get(from, "metric");
    iol__map_put(arena, made, "metric", metric ? metric : iol__value_new(arena, IOL__MAP));
    iol__value *points = iol__map_open(arena, made, "values", IOL__LIST);
    for (size_t i = 0; values && values->kind == IOL__LIST && i < values->count; i++)
        add_point(arena, points, values->items[i]);
    add_point(arena, points, from->kind == IOL__LIST ? from : iol__map_get(from, "value"));
    return made;
}

static iol_status series_of(iol__request *request, const iol__value *answer, const char *from, iol__value *into) {
    const char *state = iol__map_text(answer, "status"), *error = iol__map_text(answer, "error");
    const iol__value *result = iol__map_get(iol__map_get(answer, "data"), "result");
    if (!state || strcmp(state, "success") != 0 || !result || result->kind != IOL__LIST)
        return iol__refuse(request, IOL_DAMAGED, "%.100s: Prometheus says: %.250s", from, error ? error : "nothing");
    const iol__value *warnings = iol__map_get(answer, "warnings");
    if (warnings && warnings->kind == IOL__LIST && warnings->count && warnings->items[0]->kind == IOL__TEXT)
        iol__partial(request, "%.60s: %.120s", from, warnings->items[0]->text);
    const iol__value *some = iol__map_get(answer, "isPartial"); /* of a cluster of VictoriaMetrics */
    if (some && some->kind == IOL__FLAG && some->flag)
        iol__partial(request, "%.100s: some of its storage nodes did not answer", from);
    const char *type = iol__map_text(iol__map_get(answer, "data"), "resultType");
    bool alone = type && (strcmp(type, "scalar") == 0 || strcmp(type, "string") == 0);
    if (alone) iol__list_add(request->arena, into, saved_answers_series(request->arena, result));
    for (size_t i = 0; !alone && i < result->count; i++) {
        request->skipped += iol__map_get(result->items[i], "histograms") != NULL;
        iol__list_add(request->arena, into, saved_answers_series(request->arena, result->items[i]));
    }
    return IOL_OK;
}

/* Answers of the server, or what was made of them before. */
iol_status iol__read_prometheus(iol__request *request, iol__value **out) {
    iol_status status = IOL_OK;
    *out = iol__value_new(request->arena, IOL__LIST);
    for (size_t i = 0; i < request->n_paths && status == IOL_OK; i++) {
        iol__feed feed;
        status = iol__request_feed(request, i, &feed);
        if (status != IOL_OK) break;
        const iol__value *answer = iol__request_json(request, &feed);
        iol__feed_close(&feed);
        if (!answer)
            status = *request->why ? IOL_DAMAGED
                                   : iol__refuse(request, IOL_DAMAGED, "%.200s: an answer of Prometheus expected",
                                                 request->paths[i]);
        else if (answer->kind == IOL__LIST)
            for (size_t k = 0; k < answer->count; k++)
                iol__list_add(request->arena, *out, saved_answers_series(request->arena, answer->items[k]));
        else
            status = series_of(request, answer, request->paths[i], *out);
    }
    return status;
}

/* A server that is asked ------------------------------------------------------------------------------------------ */

static iol_status saved_answers_ask(iol__request *request, const char *url, iol__value *into) {
    iol__http_secrets who = {0};
    iol__feed answer;
    long code = 0;
    if (!iol__secret(request, "IOLITE_PROMETHEUS_TOKEN", &who.token) ||
        !iol__secret(request, "IOLITE_PROMETHEUS_USER", &who.user) ||
        !iol__secret(request, "IOLITE_PROMETHEUS_PASSWORD", &who.password) ||
        !iol__secret(request, "IOLITE_PROMETHEUS_HEADER", &who.header))
        return IOL_INVALID;
    iol_status status = iol__http_get(url, &who, &answer, &code, request->why);
    if (status != IOL_OK) return status;
    bool cut = *request->why;
    if (cut) iol__partial(request, "%.180s", request->why);
    const iol__value *tree = iol__request_json(request, &answer);
    iol__feed_close(&answer);
    status = tree ? series_of(request, tree, url, into)
                  : iol__refuse(request, IOL_DAMAGED, "%.200s: %sstatus %ld", url, code < 300 ? "no JSON, " : "", code);
    /* Nothing that is of use, and then silence: it would be so again. */
    return cut && status != IOL_OK ? IOL_SYSTEM : status;
}

iol_status iol__ask_prometheus(iol__request *request, const char *base, const char *query, int64_t start, int64_t end,
                               int64_t step, iol__value **out) {
    enum { MOST_POINTS = 11000 };
    iol_status status = IOL_OK;
    *out = iol__value_new(request->arena, IOL__LIST);
    char *escaped = iol__url_escape(query);
    if (!escaped) return iol__refuse(request, IOL_SYSTEM, "out of memory");
    size_t length = strlen(base);
    while (length && base[length - 1] == '/') length--;
    for (int64_t at = start; at <= end && status == IOL_OK; at += MOST_POINTS * step) {
        int64_t last = at + (MOST_POINTS - 1) * step < end ? at + (MOST_POINTS - 1) * step : end;
        char *url = iol__arena_print(request->arena, "%.*s/api/v1/query_range?query=%s&start=%lld&end=%lld&step=%lld",
                                     (int)length, base, escaped, (long long)at, (long long)last, (long long)step);
        status = saved_answers_ask(request, url, *out);
    }
    free(escaped);
    /* What came before a request that failed is still true. */
    if (status != IOL_OK && status != IOL_INVALID && (*out)->count) {
        iol__partial(request, "%.180s", request->why);
        *request->why = 0;
        status = IOL_OK;
    }
    return status;
}
