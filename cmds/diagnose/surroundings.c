/* A store that cannot be asked ends the command; a site that cannot be asked is a message, never a diagnosis less. */
#include "cmds/diagnose/surroundings.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/site/site_options.h"
#include "insight/findings/context.h"
#include "site/analyze/job.h"

static bool wants_site_data(const char *site) {
    const char *usual = getenv("IOLITE_SITE_CONFIG");
    return site || (usual && *usual);
}

bool wants_history(const iol__args *args) {
    const char *url = store_url(args);
    return url && *url;
}

/* Opening --------------------------------------------------------------------------------------------------------- */

static int open_history(const iol__args *args, surroundings *s) {
    if (!open_site(args, &s->site)) return EXIT_INPUT;
    int outcome = open_store(store_url(args), IOL_STORE_READ, &s->question.store);
    if (outcome != EXIT_DONE) return outcome;
    s->question.site = s->site;
    s->question.cluster = iol__site_cluster(s->site);
    if (!s->question.store->reference) return EXIT_DONE;
    tell_stderr("the reference's index has no history");
    return EXIT_INPUT;
}

int open_surroundings(const iol__args *args, bool history, surroundings *s) {
    *s = (surroundings){.site_file = argument_value(args, OPT_SITE_FILE), .wants_history = history};
    s->wants_site = wants_site_data(s->site_file);
    return history ? open_history(args, s) : EXIT_DONE;
}

void close_surroundings(surroundings *s) {
    if (s->question.store) iol__store_close(s->question.store);
    if (s->site) iol__site_free(s->site);
    free(s->document);
    *s = (surroundings){0};
}

/* The site -------------------------------------------------------------------------------------------------------- */

/* Numbers of the site become those that rules know. */
static void put_site_context(const iol__value *site, iol__context *context) {
#define CONTEXT(group, key, variable) \
    if (strcmp(#group, "site") == 0) context->variable = iol__map_number(site, #key);
#include "insight/findings/context.def"
#undef CONTEXT
}

/* What the site knows about a log: for rules, and for the document. */
static void ask_site(iol__arena *arena, const iol__places *site, iol_log *log, iol__context *context,
                     iol__value *document) {
    iol__ranges ranges = {.arena = arena, .site = site};
    iol__job_sources from = {
        .arena = arena, .scratch = arena, .site = site, .ranges = &ranges, .health = true, .coverage = true};
    iol__value *row = iol__job_of_open_log(&from, log);
    iol__value *osts = document ? iol__job_osts(&from, row) : NULL, *causes = iol__job_causes(&from, log, row);
    put_site_context(causes, context);
    if (document) iol__map_put(arena, document, "site", causes);
    if (osts) iol__map_put(arena, document, "osts", osts);
    iol__ranges_close(&ranges);
}

static char *print_document(iol__arena *arena, const iol__value *tree) {
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

static void surround_by_site(surroundings *s, iol__context *context) {
    /* Static, because they are still wanted after a jump. Only one log of a command has surroundings. */
    static iol__arena arena;
    static char *made;
    jmp_buf exhausted;
    iol__places places;
    char why[400];
    arena = (iol__arena){.exhausted = &exhausted};
    made = NULL;
    if (setjmp(exhausted)) {
        iol__arena_free(&arena);
        tell_stderr("out of memory");
        return;
    }
    if (iol__places_open(&arena, s->site_file, false, &places, why) != IOL_OK) {
        tell_stderr("%s", why);
    } else {
        iol__value *tree = NULL;
        if (s->document) tree = iol__value_parse(&arena, s->document, strlen(s->document), NULL);
        if (s->wants_document && !tree) tree = iol__value_new(&arena, IOL__MAP);
        ask_site(&arena, &places, s->log, context, tree);
        if (tree) made = print_document(&arena, tree);
    }
    iol__arena_free(&arena);
    if (!made) return;
    free(s->document);
    s->document = made;
}

/* Asking ---------------------------------------------------------------------------------------------------------- */

static void surround_by_history(surroundings *s, const struct iol__case *job, iol__context *context) {
    iol__history_question *q = &s->question;
    q->whole = s->copied ? s->log : NULL;
    iol__history_ask(job, context, q);
    if (q->status == IOL_OK) {
        if (s->wants_document) s->document = iol__history_document(&q->history);
        return;
    }
    tell_stderr("%s", q->error.message);
    s->outcome = q->status == IOL_SYSTEM ? EXIT_TROUBLE : EXIT_INPUT;
}

static void surround(const struct iol__case *job, iol__context *context, void *data) {
    surroundings *s = data;
    if (s->wants_history) surround_by_history(s, job, context);
    if (s->wants_site) surround_by_site(s, context);
}

void surround_diagnosis(surroundings *s, iol__diagnose_options *options) {
    if (!s->wants_history && !s->wants_site) return;
    options->surround = surround;
    options->surround_data = s;
}

void tell_history(const surroundings *s) {
    char sentence[300];
    if (s->wants_history && iol__history_sentence(&s->question.history, sentence, sizeof sentence))
        tell_stderr("this run was %s", sentence);
}

/* History alone --------------------------------------------------------------------------------------------------- */

int read_history(const iol__args *args, iol_log *log, iol__history *history) {
    surroundings s;
    iol__rulebook *book = NULL;
    iol_error error;
    int outcome = open_surroundings(args, true, &s);
    *history = (iol__history){0};
    if (outcome == EXIT_DONE) {
        iol_status status = iol__rulebook_new(&book, &error);
        if (status == IOL_OK) {
            status = iol__history_make(log, book, &s.question);
            error = s.question.error;
        }
        if (status != IOL_OK) {
            tell_stderr("%s", error.message);
            outcome = status == IOL_SYSTEM ? EXIT_TROUBLE : EXIT_INPUT;
        }
        *history = s.question.history;
        iol__rulebook_free(book);
    }
    close_surroundings(&s);
    return outcome;
}
