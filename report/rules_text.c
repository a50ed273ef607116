/* The rules themselves, for people: lists, one rule explained, and the page of the documentation. */
#include <string.h>

#include "report/findings/findings.h"
#include "text/text.h"

static void aliases(iol__out *out, const char *const *list) {
    for (size_t i = 0; list[i]; i++) {
        iol__out_text(out, i ? "," : "");
        iol__out_text(out, list[i]);
    }
}

void iol__rules_list(iol__out *out, const iol__rulebook *book) {
    iol__rule_info info;
    for (size_t i = 0; iol__rulebook_rule(book, i, &info); i++) {
        iol__out_printf(out, "%-28s %-8s %-20s ", info.id, info.layer, info.level);
        aliases(out, info.aliases);
        iol__out_char(out, '\n');
    }
}

void iol__rules_json(iol__json *json, const iol__rulebook *book) {
    iol__rule_info info;
    iol__json_open(json, '[');
    for (size_t i = 0; iol__rulebook_rule(book, i, &info); i++) {
        iol__json_open(json, '{');
        iol__json_put_text(json, "id", info.id);
        iol__json_put_i64(json, "rule_version", info.version);
        iol__json_put_open(json, "aliases", '[');
        for (size_t a = 0; info.aliases[a]; a++) iol__json_text(json, info.aliases[a]);
        iol__json_close(json, ']');
        iol__json_put_text(json, "layer", info.layer);
        iol__json_put_text(json, "scope", info.scope);
        iol__json_put_text(json, "audience", info.audience);
        iol__json_put_text(json, "level", info.level);
        iol__json_put_text(json, "meaning", info.meaning);
        iol__json_put_text(json, "origin", info.origin);
        iol__json_put_text(json, "rule", info.source);
        iol__json_put_open(json, "figures", '[');
        iol__figure_meaning figure;
        for (size_t k = 0; iol__rule_figure(book, info.id, k, &figure); k++) {
            iol__json_open(json, '{');
            iol__json_put_text(json, "name", figure.name);
            iol__json_put_text(json, "unit", figure.unit);
            iol__json_put_text(json, "meaning", figure.meaning);
            iol__json_close(json, '}');
        }
        iol__json_close(json, ']');
        iol__json_put_open(json, "thresholds", '{');
        for (size_t t = 0; t < iol__rulebook_thresholds(book); t++) {
            const iol__threshold *threshold = iol__rulebook_threshold(book, t);
            if (!iol__rule_uses(book, info.id, threshold->path)) continue;
            iol__json_key_text(json, threshold->path);
            iol__json_real(json, threshold->value);
        }
        iol__json_close(json, '}');
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

static void rules_text_value(iol__out *out, double v) { iol__out_double(out, v); }

static void rules_text_words(iol__out *out, const char *text, size_t columns) {
    size_t column = 0;
    while (*text) {
        size_t n = strcspn(text, " ");
        if (column && column + 1 + n > columns) {
            iol__out_char(out, '\n');
            column = 0;
        } else if (column) {
            iol__out_char(out, ' ');
            column++;
        }
        iol__out_bytes(out, text, n);
        column += n;
        text += n + (text[n] == ' ');
    }
    iol__out_char(out, '\n');
}

static bool rules_text_inside(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

/* Whether the rule's text has this name, as a word of its own. */
static bool mentions(const char *source, const char *name) {
    size_t length = strlen(name);
    for (const char *at = source; (at = strstr(at, name)); at += length)
        if ((at == source || (!rules_text_inside(at[-1]) && at[-1] != '$')) && !rules_text_inside(at[length]) &&
            at[length] != ':') /* {bytes:...} is a form, no name */
            return true;
    return false;
}

static void explain_thresholds(iol__out *out, const iol__rulebook *book, const char *id) {
    bool any = false;
    for (size_t t = 0; t < iol__rulebook_thresholds(book); t++) {
        const iol__threshold *threshold = iol__rulebook_threshold(book, t);
        if (!iol__rule_uses(book, id, threshold->path)) continue;
        iol__out_printf(out, "%s$%s = ", any ? "" : "\nThresholds\n", threshold->path);
        rules_text_value(out, threshold->value);
        iol__out_printf(out, " (%s): %s\n", threshold->origin, threshold->meaning);
        any = true;
    }
}

static void rules_text_explain_names(iol__out *out, const char *source) {
    bool any = false;
    for (size_t i = 0; i < iol__variable_count(); i++) {
        const iol__variable_info *v = iol__variable_at(i);
        if (!mentions(source, v->name)) continue;
        iol__out_printf(out, "%s%s: %s\n", any ? "" : "\nNames\n", v->name, v->meaning);
        any = true;
    }
}

/* Where it is written, and where it comes from. */
static void explain_source(iol__out *out, const iol__rule_info *info) {
    iol__out_text(out, "\nSource\n");
    iol__out_safe(out, info->file);
    iol__out_printf(out, ", line %d (%s)\n", info->line, info->origin);
    for (size_t i = 0; info->aliases[i]; i++) iol__out_printf(out, "%s of Drishti 0.6\n", info->aliases[i]);
}

bool iol__rule_explain(iol__out *out, const iol__rulebook *book, const char *id, size_t columns) {
    iol__rule_info info;
    if (!iol__rulebook_find(book, id, &info)) return false;
    iol__out_printf(out, "%s, version %d", info.id, info.version);
    if (info.aliases[0]) {
        iol__out_text(out, " (");
        aliases(out, info.aliases);
        iol__out_char(out, ')');
    }
    iol__out_printf(out, "\nlayer %s, scope %s, for %s, level %s\n\n", info.layer, info.scope, info.audience,
                    info.level);
    if (info.meaning[0]) {
        rules_text_words(out, info.meaning, columns ? columns : 80);
        iol__out_char(out, '\n');
    }
    iol__out_text(out, info.source);
    iol__out_char(out, '\n');
    explain_thresholds(out, book, info.id);
    rules_text_explain_names(out, info.source);
    explain_source(out, &info);
    return true;
}

void iol__thresholds_list(iol__out *out, const iol__rulebook *book, const char *system) {
    for (size_t t = 0; t < iol__rulebook_thresholds(book); t++) {
        const iol__threshold *threshold = iol__rulebook_threshold(book, t);
        const char *origin;
        double in_force = iol__rulebook_for_system(book, t, system, &origin);
        iol__out_printf(out, "%-26s ", threshold->path);
        rules_text_value(out, in_force);
        iol__out_printf(out, "  (%s)  %s\n", origin, threshold->meaning);
        iol__scoped_info info;
        for (size_t i = 0; iol__rulebook_scoped(book, i, &info); i++) {
            if (strcmp(info.path, threshold->path) != 0) continue;
            iol__out_printf(out, "  %s \"", info.kind);
            iol__out_safe(out, info.pattern);
            iol__out_text(out, "\": ");
            rules_text_value(out, info.value);
            iol__out_printf(out, "  (%s%s)\n", info.origin, info.overruled ? ", overruled" : "");
        }
    }
}

static void json_sections(iol__json *json, const iol__rulebook *book, const char *path) {
    iol__scoped_info info;
    iol__json_put_open(json, "sections", '[');
    for (size_t i = 0; iol__rulebook_scoped(book, i, &info); i++) {
        if (strcmp(info.path, path) != 0) continue;
        iol__json_open(json, '{');
        iol__json_put_text(json, info.kind, info.pattern);
        iol__json_put_real(json, "value", info.value);
        iol__json_put_text(json, "origin", info.origin);
        iol__json_put_bool(json, "overruled", info.overruled);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

void iol__thresholds_json(iol__json *json, const iol__rulebook *book, const char *system) {
    iol__json_open(json, '[');
    for (size_t t = 0; t < iol__rulebook_thresholds(book); t++) {
        const iol__threshold *threshold = iol__rulebook_threshold(book, t);
        const char *origin;
        double in_force = iol__rulebook_for_system(book, t, system, &origin);
        iol__json_open(json, '{');
        iol__json_put_text(json, "path", threshold->path);
        iol__json_put_real(json, "value", in_force);
        iol__json_put_text(json, "origin", origin);
        iol__json_put_real(json, "standard", threshold->standard);
        iol__json_put_text(json, "meaning", threshold->meaning);
        json_sections(json, book, threshold->path);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

void iol__variables_list(iol__out *out) {
    for (size_t i = 0; i < iol__variable_count(); i++) {
        const iol__variable_info *v = iol__variable_at(i);
        iol__out_printf(out, "%-24s %-24s %s\n", v->name, v->scopes, v->meaning);
    }
}

void iol__rules_markdown(iol__out *out, const iol__rulebook *book) {
    iol__rule_info info;
    iol__out_text(out, "| rule | alias | scope | level | what it is about |\n|---|---|---|---|---|\n");
    for (size_t i = 0; iol__rulebook_rule(book, i, &info); i++) {
        iol__out_printf(out, "| `%s` | ", info.id);
        aliases(out, info.aliases);
        iol__out_printf(out, " | %s | %s | %s |\n", info.scope, info.level, info.meaning);
    }
    iol__out_text(out, "\n## Thresholds\n\n| threshold | value | meaning |\n|---|---|---|\n");
    for (size_t t = 0; t < iol__rulebook_thresholds(book); t++) {
        const iol__threshold *threshold = iol__rulebook_threshold(book, t);
        iol__out_printf(out, "| `%s` | ", threshold->path);
        rules_text_value(out, threshold->value);
        iol__out_printf(out, " | %s |\n", threshold->meaning);
    }
    iol__out_text(out, "\n## Variables\n\n| name | scopes | meaning |\n|---|---|---|\n");
    for (size_t i = 0; i < iol__variable_count(); i++) {
        const iol__variable_info *v = iol__variable_at(i);
        iol__out_printf(out, "| `%s` | %s | %s |\n", v->name, v->scopes, v->meaning);
    }
}
