/* iolite config --site: each key of the site file, what it means, and what is wrong with it. Values that look like secrets
   are never shown: they do not belong there. */
#include "cmds/site/site_file.h"

#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/count.h"
#include "cmds/site/alert_send.h"
#include "site/alert/alert.h"
#include "site/connect/http.h"
#include "site/analyze/live.h"
#include "site/analyze/places.h"

typedef enum kind {
    TEXT,
    NUMBER,
    NUMBERS,
    PATTERN,
    PATTERNS,
    NAMES,
    NAMES_LIST,
    DATED,
    PROVIDERS,
    SOURCES,
    MAPPINGS,
    ALERTS,
    ANY
} kind;

static const struct key {
    const char *name;
    kind is;
    const char *meaning;
} keys[] = {
#define SITE_KEY(name, is, meaning) {name, is, meaning},
#include "site/analyze/site_keys.def"
#undef SITE_KEY
};

static const struct key *site_file_find(const char *name) {
    for (size_t i = 0; i < IOL_COUNT(keys); i++)
        if (strcasecmp(keys[i].name, name) == 0) return &keys[i];
    return NULL;
}

static bool secret_word(const char *name) {
    static const char *const words[] = {"password", "passwd", "secret", "token"};
    for (size_t i = 0; i < IOL_COUNT(words); i++)
        if (strcasestr(name, words[i])) return true;
    return false;
}

/* A key below this value that names a secret, or an address with one; NULL: none. */
static const char *secret_in(const iol__value *value, int depth) {
    const char *found = NULL;
    if (value->kind == IOL__TEXT && strstr(value->text, "://")) {
        const char *query = strchr(value->text, '?');
        return iol__url_tells_password(value->text) || (query && secret_word(query)) ? "an address with a password"
                                                                                     : NULL;
    }
    for (size_t i = 0; (value->kind == IOL__MAP || value->kind == IOL__LIST) && i < value->count && !found && depth < 8;
         i++) {
        if (value->kind == IOL__MAP && secret_word(value->keys[i])) return value->keys[i];
        found = secret_in(value->items[i], depth + 1);
    }
    return found;
}

static bool texts_only(const iol__value *value) {
    for (size_t i = 0; i < value->count; i++)
        if (value->items[i]->kind != IOL__TEXT) return false;
    return true;
}

static bool is_pattern(const char *text) {
    regex_t compiled;
    if (regcomp(&compiled, text, REG_EXTENDED) != 0) return false;
    regfree(&compiled);
    return true;
}

/* What is wrong with the key that is looked at: all of it, not only what comes first. */
typedef struct site_file_checking {
    iol__arena *arena;
    const iol__site *file;
    const iol__places *site;
    iol__value *problems;
} site_file_checking;

static void add_problem(site_file_checking *on, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add_problem(site_file_checking *on, const char *format, ...) {
    va_list args;
    va_start(args, format);
    iol__list_add(on->arena, on->problems, iol__of_text(on->arena, iol__arena_vprint(on->arena, format, args)));
    va_end(args);
}

static bool is_dated(const iol__value *value, int depth) {
    if (value->kind == IOL__TEXT) return true;
    if ((value->kind != IOL__LIST && value->kind != IOL__MAP) || depth > 8) return false;
    for (size_t i = 0; i < value->count; i++)
        if (!is_dated(value->items[i], depth + 1)) return false;
    return true;
}

static void check_sources(site_file_checking *on, const iol__value *value) {
    char why[400];
    for (size_t i = 0; i < value->count; i++) {
        const char *name = iol__map_text(value->items[i], "source"),
                   *mapping = iol__map_text(value->items[i], "mapping");
        if (!name || !iol__producer_find(name))
            add_problem(on, "%s: no source of series is called '%s'", value->keys[i], name ? name : "");
        else if (strcmp(name, "prometheus") == 0 && !mapping)
            add_problem(on, "%s: prometheus needs a mapping", value->keys[i]);
        if (mapping && !iol__read_mapping(on->arena, iol__places_path(on->arena, on->site, mapping), why))
            add_problem(on, "%s", why);
    }
}

static void check_map(site_file_checking *on, kind is, const iol__value *value) {
    if (value->kind != IOL__MAP) {
        add_problem(on, "must be an object");
        return;
    }
    if (is == SOURCES) check_sources(on, value);
    for (size_t i = 0; i < value->count && is != SOURCES; i++) {
        if (is == NUMBERS && !(iol__value_number(value->items[i]) > 0))
            add_problem(on, "'%s' must be a number", value->keys[i]);
        if (is != NUMBERS && value->items[i]->kind != IOL__TEXT) add_problem(on, "'%s' must be a text", value->keys[i]);
        if (is == PATTERNS && !is_pattern(value->keys[i]))
            add_problem(on, "'%s' is not a regular expression", value->keys[i]);
    }
}

static void check_site_file_list(site_file_checking *on, kind is, const iol__value *value) {
    static const char *const known[] = {"slurm", "pbs", "jobsdb", "nersc_jobsdb", "index"};
    char why[400];
    if (value->kind != IOL__LIST || !texts_only(value)) {
        add_problem(on, "must be a list of texts");
        return;
    }
    for (size_t i = 0; i < value->count; i++) {
        const char *text = value->items[i]->text;
        bool good = is != PROVIDERS;
        for (size_t k = 0; !good && k < IOL_COUNT(known); k++) good = strcmp(known[k], text) == 0;
        if (!good) add_problem(on, "'%s' is not one of slurm, pbs, jobsdb and index", text);
        if (is == MAPPINGS && !iol__read_mapping(on->arena, iol__places_path(on->arena, on->site, text), why))
            add_problem(on, "%s", why);
    }
}

static void check_alerts(site_file_checking *on, const iol__value *value) {
    iol__alert_plan plan;
    const alert_target *targets;
    size_t count;
    char why[400];
    if (value->kind != IOL__MAP) add_problem(on, "must be an object with rules and targets");
    if (!iol__alert_plan_read(on->arena, on->file, &plan, why)) add_problem(on, "%s", why);
    if (!read_alert_targets(on->arena, on->file, &targets, &count, why)) add_problem(on, "%s", why);
}

static void check_text(site_file_checking *on, const char *name, const iol__value *value) {
    if (value->kind != IOL__TEXT)
        add_problem(on, "must be a text");
    else if (strcasecmp(name, "timezone") == 0 && !iol__site_zone_known(value->text))
        add_problem(on, "there is no time zone '%s'", value->text);
}

static void check_key(site_file_checking *on, const struct key *key, const char *name, const iol__value *value) {
    const char *secret = secret_word(name) ? name : secret_in(value, 0);
    if (secret) add_problem(on, "'%s': secrets belong into the environment or into a file of mode 0600", secret);
    switch (key ? key->is : ANY) {
    case TEXT: check_text(on, name, value); break;
    case NUMBER:
        if (!(iol__value_number(value) >= 0)) add_problem(on, "must be a number");
        break;
    case PATTERN:
        if (value->kind != IOL__TEXT || !is_pattern(value->text)) add_problem(on, "must be a regular expression");
        break;
    case DATED:
        if (!is_dated(value, 0)) add_problem(on, "must be a file name, a list of them, or an object of them");
        break;
    case NUMBERS:
    case PATTERNS:
    case NAMES:
    case SOURCES: check_map(on, key->is, value); break;
    case NAMES_LIST:
    case PROVIDERS:
    case MAPPINGS: check_site_file_list(on, key->is, value); break;
    case ALERTS: check_alerts(on, value); break;
    case ANY: break;
    }
}

/* One key as {key, value, meaning, problem}; several problems are one text, with semicolons between. */
static iol__value *explain_key(site_file_checking *on, const char *name, iol__value *value) {
    iol__arena *arena = on->arena;
    const struct key *key = site_file_find(name);
    iol__value *row = iol__value_new(arena, IOL__MAP);
    bool secret = secret_word(name) || secret_in(value, 0);
    char *all = NULL;
    on->problems = iol__value_new(arena, IOL__LIST);
    check_key(on, key, name, value);
    for (size_t i = 0; i < on->problems->count; i++)
        all = iol__arena_print(arena, "%s%s%s", all ? all : "", all ? "; " : "", on->problems->items[i]->text);
    iol__map_put_text(arena, row, "key", name);
    iol__map_put(arena, row, "value", secret ? iol__of_text(arena, "(not shown)") : value);
    iol__map_put_text(arena, row, "meaning", key ? key->meaning : "not known to this Iolite, and left alone");
    if (all) iol__map_put_text(arena, row, "problem", all);
    return row;
}

static void print_site_file_rows(iol__out *out, iol__arena *arena, const iol__value *rows) {
    for (size_t i = 0; i < rows->count; i++) {
        const iol__value *row = rows->items[i], *value = iol__map_get(row, "value");
        iol__out_printf(out, "%s\n    %s\n    ", iol__map_text(row, "key"), iol__map_text(row, "meaning"));
        iol__json json;
        iol__json_start(&json, out, 0);
        iol__value_json(&json, arena, value);
        iol__out_char(out, '\n');
        if (iol__map_text(row, "problem")) iol__out_printf(out, "    PROBLEM: %s\n", iol__map_text(row, "problem"));
    }
}

static int explain_site(const iol__args *args, iol__arena *arena, const iol__site *file) {
    iol__places places, *site = &places;
    iol__value *rows = iol__value_new(arena, IOL__LIST);
    site_file_checking on = {.arena = arena, .file = file, .site = site};
    iol__places_of(arena, file, false, site);
    int status = EXIT_DONE;
    for (size_t i = 0; i < site->settings->count; i++) {
        if (*site->settings->keys[i] == '_') continue;
        iol__value *row = explain_key(&on, site->settings->keys[i], site->settings->items[i]);
        if (iol__map_get(row, "problem")) status = EXIT_FOUND;
        iol__list_add(arena, rows, row);
    }
    iol__out out;
    iol__out_open(&out, STDOUT_FILENO);
    if (args->given[OPT_JSON]) {
        iol__json json;
        iol__json_start(&json, &out, 2);
        iol__value_json(&json, arena, rows);
        iol__json_finish(&json);
    } else {
        iol__out_printf(&out, "%s\n", site->path ? site->path : "There is no site file.");
        print_site_file_rows(&out, arena, rows);
    }
    return finish_output(&out, status);
}

int config_site(const iol__args *args) {
    static iol__arena arena;
    jmp_buf exhausted;
    static iol__site *site;
    iol_error error;
    int status;
    if (args->n_operands > 1) return usage_error(args, "only one site file is expected");
    arena = (iol__arena){.exhausted = &exhausted};
    if (setjmp(exhausted)) {
        fputs("iolite: out of memory\n", stderr);
        iol__site_free(site);
        iol__arena_free(&arena);
        return EXIT_TROUBLE;
    }
    if (iol__site_open_unchecked(args->n_operands ? args->operands[0] : NULL, &site, &error) != IOL_OK) {
        tell_stderr("%s", error.message);
        status = EXIT_INPUT;
    } else {
        status = explain_site(args, &arena, site);
    }
    iol__site_free(site);
    iol__arena_free(&arena);
    return status;
}
