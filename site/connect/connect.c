/* The table of connectors, and what they share: inputs, messages, fields. */
#include "site/connect/connect.h"

#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "site/connect/repair.h"
#include "site/tree.h"
#include "text/text.h"

const iol__connector iol__connectors[] = {
#define CONNECTOR(name, function, key, about) {name, about, function, key},
#include "site/connect/connectors.def"
#undef CONNECTOR
};
const size_t iol__n_connectors = IOL_COUNT(iol__connectors);

const iol__connector *iol__connector_find(const char *name) {
    for (size_t i = 0; i < iol__n_connectors; i++)
        if (strcmp(iol__connectors[i].name, name) == 0) return &iol__connectors[i];
    const iol__connector *plugin = NULL;
    for (size_t i = 0; (plugin = iol__plugin(i)) && strcmp(plugin->name, name) != 0; i++) continue;
    return plugin;
}

bool iol__site_silent;
unsigned iol__site_patience;

void iol__site_say(const char *format, ...) {
    va_list args;
    if (iol__site_silent) return;
    va_start(args, format);
    iol__vcomplain("iolite: ", format, args);
    va_end(args);
}

void iol__partial(iol__request *request, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(request->partial, sizeof request->partial, format, args);
    va_end(args);
    iol__site_say("partial: %s", request->partial);
}

iol_status iol__refuse(iol__request *request, iol_status status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(request->why, sizeof request->why, format, args);
    va_end(args);
    return status;
}

iol_status iol__request_feed(iol__request *request, size_t number, iol__feed *feed) {
    if (number >= request->n_paths) return iol__refuse(request, IOL_INVALID, "an input file is missing");
    const char *path = request->paths[number];
    iol_status status =
        iol__is_live(path) ? iol__live_open(request, path, feed) : iol__feed_open(path, feed, request->why);
    if (status == IOL_OK && (status = iol__feed_flatten(feed, request->why)) != IOL_OK) iol__feed_close(feed);
    if (status == IOL_OK && *request->why) iol__partial(request, "%s", request->why);
    if (status == IOL_OK) *request->why = 0;
    return status;
}

/* JSON ----------------------------------------------------------------------------------------------------------- */

static iol__value *of_number(iol__arena *arena, const iol__tree *tree) {
    int64_t integer;
    double real = 0;
    bool whole = !strpbrk(tree->text, ".eE");
    if (whole && iol__tree_i64(tree, &integer)) return iol__of_integer(arena, integer);
    iol__tree_real(tree, &real);
    return iol__of_real(arena, real);
}

iol__value *iol__value_of_tree(iol__arena *arena, const iol__tree *tree) {
    switch (tree->kind) {
    case IOL_TREE_NULL: return iol__value_new(arena, IOL__NOTHING);
    case IOL_TREE_BOOL: return iol__of_flag(arena, tree->truth);
    case IOL_TREE_NUMBER: return of_number(arena, tree);
    case IOL_TREE_TEXT: return iol__of_text(arena, tree->text);
    case IOL_TREE_ARRAY:
    case IOL_TREE_OBJECT: break;
    }
    iol__value *value = iol__value_new(arena, tree->kind == IOL_TREE_ARRAY ? IOL__LIST : IOL__MAP);
    for (const iol__tree *item = tree->first; item; item = item->next)
        if (tree->kind == IOL_TREE_ARRAY)
            iol__list_add(arena, value, iol__value_of_tree(arena, item));
        else
            iol__map_put(arena, value, item->key, iol__value_of_tree(arena, item));
    return value;
}

iol__value *iol__value_parse(iol__arena *arena, const char *bytes, size_t length, char wrong[120]) {
    iol__tree_document document;
    iol_error error;
    iol__tree_limits limits = {.bytes = IOL__FEED_MOST, .lenient = true};
    if (iol__tree_parse(bytes, length, "JSON", &limits, &document, &error) != IOL_OK) {
        if (wrong) snprintf(wrong, 120, "%.110s", error.message);
        return NULL;
    }
    iol__value *value = iol__value_of_tree(arena, document.top);
    iol__tree_free(&document);
    return value;
}

iol__value *iol__request_json(iol__request *request, const iol__feed *feed) {
    size_t at = strspn(feed->bytes, " \t\r\n");
    if (feed->bytes[at] != '{' && feed->bytes[at] != '[') return NULL;
    char wrong[120];
    iol__value *value = iol__value_parse(request->arena, feed->bytes, feed->length, wrong);
    const char *repaired = value ? NULL : iol__json_repair(request->arena, feed->bytes, feed->length);
    if (repaired && (value = iol__value_parse(request->arena, repaired, strlen(repaired), NULL)))
        iol__partial(request, "%.120s: this JSON text ends too early", feed->name);
    if (!value) iol__refuse(request, IOL_DAMAGED, "%.200s: %s", feed->name, wrong);
    return value;
}

bool iol__is_cache(const iol__value *value) {
    if (!value || value->kind != IOL__MAP) return false;
    for (size_t i = 0; i < value->count; i++)
        if (value->items[i]->kind == IOL__MAP || value->items[i]->kind == IOL__LIST) return true;
    return value->count == 0;
}

/* The first bytes of an input as a message can show them. */
static const char *beginning(iol__arena *arena, const char *path) {
    enum { SHOWN = 40 };
    iol__feed feed;
    char why[400] = "";
    if (strcmp(path, "-") == 0 || iol__is_live(path) || iol__feed_open(path, &feed, why) != IOL_OK) return "";
    size_t length = strcspn(feed.bytes, "\r\n");
    const char *text = feed.length == 0 ? "; it is empty"
                                        : iol__arena_print(arena, "; it begins with '%.*s'",
                                                           (int)(length < SHOWN ? length : SHOWN), feed.bytes);
    iol__feed_close(&feed);
    return text;
}

iol_status iol__expect_form(iol__request *request, const char *form) {
    if (request->understood) return IOL_OK;
    const char *path = request->n_paths ? request->paths[0] : "the input";
    return iol__refuse(request, IOL_DAMAGED, "%.160s: expected %s, and found none%s", path, form,
                       beginning(request->arena, path));
}

/* What is in a second file replaces what the first one has under the same keys. */
static void merge(iol__arena *arena, iol__value *into, iol__value *from) {
    for (size_t i = 0; i < from->count; i++) {
        iol__value *there = iol__map_get(into, from->keys[i]);
        if (there && there->kind == IOL__MAP && from->items[i]->kind == IOL__MAP)
            merge(arena, there, from->items[i]);
        else
            iol__map_put(arena, into, from->keys[i], from->items[i]);
    }
}

typedef struct each {
    iol__request *request;
    iol__read_text *take;
    iol__value *into;
    iol_status status;
} each;

static bool take_member(void *context, const iol__feed *member) {
    each *on = context;
    iol__feed feed = *member;
    iol__value *cached = iol__request_json(on->request, &feed);
    if (cached && cached->kind == IOL__MAP) {
        on->request->understood += iol__is_cache(cached);
        merge(on->request->arena, on->into, cached);
    } else {
        on->status = on->take(on->request, &feed, on->into);
    }
    return on->status == IOL_OK;
}

/* A visitor that does not want to go on has said why. */
typedef struct members {
    iol__feed_visitor *visit;
    void *context;
    bool stopped;
} members;

static bool visit_member(void *context, const iol__feed *member) {
    members *on = context;
    on->stopped = !on->visit(on->context, member);
    return !on->stopped;
}

static iol_status each_live(iol__request *request, size_t number, members *on) {
    iol__feed feed;
    iol_status status = iol__request_feed(request, number, &feed);
    if (status != IOL_OK) return status;
    visit_member(on, &feed);
    iol__feed_close(&feed);
    return IOL_OK;
}

iol_status iol__request_members(iol__request *request, iol__feed_visitor *visit, void *context) {
    members on = {visit, context, false};
    iol_status status = request->n_paths ? IOL_OK : iol__refuse(request, IOL_INVALID, "an input file is missing");
    for (size_t i = 0; i < request->n_paths && status == IOL_OK && !on.stopped; i++) {
        status = iol__is_live(request->paths[i]) ? each_live(request, i, &on)
                                                 : iol__feed_each(request->paths[i], visit_member, &on, request->why);
        if (status != IOL_OK || on.stopped) break;
        if (*request->why) iol__partial(request, "%s", request->why);
        *request->why = 0;
    }
    return status;
}

iol_status iol__request_each(iol__request *request, iol__read_text *take, iol__value **out) {
    each on = {.request = request, .take = take, .into = iol__value_new(request->arena, IOL__MAP)};
    iol_status status = iol__request_members(request, take_member, &on);
    *out = on.into;
    return on.status != IOL_OK ? on.status : status;
}

/* Texts ---------------------------------------------------------------------------------------------------------- */

size_t iol__split(char *line, char *fields[], size_t room) {
    size_t count = 0;
    char *rest = NULL;
    for (char *field = strtok_r(line, " \t", &rest); field; field = strtok_r(NULL, " \t", &rest)) {
        if (count < room) fields[count] = field;
        count++;
    }
    return count;
}

bool iol__regex_matches(const char *pattern, const char *text, size_t *length) {
    char plain[512];
    size_t used = 0;
    for (const char *at = pattern; *at && used + 6 < sizeof plain; at++) {
        if (at[0] == '\\' && at[1] == 'd') {
            used += (size_t)sprintf(plain + used, "[0-9]");
            at++;
        } else {
            plain[used++] = *at;
        }
    }
    plain[used] = 0;
    regex_t compiled;
    regmatch_t match;
    if (regcomp(&compiled, plain, REG_EXTENDED) != 0) return false;
    bool found = regexec(&compiled, text, 1, &match, 0) == 0;
    regfree(&compiled);
    if (found && length) *length = (size_t)(match.rm_eo - match.rm_so);
    return found;
}
