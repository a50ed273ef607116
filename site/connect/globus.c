/* Transfers: GridFTP's log lines, and their form in Elasticsearch. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "site/connect/connect.h"

/* Length of a key in front of '=': capitals and dots; 0 if there is none. */
static size_t globus_key_length(const char *text) {
    size_t length = 0;
    while (isupper((unsigned char)text[length]) || (length && text[length] == '.')) length++;
    return text[length] == '=' ? length : 0;
}

/* "[192.101.102.150]" or several of them, to a list. */
static iol__value *addresses(iol__arena *arena, const char *text) {
    iol__value *list = iol__value_new(arena, IOL__LIST);
    while (*text) {
        text += strspn(text, "[], ");
        size_t length = strcspn(text, "[], ");
        if (length) iol__list_add(arena, list, iol__of_text(arena, iol__arena_text(arena, text, length)));
        text += length;
    }
    return list;
}

static iol__value *field_value(iol__arena *arena, const char *key, const char *text) {
    static const char *const whole[] = {"BUFFER", "BLOCK", "NBYTES", "STREAMS", "STRIPES"};
    double seconds;
    if ((strcmp(key, "DATE") == 0 || strcmp(key, "START") == 0) && iol__parse_compact_time(text, &seconds))
        return iol__of_real(arena, seconds);
    if (strcmp(key, "DEST") == 0) return addresses(arena, text);
    for (size_t i = 0; i < IOL_COUNT(whole); i++)
        if (strcmp(key, whole[i]) == 0) return iol__value_of_text(arena, text);
    return iol__of_text(arena, text);
}

/* A value ends where a blank and the next key begin, because file names may hold both. */
static iol__value *take_globus_line(iol__arena *arena, const char *line) {
    iol__value *row = iol__value_new(arena, IOL__MAP);
    while (*line) {
        size_t key = globus_key_length(line);
        if (!key) return NULL;
        const char *value = line + key + 1, *end = value;
        while (*end && !(*end == ' ' && globus_key_length(end + 1))) end++;
        const char *name = iol__arena_text(arena, line, key);
        iol__map_put(arena, row, name, field_value(arena, name, iol__arena_text(arena, value, (size_t)(end - value))));
        line = *end ? end + 1 : end;
    }
    return row->count ? row : NULL;
}

/* Only what was asked for: a user, a direction, an overlap with a range. */
static bool globus_wanted(const iol__request *request, const iol__value *row, double from, double to) {
    const char *user = iol__map_text(row, "USER"), *type = iol__map_text(row, "TYPE");
    if (request->user && (!user || strcmp(user, request->user) != 0)) return false;
    if (request->type && (!type || strcmp(type, request->type) != 0)) return false;
    return !request->ranged || (from < (double)request->end && to >= (double)request->start);
}

iol_status iol__read_globus(iol__request *request, iol__value **out) {
    iol__feed feed;
    iol_status status = iol__request_feed(request, 0, &feed);
    if (status != IOL_OK) return status;
    *out = iol__request_json(request, &feed);
    if (*out && (*out)->kind == IOL__LIST) {
        request->understood++;
    } else {
        *out = iol__value_new(request->arena, IOL__LIST);
        iol__lines lines = {feed.bytes, feed.bytes + feed.length};
        for (char *line; (line = iol__next_line(&lines));) {
            iol__value *row = take_globus_line(request->arena, line);
            request->understood += row != NULL;
            request->skipped += !row;
            if (row && globus_wanted(request, row, iol__map_number(row, "START"), iol__map_number(row, "DATE")))
                iol__list_add(request->arena, *out, row);
        }
    }
    iol__feed_close(&feed);
    return iol__expect_form(request, "lines of GridFTP's log of transfers");
}

iol_status iol__read_globus_es(iol__request *request, iol__value **out) {
    iol__feed feed;
    iol_status status = iol__request_feed(request, 0, &feed);
    if (status != IOL_OK) return status;
    iol__value *pages = iol__request_json(request, &feed);
    iol__feed_close(&feed);
    if (!pages || pages->kind != IOL__LIST)
        return iol__refuse(request, IOL_DAMAGED, "%.200s: no pages of Elasticsearch", request->paths[0]);
    *out = iol__value_new(request->arena, IOL__LIST);
    for (size_t i = 0; i < pages->count; i++) {
        iol__value *page = iol__value_new(request->arena, IOL__LIST);
        for (size_t k = 0; pages->items[i]->kind == IOL__LIST && k < pages->items[i]->count; k++) {
            iol__value *hit = pages->items[i]->items[k], *source = iol__map_get(hit, "_source");
            const char *from = iol__map_text(source, "start_date"), *to = iol__map_text(source, "end_date");
            double start = 0, end = 0;
            if (from) iol__parse_time(from, &start);
            if (to) iol__parse_time(to, &end);
            if (source && globus_wanted(request, source, start, end)) iol__list_add(request->arena, page, hit);
        }
        iol__list_add(request->arena, *out, page);
    }
    return IOL_OK;
}
