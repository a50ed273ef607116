/* iolite config --site: each key of the site file, what it means, and what is wrong with it. Values that look like secrets
   are never shown: they do not belong there. */
#include "cmds/site_file.h"

#include <regex.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

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

static const struct key *find(const char *name) {
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcasecmp(keys[i].name, name) == 0) return &keys[i];
    return NULL;
}

static bool secret_word(const char *name) {
    static const char *const words[] = {"password", "passwd", "secret", "token"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
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

static const char *dated_problem(const iol__value *value, int depth) {
    if (value->kind == IOL__TEXT) return NULL;
    if ((value->kind != IOL__LIST && value->kind != IOL__MAP) || depth > 8)
        return "must be a file name, a list of them, or an object of them";
    const char *wrong = NULL;
    for (size_t i = 0; i < value->count && !wrong; i++) wrong = dated_problem(value->items[i], depth + 1);
    return wrong;
}

static const char *sources_problem(iol__arena *arena, const iol__places *site, const iol__value *value) {
    char why[400];
    for (size_t i = 0; i < value->count; i++) {
        const char *name = iol__map_text(value->items[i], "source"),
                   *mapping = iol__map_text(value->items[i], "mapping");
        if (!name || !iol__producer_find(name))
            return iol__arena_print(arena, "%s: no source of series is called '%s'", value->keys[i], name ? name : "");
        if (mapping && !iol__read_mapping(arena, iol__places_path(arena, site, mapping), why))
            return iol__arena_copy(arena, why);
        if (strcmp(name, "prometheus") == 0 && !mapping)
            return iol__arena_print(arena, "%s: prometheus needs a mapping", value->keys[i]);
    }
    return NULL;
}

static const char *map_problem(iol__arena *arena, const iol__places *site, kind is, const iol__value *value) {
    if (value->kind != IOL__MAP) return "must be an object";
    if (is == SOURCES) return sources_problem(arena, site, value);
    for (size_t i = 0; i < value->count; i++) {
        if (is == NUMBERS && !(iol__value_number(value->items[i]) > 0)) return "must be an object of numbers";
        if (is != NUMBERS && value->items[i]->kind != IOL__TEXT) return "must be an object of texts";
        if (is == PATTERNS && !is_pattern(value->keys[i]))
            return iol__arena_print(arena, "'%s' is not a regular expression", value->keys[i]);
    }
    return NULL;
}

static const char *list_problem(iol__arena *arena, const iol__places *site, kind is, const iol__value *value) {
    static const char *const known[] = {"slurm", "pbs", "jobsdb", "nersc_jobsdb", "index"};
    char why[400];
    if (value->kind != IOL__LIST || !texts_only(value)) return "must be a list of texts";
    for (size_t i = 0; i < value->count; i++) {
        bool good = is == NAMES_LIST;
        for (size_t k = 0; is == PROVIDERS && k < sizeof known / sizeof *known; k++)
            good |= strcmp(known[k], value->items[i]->text) == 0;
        if (is == MAPPINGS) {
            good = iol__read_mapping(arena, iol__places_path(arena, site, value->items[i]->text), why) != NULL;
            if (!good) return iol__arena_copy(arena, why);
        }
        if (!good) return iol__arena_print(arena, "nobody is called '%s'", value->items[i]->text);
    }
    return NULL;
}

static const char *problem_of(iol__arena *arena, const iol__places *site, const struct key *key, const char *name,
                              const iol__value *value) {
    const char *secret = secret_word(name) ? name : secret_in(value, 0);
    if (secret)
        return iol__arena_print(arena, "'%s': secrets belong into the environment or into a file of mode 0600", secret);
    if (!key) return NULL;
    switch (key->is) {
    case TEXT: return value->kind == IOL__TEXT ? NULL : "must be a text";
    case NUMBER: return iol__value_number(value) >= 0 ? NULL : "must be a number";
    case PATTERN: return value->kind == IOL__TEXT && is_pattern(value->text) ? NULL : "must be a regular expression";
    case DATED: return dated_problem(value, 0);
    case NUMBERS:
    case PATTERNS:
    case NAMES:
    case SOURCES: return map_problem(arena, site, key->is, value);
    case NAMES_LIST:
    case PROVIDERS:
    case MAPPINGS: return list_problem(arena, site, key->is, value);
    case ANY: break;
    }
    return NULL;
}

/* One key as {key, value, meaning, problem}. */
static iol__value *explain(iol__arena *arena, const iol__places *site, const char *name, iol__value *value) {
    const struct key *key = find(name);
    const char *problem = problem_of(arena, site, key, name, value);
    iol__value *row = iol__value_new(arena, IOL__MAP);
    bool secret = secret_word(name) || secret_in(value, 0);
    iol__map_put_text(arena, row, "key", name);
    iol__map_put(arena, row, "value", secret ? iol__of_text(arena, "(not shown)") : value);
    iol__map_put_text(arena, row, "meaning", key ? key->meaning : "not known to this Iolite, and left alone");
    if (problem) iol__map_put_text(arena, row, "problem", problem);
    return row;
}

static void print_rows(iol__out *out, iol__arena *arena, const iol__value *rows) {
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

static int tell(const iol__args *args, iol__arena *arena, const iol__places *site) {
    iol__value *rows = iol__value_new(arena, IOL__LIST);
    int status = EXIT_DONE;
    for (size_t i = 0; i < site->settings->count; i++) {
        if (*site->settings->keys[i] == '_') continue;
        iol__value *row = explain(arena, site, site->settings->keys[i], site->settings->items[i]);
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
        print_rows(&out, arena, rows);
    }
    return finish_output(&out, status);
}

int config_site(const iol__args *args) {
    static iol__arena arena;
    jmp_buf exhausted;
    iol__places site;
    char why[400];
    int status;
    if (args->n_operands > 1) return usage_error(args, "only one site file is expected");
    arena = (iol__arena){.exhausted = &exhausted};
    if (setjmp(exhausted)) {
        fputs("iolite: out of memory\n", stderr);
        iol__arena_free(&arena);
        return EXIT_TROUBLE;
    }
    if (iol__places_open(&arena, args->n_operands ? args->operands[0] : NULL, false, &site, why) != IOL_OK) {
        tell_stderr("%s", why);
        status = EXIT_INPUT;
    } else {
        status = tell(args, &arena, &site);
    }
    iol__arena_free(&arena);
    return status;
}
