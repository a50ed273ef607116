/* Elasticsearch and OpenSearch over HTTP: collectd's documents of a time, page by page. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "site/connect/database.h"
#include "site/connect/http.h"

enum { PAGE = 10000, MOST_PAGES = 20000 };

static const struct kind {
    const char *name, *conditions;
} kinds[] = {{"disk", "{\"term\":{\"plugin\":\"disk\"}},{\"prefix\":{\"plugin_instance\":\"nvme\"}},"
                      "{\"regexp\":{\"collectd_type\":\"disk_(octets|ops)\"}}"},
             {"cpu", "{\"term\":{\"plugin\":\"cpu\"}},{\"regexp\":{\"type_instance\":\"(idle|user|system)\"}}"},
             {"memory", "{\"term\":{\"plugin\":\"memory\"}}"}};

static const char fields[] =
    "[\"@timestamp\",\"hostname\",\"plugin\",\"collectd_type\",\"type_instance\",\"plugin_instance\",\"value\","
    "\"longterm\","
    "\"midterm\",\"shortterm\",\"majflt\",\"minflt\",\"if_octets\",\"if_packets\",\"if_errors\",\"rx\",\"tx\",\"read\","
    "\"write\",\"io_time\"]";

/* Text inside a JSON string. */
static const char *elastic_quoted(iol__arena *arena, const char *text) {
    char *to = iol__arena_alloc(arena, 2 * strlen(text) + 1, 1), *at = to;
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') *at++ = '\\';
        if ((unsigned char)*text >= 0x20) *at++ = *text;
    }
    return to;
}

static const char *question(iol__request *request, const struct kind *kind) {
    const char *host = request->host ? request->host : "";
    return iol__arena_print(
        request->arena,
        "{\"size\":%d,\"_source\":%s,\"query\":{\"constant_score\":{\"filter\":{\"bool\":{\"must\":[{\"range\":"
        "{\"@timestamp\":{\"gte\":%lld,\"lt\":%lld,\"format\":\"epoch_second\"}}},{\"prefix\":{\"hostname\":\"%s\"}},%"
        "s]"
        "}}}}}",
        PAGE, fields, (long long)request->start, (long long)request->end, elastic_quoted(request->arena, host),
        kind->conditions);
}

static iol_status elastic_post(iol__request *request, const char *url, const char *document, iol__value **answer) {
    iol__http_secrets who = {0};
    iol__feed feed;
    long code = 0;
    if (!iol__secret(request, "IOLITE_ES_USER", &who.user) ||
        !iol__secret(request, "IOLITE_ES_PASSWORD", &who.password) ||
        !iol__secret(request, "IOLITE_ES_TOKEN", &who.token))
        return IOL_INVALID;
    iol_status status = iol__http_post(url, document, &who, &feed, &code, request->why);
    if (status != IOL_OK) return status;
    if (*request->why) iol__partial(request, "%.180s", request->why);
    *answer = iol__request_json(request, &feed);
    iol__feed_close(&feed);
    if (!*answer || (*answer)->kind != IOL__MAP)
        return iol__refuse(request, IOL_DAMAGED, "%.200s: %sstatus %ld", url, code < 300 ? "no JSON, " : "", code);
    if (code >= 400) {
        const iol__value *error = iol__map_get(*answer, "error");
        const char *reason = error && error->kind == IOL__TEXT ? error->text : iol__map_text(error, "reason");
        return iol__refuse(request, IOL_SYSTEM, "%.150s: status %ld: %.150s", url, code, reason ? reason : "");
    }
    return IOL_OK;
}

/* The hits of an answer as one page; false after the last. */
static bool take_page(iol__request *request, const iol__value *answer, iol__value *pages) {
    const iol__value *late = iol__map_get(answer, "timed_out");
    double failed = iol__map_number(iol__map_get(answer, "_shards"), "failed");
    iol__value *hits = iol__map_get(iol__map_get(answer, "hits"), "hits");
    if (late && late->kind == IOL__FLAG && late->flag) iol__partial(request, "Elasticsearch ran out of time");
    if (failed > 0) iol__partial(request, "%.0f of Elasticsearch's shards failed", failed);
    if (!hits || hits->kind != IOL__LIST || !hits->count) return false;
    iol__list_add(request->arena, pages, hits);
    return true;
}

static iol_status ask_kind(iol__request *request, const char *base, const char *index, const struct kind *kind,
                           iol__value *pages) {
    iol__value *answer;
    iol_status status = elastic_post(request, iol__arena_print(request->arena, "%s/%s/_search?scroll=1m", base, index),
                                     question(request, kind), &answer);
    char *next = iol__arena_print(request->arena, "%s/_search/scroll", base);
    for (int i = 0; status == IOL_OK && take_page(request, answer, pages); i++) {
        const char *id = iol__map_text(answer, "_scroll_id");
        if (!id) return IOL_OK;
        if (i == MOST_PAGES) {
            iol__partial(request, "more than %d pages", MOST_PAGES);
            return IOL_OK;
        }
        status = elastic_post(request, next,
                              iol__arena_print(request->arena, "{\"scroll\":\"1m\",\"scroll_id\":\"%s\"}",
                                               elastic_quoted(request->arena, id)),
                              &answer);
    }
    /* What came before a page that failed is still true. */
    if (status != IOL_OK && status != IOL_INVALID && pages->count) {
        iol__partial(request, "%.180s", request->why);
        *request->why = 0;
        status = IOL_OK;
    }
    return status;
}

iol_status iol__ask_elastic(iol__request *request, iol__value **out) {
    char *base = iol__arena_copy(request->arena, request->paths[0]);
    size_t length = strlen(base);
    while (length && base[length - 1] == '/') base[--length] = 0;
    char *slash = strrchr(base, '/');
    if (!slash || slash < strstr(base, "://") + 3)
        return iol__refuse(request, IOL_INVALID, "an address with an index is needed: http://HOST:9200/INDEX");
    *slash = 0;
    if (!request->ranged) return iol__refuse(request, IOL_INVALID, "a range of time is needed: --start and --end");
    *out = iol__value_new(request->arena, IOL__LIST);
    iol_status status = IOL_OK;
    bool known = !request->type;
    for (size_t i = 0; i < IOL_COUNT(kinds) && status == IOL_OK; i++) {
        if (request->type && strcmp(request->type, kinds[i].name) != 0) continue;
        known = true;
        status = ask_kind(request, base, slash + 1, &kinds[i], *out);
    }
    return known ? status : iol__refuse(request, IOL_INVALID, "--type is disk, cpu or memory");
}
