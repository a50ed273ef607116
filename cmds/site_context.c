/* The "site" part of a context document. A site that cannot be asked is a message, never a diagnosis less. */
#include "cmds/site_context.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/cmd.h"
#include "site/analyze/job.h"

bool wants_site_context(const char *site) {
    const char *usual = getenv("IOLITE_SITE_CONFIG");
    return site || (usual && *usual);
}

/* What the site knows about a log, put into the document. */
static void put_site(iol__arena *arena, const iol__places *site, const char *log, iol__value *document) {
    iol__ranges ranges = {.arena = arena, .site = site};
    iol__job_sources from = {
        .arena = arena, .scratch = arena, .site = site, .ranges = &ranges, .health = true, .coverage = true};
    iol__value *row;
    char why[400];
    if (iol__job_of_log(&from, log, &row, why) == IOL_OK) {
        iol__value *osts = iol__map_get(document, "osts") ? NULL : iol__job_osts(&from, row);
        iol__map_put(arena, document, "site", iol__job_causes(&from, log, row));
        if (osts) iol__map_put(arena, document, "osts", osts);
    } else {
        tell_stderr("%s", why);
    }
    iol__ranges_close(&ranges);
}

static char *print(iol__arena *arena, const iol__value *tree) {
    iol__out out;
    iol__json json;
    iol__out_open(&out, -1);
    iol__json_start(&json, &out, 3);
    iol__value_json(&json, arena, tree);
    iol__json_finish(&json);
    char *text = strndup(out.buffer, out.length);
    iol__out_close(&out);
    return text;
}

char *with_site_context(const char *site, const char *log, char *document) {
    /* Static, because it is still wanted after a jump. */
    static iol__arena arena;
    static char *made;
    jmp_buf exhausted;
    iol__places places;
    char why[400];
    arena = (iol__arena){.exhausted = &exhausted};
    made = NULL;
    if (setjmp(exhausted)) {
        iol__arena_free(&arena);
        free(document);
        return NULL;
    }
    if (iol__places_open(&arena, site, false, &places, why) != IOL_OK) {
        tell_stderr("%s", why);
    } else {
        iol__value *tree = document ? iol__value_parse(&arena, document, strlen(document), NULL) : NULL;
        if (!tree) tree = iol__value_new(&arena, IOL__MAP);
        put_site(&arena, &places, log, tree);
        made = print(&arena, tree);
    }
    iol__arena_free(&arena);
    if (!made) return document;
    free(document);
    return made;
}
