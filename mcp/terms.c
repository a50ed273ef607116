/* Definitions: every name in an answer that stands for a number comes with its unit and what it is, so that an assistant does
   not have to guess. Figures and counters are defined where they are; other keys in terms.def. */
#include <stdlib.h>

#include "base/count.h"
#include "mcp/mcp.h"
#include "log/figures/figures.h"

enum { DEFINED_MOST = 400 };

typedef struct defining {
    iol__json *json;
    iol__mcp_words words;
    const char *done[DEFINED_MOST];
    size_t n_done;
} defining;

static const struct term {
    iol__mcp_words words;
    const char *key, *unit, *definition;
} terms[] = {
#define TERM(words, key, unit, definition) {IOL_MCP_WORDS_##words, key, unit, definition},
#include "mcp/terms.def"
#undef TERM
};

static void put_definition(defining *d, const char *key, const char *unit, const char *definition) {
    iol__json_put_open(d->json, key, '{');
    iol__json_put_text(d->json, "unit", unit);
    iol__json_put_text(d->json, "definition", definition);
    iol__json_close(d->json, '}');
}

static bool define_term(defining *d, const char *key) {
    for (size_t i = 0; i < IOL_COUNT(terms); i++) {
        if (terms[i].words != d->words || strcmp(terms[i].key, key) != 0) continue;
        put_definition(d, key, terms[i].unit, terms[i].definition);
        return true;
    }
    return false;
}

static bool define_figure(defining *d, const char *key) {
    for (int i = 0; d->words == IOL_MCP_WORDS_LOG && i < IOL_JOB_FIGURES; i++) {
        const iol__figure_info *info = &iol__figure_infos[i];
        if (strcmp(info->name, key) != 0) continue;
        put_definition(d, key, iol__figure_units[info->unit], info->formula);
        return true;
    }
    return false;
}

static bool define_counter(defining *d, const char *key) {
    iol_counter counter;
    for (int slot = 0; slot < 64; slot++) {
        const int index = iol_counter_find(slot, key);
        if (index < 0 || iol_counter_at(slot, (size_t)index, &counter) != IOL_OK) continue;
        put_definition(d, key, counter.unit, counter.meaning);
        return true;
    }
    return false;
}

static void define_key(defining *d, const char *key) {
    for (size_t i = 0; i < d->n_done; i++)
        if (strcmp(d->done[i], key) == 0) return;
    if (d->n_done == DEFINED_MOST) return;
    d->done[d->n_done++] = key;
    if (!define_figure(d, key) && !define_term(d, key)) define_counter(d, key);
}

static void define_below(defining *d, const iol__tree *tree) {
    for (const iol__tree *item = tree->first; item; item = item->next) {
        if (item->key) define_key(d, item->key);
        define_below(d, item);
    }
}

void iol__mcp_define_names(const iol__tree *document, iol__mcp_words words, iol__json *json) {
    defining *d = calloc(1, sizeof *d);
    iol__json_put_open(json, "definitions", '{');
    if (d && document) {
        d->json = json;
        d->words = words;
        define_below(d, document);
    }
    iol__json_close(json, '}');
    free(d);
}
