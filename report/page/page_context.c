/* What the caller knows besides the log: the servers behind the storage targets of Lustre.
   {"osts": [{"ost": 3, "oss": "oss1"}]}; other keys are for the diagnosis. */
#include <string.h>

#include "log/trailer/plain_json.h"
#include "report/page/page_internal.h"

typedef struct iol__page_server {
    int64_t ost;
    const char *oss;
} server;

/* One object of the list; false if it is none. */
static bool read_server(iol__plain_json *json, server *s) {
    *s = (server){.ost = -1};
    if (!iol__plain_take(json, '{')) return false;
    if (iol__plain_take(json, '}')) return true;
    do {
        char *key, *text;
        double ost;
        bool good;
        if (!iol__plain_text(json, &key) || !iol__plain_take(json, ':')) return false;
        if (strcmp(key, "ost") == 0) {
            good = iol__plain_number_if(json, &ost);
            if (ost >= 0 && ost < INT32_MAX) s->ost = (int64_t)ost;
        } else if (strcmp(key, "oss") == 0) {
            good = iol__plain_text_if(json, &text);
            if (good) s->oss = text;
        } else {
            good = iol__plain_skip(json);
        }
        if (!good) return false;
    } while (iol__plain_take(json, ','));
    return iol__plain_take(json, '}');
}

static bool read_servers(iol__page *page, iol__plain_json *json) {
    server *list = NULL;
    size_t n = 0;
    if (!iol__plain_take(json, '[')) return iol__plain_skip(json);
    if (iol__plain_take(json, ']')) return true;
    do {
        server s;
        if (!read_server(json, &s)) return false;
        if (s.ost < 0 || !s.oss) continue;
        list = iol__arena_grow(&page->arena, list, n, sizeof *list);
        list[n++] = s;
        page->servers = list;
        page->n_servers = n;
    } while (iol__plain_take(json, ','));
    return iol__plain_take(json, ']');
}

void iol__page_context_make(iol__page *page) {
    if (!page->options.context) return;
    size_t length = strlen(page->options.context);
    char *copy = iol__arena_text(&page->arena, page->options.context, length), *key;
    iol__plain_json json = {copy, copy + length};
    if (!iol__plain_take(&json, '{')) return;
    do {
        if (!iol__plain_text(&json, &key) || !iol__plain_take(&json, ':')) return;
        if (!(strcmp(key, "osts") == 0 ? read_servers(page, &json) : iol__plain_skip(&json))) return;
    } while (iol__plain_take(&json, ','));
}

const char *iol__page_context_oss(const iol__page *page, int64_t ost) {
    for (size_t i = 0; i < page->n_servers; i++)
        if (page->servers[i].ost == ost) return page->servers[i].oss;
    return NULL;
}

void iol__page_context_write(iol__json *json, const iol__page *page) {
    if (!page->n_servers) return;
    iol__json_put_open(json, "context", '{');
    iol__json_put_open(json, "osts", '[');
    for (size_t i = 0; i < page->n_servers; i++) {
        iol__json_open(json, '{');
        iol__json_put_i64(json, "ost", page->servers[i].ost);
        iol__json_put_text(json, "oss", page->servers[i].oss);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
    iol__json_close(json, '}');
}
