/* Findings as SARIF 2.1.0, the form that code reviews and CI services show. Where the log knows
   lines of code, these are the locations; else the log stands in for a source file. */
#include <math.h>

#include "report/findings/findings.h"

static const char *sarif_level(iol__level level) {
    static const char *const levels[IOL_LEVELS] = {
        [IOL_LEVEL_INFO] = "note", [IOL_LEVEL_OK] = "none", [IOL_LEVEL_WARN] = "warning", [IOL_LEVEL_HIGH] = "error"};
    return levels[level];
}

static void put_findings_sarif_message(iol__json *json, const char *key, const char *text) {
    iol__json_put_open(json, key, '{');
    iol__json_put_text(json, "text", text);
    iol__json_close(json, '}');
}

void iol__findings_sarif_begin(iol__json *json, const iol__rulebook *book, const char *version) {
    iol__json_open(json, '{');
    iol__json_put_text(json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    iol__json_put_text(json, "version", "2.1.0");
    iol__json_put_open(json, "runs", '[');
    iol__json_open(json, '{');
    iol__json_put_open(json, "tool", '{');
    iol__json_put_open(json, "driver", '{');
    iol__json_put_text(json, "name", "iolite");
    iol__json_put_text(json, "version", version);
    iol__json_put_open(json, "rules", '[');
    iol__rule_info info;
    for (size_t i = 0; iol__rulebook_rule(book, i, &info); i++) {
        iol__json_open(json, '{');
        iol__json_put_text(json, "id", info.id);
        put_findings_sarif_message(json, "shortDescription", info.meaning[0] ? info.meaning : info.id);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
    iol__json_close(json, '}');
    iol__json_close(json, '}');
    iol__json_put_open(json, "results", '[');
}

/* A URI may hold only some characters as they are. */
static void put_uri(iol__json *json, const char *path) {
    iol__out uri;
    iol__out_open(&uri, -1);
    for (; *path; path++) {
        unsigned char c = (unsigned char)*path;
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
                     c == '-' || c == '.' || c == '_' || c == '~';
        if (plain)
            iol__out_char(&uri, (char)c);
        else
            iol__out_printf(&uri, "%%%02X", c);
    }
    iol__out_char(&uri, 0);
    iol__json_put_text(json, "uri", uri.buffer);
    iol__out_close(&uri);
}

static void put_sarif_location(iol__json *json, const char *path, uint32_t line) {
    iol__json_open(json, '{');
    iol__json_put_open(json, "physicalLocation", '{');
    iol__json_put_open(json, "artifactLocation", '{');
    put_uri(json, path);
    iol__json_close(json, '}');
    if (line) {
        iol__json_put_open(json, "region", '{');
        iol__json_put_i64(json, "startLine", line);
        iol__json_close(json, '}');
    }
    iol__json_close(json, '}');
    iol__json_close(json, '}');
}

static void put_sarif_locations(iol__json *json, const iol__diagnosis *d, const iol__finding *f) {
    size_t known = 0;
    iol__json_put_open(json, "locations", '[');
    for (size_t i = 0; i < f->n_places; i++)
        if (f->places[i].file && f->places[i].line) {
            put_sarif_location(json, f->places[i].file, f->places[i].line);
            known++;
        }
    if (known == 0) put_sarif_location(json, d->log_name, 0);
    iol__json_close(json, ']');
}

static void put_result(iol__json *json, const iol__diagnosis *d, const iol__finding *f) {
    iol__json_open(json, '{');
    iol__json_put_text(json, "ruleId", f->id);
    iol__json_put_text(json, "level", sarif_level(f->level));
    if (f->level == IOL_LEVEL_OK) iol__json_put_text(json, "kind", "pass");
    put_findings_sarif_message(json, "message", f->title);
    put_sarif_locations(json, d, f);
    iol__json_put_open(json, "properties", '{');
    iol__json_put_real(json, "lost_s", f->costed && f->cost.known ? f->cost.best : NAN);
    iol__json_put_real(json, "confidence", f->confidence.value);
    for (size_t i = 0; i < f->n_advice && i < 1; i++) iol__json_put_text(json, "advice", f->advice[i].text);
    iol__json_close(json, '}');
    iol__json_close(json, '}');
}

void iol__findings_sarif(iol__json *json, const iol__diagnosis *d) {
    for (size_t i = 0; i < d->n_findings; i++) put_result(json, d, &d->findings[i]);
}

void iol__findings_sarif_end(iol__json *json) {
    iol__json_close(json, ']');
    iol__json_close(json, '}');
    iol__json_close(json, ']');
    iol__json_close(json, '}');
}
