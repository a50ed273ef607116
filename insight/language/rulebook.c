/* The rulebook: built-in rules first, then the site's, the user's and the command line's changes to them. */
#include "insight/language/rulebook.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "insight/findings/variables.h"
#include "insight/language/rule.h"
#include "log/error.h"
#include "text/plain_file.h"

enum { MOST_FILE = 4 << 20 };

static iol_status complain(iol_error *error, iol_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static iol_status complain(iol_error *error, iol_status status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    iol__error_message(error, status, format, args);
    va_end(args);
    return status;
}

static iol_status no_memory(iol_error *error) {
    return complain(error, IOL_SYSTEM, "there is no memory for the rules");
}

/* Levels ------------------------------------------------------------------------------------------------------ */

static const char *const level_names[IOL_LEVELS] = {"info", "ok", "warn", "high"};

const char *iol__level_name(iol__level level) { return level_names[level]; }

bool iol__level_find(const char *name, iol__level *level) {
    for (int i = 0; i < IOL_LEVELS; i++) {
        if (strcasecmp(level_names[i], name) != 0) continue;
        *level = (iol__level)i;
        return true;
    }
    return false;
}

/* Loading ----------------------------------------------------------------------------------------------------- */

void iol__rulebook_say(iol__rulebook *book, const char *name, int line, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *what = iol__arena_vprint(&book->arena, format, args);
    va_end(args);
    book->messages = iol__arena_grow(&book->arena, book->messages, book->n_messages, sizeof *book->messages);
    book->messages[book->n_messages++] = iol__arena_print(&book->arena, "%s:%d: %s", name, line, what);
}

iol_status iol__rulebook_new(iol__rulebook **out, iol_error *error) {
    *out = NULL;
    iol__rulebook *book = calloc(1, sizeof *book);
    if (!book) return no_memory(error);
    jmp_buf exhausted;
    book->arena.exhausted = &exhausted;
    if (setjmp(exhausted)) {
        iol__rulebook_free(book);
        return no_memory(error);
    }
    for (const iol__rule_text *t = iol__builtin_rules; t->name; t++)
        iol__rules_parse(book, t->text, strlen(t->text), t->name, "built-in", true);
    book->arena.exhausted = NULL;
    *out = book;
    return IOL_OK;
}

void iol__rulebook_free(iol__rulebook *book) {
    if (!book) return;
    iol__arena_free(&book->arena);
    free(book);
}

iol_status iol__rulebook_load_text(iol__rulebook *book, const char *text, size_t length, const char *name,
                                   const char *origin, iol_error *error) {
    jmp_buf exhausted;
    book->arena.exhausted = &exhausted;
    if (setjmp(exhausted)) {
        book->arena.exhausted = NULL;
        return no_memory(error);
    }
    book->layer++;
    name = iol__arena_copy(&book->arena, name);
    origin = iol__arena_copy(&book->arena, origin);
    iol__rules_parse(book, text, length, name, origin, false);
    book->arena.exhausted = NULL;
    return IOL_OK;
}

iol_status iol__rulebook_load_file(iol__rulebook *book, const char *path, const char *origin, iol_error *error) {
    FILE *f = fopen(path, "re");
    if (!f) return complain(error, IOL_SYSTEM, "%s: %s", path, strerror(errno));
    char *text = malloc(MOST_FILE + 1);
    if (!text) {
        fclose(f);
        return no_memory(error);
    }
    size_t length = fread(text, 1, MOST_FILE + 1, f);
    bool bad = ferror(f);
    fclose(f);
    iol_status status;
    if (bad)
        status = complain(error, IOL_SYSTEM, "%s: cannot be read", path);
    else if (length > MOST_FILE)
        status = complain(error, IOL_LIMIT, "%s: larger than 4 MiB, which no rule file is", path);
    else
        status = iol__rulebook_load_text(book, text, length, path, origin, error);
    free(text);
    return status;
}

/* A usual file may be missing. */
static iol_status load_if_there(iol__rulebook *book, const char *path, const char *origin, iol_error *error) {
    if (!iol__plain_file_is(path)) {
        if (errno != EINVAL) return IOL_OK;
        return complain(error, IOL_INVALID, "%s: %s", path, iol__plain_file_trouble(errno));
    }
    return iol__rulebook_load_file(book, path, origin, error);
}

iol_status iol__rulebook_load_usual(iol__rulebook *book, iol_error *error) {
    iol_status status = load_if_there(book, "/etc/iolite/insight.rules", "system", error);
    if (status != IOL_OK) return status;
    char path[4096];
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    int n = -1;
    if (config && *config)
        n = snprintf(path, sizeof path, "%s/iolite/insight.rules", config);
    else if (home && *home)
        n = snprintf(path, sizeof path, "%s/.config/iolite/insight.rules", home);
    if (n < 0 || (size_t)n >= sizeof path) return IOL_OK;
    return load_if_there(book, path, "user", error);
}

iol_status iol__rulebook_set(iol__rulebook *book, const char *assignment, iol_error *error) {
    const char *sign = strchr(assignment, '=');
    if (!sign) return complain(error, IOL_INVALID, "'%s': a threshold is set as PATH=VALUE", assignment);
    char path[128];
    snprintf(path, sizeof path, "%.*s", (int)(sign - assignment), assignment);
    int index = iol__threshold_find(book, path);
    if (index < 0) return complain(error, IOL_INVALID, "no threshold is called '%s' (see --list-thresholds)", path);
    double value;
    if (!iol__parse_value(sign + 1, &value))
        return complain(error, IOL_INVALID, "'%s' is not a number with an optional unit, as in 0.1, 10%% or 4MiB",
                        sign + 1);
    book->thresholds[index].value = value;
    book->thresholds[index].origin = "command line";
    book->thresholds[index].layer = INT_MAX; /* no file has more to say */
    return IOL_OK;
}

/* Asking ------------------------------------------------------------------------------------------------------ */

const char *iol__rulebook_message(const iol__rulebook *book, size_t index) {
    return index < book->n_messages ? book->messages[index] : NULL;
}

int iol__threshold_find(const iol__rulebook *book, const char *path) {
    for (size_t i = 0; i < book->n_thresholds; i++)
        if (book->thresholds[i].path[0] == *path && strcmp(book->thresholds[i].path, path) == 0) return (int)i;
    return -1;
}

size_t iol__rulebook_thresholds(const iol__rulebook *book) { return book->n_thresholds; }
const iol__threshold *iol__rulebook_threshold(const iol__rulebook *book, size_t index) {
    return index < book->n_thresholds ? &book->thresholds[index] : NULL;
}

size_t iol__rulebook_rules(const iol__rulebook *book) { return book->n_rules; }

static const char *level_text(const iol__rule *rule) {
    static const char *const by_cost[IOL_LEVELS] = {"by cost, else info", "by cost, else ok", "by cost, else warn",
                                                    "by cost, else high"};
    return rule->by_cost ? by_cost[rule->level] : level_names[rule->level];
}

bool iol__rulebook_rule(const iol__rulebook *book, size_t index, iol__rule_info *info) {
    static const char *const scopes[IOL_SCOPES] = {"job", "file", "files", "phase", "file × phase", "rank × phase"};
    if (index >= book->n_rules) return false;
    const iol__rule *rule = book->rules[index];
    *info = (iol__rule_info){.id = rule->id,
                             .version = rule->version,
                             .aliases = rule->aliases,
                             .layer = rule->layer,
                             .scope = scopes[rule->scope],
                             .audience = rule->audience,
                             .level = level_text(rule),
                             .meaning = rule->meaning ? rule->meaning : "",
                             .source = rule->source,
                             .file = rule->file,
                             .line = rule->line,
                             .origin = rule->origin};
    return true;
}

bool iol__rulebook_find(const iol__rulebook *book, const char *id, iol__rule_info *info) {
    for (size_t i = 0; i < book->n_rules; i++) {
        const iol__rule *rule = book->rules[i];
        bool found = strcasecmp(rule->id, id) == 0;
        for (int a = 0; rule->aliases[a] && !found; a++) found = strcasecmp(rule->aliases[a], id) == 0;
        if (found) return iol__rulebook_rule(book, i, info);
    }
    return false;
}

/* What a text of a rule stands for: a variable, a counter, a let of the rule, else what it says. */
static void describe_expression(const iol__rule *rule, const char *text, iol__figure_meaning *meaning) {
    int slot, counter;
    iol_counter is;
    for (int i = 0; i < rule->n_lets; i++)
        if (strcmp(rule->lets[i].name, text) == 0) text = rule->lets[i].text;
    const int variable = iol__variable_find(text);
    meaning->meaning = text;
    if (variable >= 0) {
        meaning->unit = iol__variable_at((size_t)variable)->unit;
        meaning->meaning = iol__variable_at((size_t)variable)->meaning;
    } else if (iol__counter_by_name(text, &slot, &counter) && iol_counter_at(slot, (size_t)counter, &is) == IOL_OK) {
        meaning->unit = is.unit;
        meaning->meaning = is.meaning;
    }
}

bool iol__rule_figure(const iol__rulebook *book, const char *id, size_t index, iol__figure_meaning *meaning) {
    for (size_t i = 0; i < book->n_rules; i++) {
        const iol__rule *rule = book->rules[i];
        if (strcmp(rule->id, id) != 0) continue;
        if (index >= (size_t)rule->n_figures) return false;
        const iol__named *figure = &rule->figures[index];
        *meaning = (iol__figure_meaning){.name = figure->name, .unit = ""};
        describe_expression(rule, figure->text, meaning);
        if (figure->unit) meaning->unit = figure->unit;
        return true;
    }
    return false;
}

bool iol__rule_uses(const iol__rulebook *book, const char *id, const char *path) {
    int index = iol__threshold_find(book, path);
    for (size_t i = 0; index >= 0 && i < book->n_rules; i++) {
        if (strcmp(book->rules[i]->id, id) != 0) continue;
        for (int t = 0; t < book->rules[i]->n_thresholds; t++)
            if (book->rules[i]->thresholds[t] == index) return true;
    }
    return false;
}
