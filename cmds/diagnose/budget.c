/* A budget is a table of limits, a line each: NAME <= VALUE. Names are figures of the job, what findings cost, and how many there
   are. A limit becomes a finding, so that every form of `diagnose` shows it. */
#include "cmds/diagnose/budget.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "cmds/near.h"
#include "site/tree.h"
#include "text/number.h"

enum { LIMITS_MOST = 200, TITLE = 300, COMPLAINT = 200 };

typedef struct budget_limit {
    char name[64], id[80]; /* "budget.writes" */
    bool least;            /* >= instead of <= */
    double value;
    iol__figure_unit unit;
    char words[200];
} budget_limit;

struct budget {
    budget_limit limits[LIMITS_MOST];
    size_t count;
    char complaint[COMPLAINT]; /* about a line that cannot be read */
};

struct judged_budget {
    size_t exceeded;
    iol__finding *findings;
    iol__figure (*figures)[2];
    char (*titles)[TITLE];
};

/* Names -------------------------------------------------------------------------------------------------------- */

/* What findings above INFO cost together; the job cannot lose more than it waited. */
static double lost_seconds(const iol__diagnosis *d) {
    double sum = 0;
    for (size_t i = 0; i < d->n_findings; i++)
        if (d->findings[i].costed && d->findings[i].cost.known) sum += d->findings[i].cost.best;
    return sum < d->io_time ? sum : d->io_time;
}

static double findings_named(const iol__diagnosis *d, const char *id) {
    size_t count = 0;
    for (size_t i = 0; i < d->n_findings; i++) count += strcmp(d->findings[i].id, id) == 0;
    return (double)count;
}

static const struct {
    const char *name;
    iol__figure_unit unit;
} others[] = {{"lost_s", IOL_IN_SECONDS},
              {"lost_share", IOL_IN_SHARE},
              {"findings_high", IOL_IN_NUMBER},
              {"findings_warn", IOL_IN_NUMBER}};

static bool find_unit(const char *name, iol__figure_unit *unit) {
    for (int i = 0; i < IOL_JOB_FIGURES; i++)
        if (strcmp(iol__figure_infos[i].name, name) == 0) {
            *unit = iol__figure_infos[i].unit;
            return true;
        }
    for (size_t i = 0; i < IOL_COUNT(others); i++)
        if (strcmp(others[i].name, name) == 0) {
            *unit = others[i].unit;
            return true;
        }
    return false;
}

static const char *no_such_finding(char complaint[COMPLAINT], const iol__rulebook *book, const char *id) {
    near_name near = {.typed = id};
    iol__rule_info info;
    for (size_t i = 0; iol__rulebook_rule(book, i, &info); i++) look_at_name(&near, info.id);
    const char *meant = meant_name(&near);
    if (meant)
        snprintf(complaint, COMPLAINT, "no rule is called '%s'. Did you mean '%s'?", id, meant);
    else
        snprintf(complaint, COMPLAINT, "no rule is called '%s' (see --list-rules)", id);
    return complaint;
}

static const char *no_such_figure(char complaint[COMPLAINT], const char *name) {
    near_name near = {.typed = name};
    for (int i = 0; i < IOL_JOB_FIGURES; i++) look_at_name(&near, iol__figure_infos[i].name);
    for (size_t i = 0; i < IOL_COUNT(others); i++) look_at_name(&near, others[i].name);
    const char *meant = meant_name(&near);
    if (meant)
        snprintf(complaint, COMPLAINT, "there is no figure '%s'. Did you mean '%s'?", name, meant);
    else
        snprintf(complaint, COMPLAINT, "there is no figure '%s' (see docs/ci.md)", name);
    return complaint;
}

/* NULL, or what is wrong with the name. A rule's other names stand for its id, which findings have. */
static const char *find_budget_name(budget_limit *made, const iol__rulebook *book, char complaint[COMPLAINT]) {
    iol__rule_info info;
    if (strncmp(made->name, "finding:", 8) != 0)
        return find_unit(made->name, &made->unit) ? NULL : no_such_figure(complaint, made->name);
    if (!iol__rulebook_find(book, made->name + 8, &info)) return no_such_finding(complaint, book, made->name + 8);
    snprintf(made->name, sizeof made->name, "finding:%s", info.id);
    return NULL;
}

static double budget_value_of(const iol__diagnosis *d, const char *name) {
    for (int i = 0; i < IOL_JOB_FIGURES; i++)
        if (strcmp(iol__figure_infos[i].name, name) == 0) return d->figures[i];
    if (strncmp(name, "finding:", 8) == 0) return findings_named(d, name + 8);
    if (strcmp(name, "lost_s") == 0) return lost_seconds(d);
    if (strcmp(name, "lost_share") == 0) return d->run_time > 0 ? lost_seconds(d) / d->run_time : (double)NAN;
    return (double)d->count[strcmp(name, "findings_high") == 0 ? IOL_LEVEL_HIGH : IOL_LEVEL_WARN];
}

/* Reading ------------------------------------------------------------------------------------------------------ */

/* A number, which may have commas, and its unit: 1,000  2%  1.5 GiB  30 s  5 ms. False for what is none. */
static bool read_budget_value(const char *text, double *value, const char **rest) {
    static const struct {
        const char *name;
        double times;
    } units[] = {{"%", 0.01},
                 {"KiB", 1024},
                 {"MiB", 1048576},
                 {"GiB", 1073741824.0},
                 {"TiB", 1099511627776.0},
                 {"KB", 1e3},
                 {"MB", 1e6},
                 {"GB", 1e9},
                 {"TB", 1e12},
                 {"ms", 1e-3},
                 {"min", 60},
                 {"B", 1},
                 {"s", 1},
                 {"h", 3600}};
    char digits[64], *end;
    size_t length = 0;
    for (; (*text >= '0' && *text <= '9') || *text == '.' || *text == ','; text++)
        if (*text != ',' && length + 1 < sizeof digits) digits[length++] = *text;
    digits[length] = '\0';
    *value = strtod(digits, &end);
    if (!length || *end) return false;
    while (*text == ' ') text++;
    for (size_t i = 0; i < IOL_COUNT(units); i++) {
        const size_t bytes = strlen(units[i].name);
        if (strncmp(text, units[i].name, bytes) != 0) continue;
        *value *= units[i].times;
        text += bytes;
        break;
    }
    while (*text == ' ' || *text == '\t') text++;
    *rest = text;
    return true;
}

/* NULL, or what is wrong with the line. */
static const char *read_budget_limit(char *line, const iol__rulebook *book, budget *b) {
    budget_limit *made = &b->limits[b->count];
    char *at = line + strcspn(line, " \t<>=");
    const size_t length = (size_t)(at - line);
    const char *rest;
    *made = (budget_limit){.unit = IOL_IN_NUMBER};
    if (!length || length >= sizeof made->name) return "a name was expected";
    memcpy(made->name, line, length);
    const char *wrong = find_budget_name(made, book, b->complaint);
    if (wrong) return wrong;
    snprintf(made->id, sizeof made->id, "budget.%.*s", (int)length, line);
    at += strspn(at, " \t");
    made->least = at[0] == '>';
    if ((at[0] != '<' && at[0] != '>') || at[1] != '=') return "<= or >= was expected behind the name";
    at += 2;
    at += strspn(at, " \t");
    if (!read_budget_value(at, &made->value, &rest)) return "a number was expected";
    if (*rest == '"') {
        const char *end = strchr(rest + 1, '"');
        if (!end || end[1 + strspn(end + 1, " \t")])
            return "the words want a quotation mark at their end, and nothing behind it";
        snprintf(made->words, sizeof made->words, "%.*s", (int)(end - rest - 1 < 190 ? end - rest - 1 : 190), rest + 1);
    } else if (*rest) {
        return "unknown unit; known ones are %, B, KiB, MiB, GiB, TiB, KB, MB, GB, TB, ms, s, min, h";
    }
    return NULL;
}

static bool read_lines(char *text, const char *path, const iol__rulebook *book, budget *b, iol_error *error) {
    int number = 0;
    for (char *line; (line = strsep(&text, "\n"));) {
        number++;
        line += strspn(line, " \t\r");
        for (size_t end = strlen(line); end && strchr(" \t\r", line[end - 1]);) line[--end] = '\0';
        if (!*line || *line == '#') continue;
        const char *wrong = b->count == LIMITS_MOST ? "there are too many limits" : read_budget_limit(line, book, b);
        if (wrong) {
            snprintf(error->message, sizeof error->message, "%s:%d: %s", path, number, wrong);
            return false;
        }
        b->count++;
    }
    if (!b->count) snprintf(error->message, sizeof error->message, "%s: there is no limit in it", path);
    return b->count > 0;
}

bool read_budget(const char *path, const iol__rulebook *book, budget **made, iol_error *error) {
    size_t length;
    FILE *file = fopen(path, "re");
    char *text = file ? iol__read_all(fileno(file), 1 << 20, &length) : NULL;
    budget *b = text ? calloc(1, sizeof *b) : NULL;
    *made = NULL;
    if (!b) snprintf(error->message, sizeof error->message, "%s: %s", path, strerror(errno));
    const bool good = b && read_lines(text, path, book, b, error);
    if (file) fclose(file);
    free(text);
    if (good)
        *made = b;
    else
        free(b);
    return good;
}

void free_budget(budget *b) { free(b); }

/* Judging ------------------------------------------------------------------------------------------------------ */

static const char *budget_value_text(char buffer[IOL_HUMAN], iol__figure_unit unit, double value) {
    switch (unit) {
    case IOL_IN_SECONDS: return iol__human_seconds(buffer, value);
    case IOL_IN_BYTES: return iol__human_bytes(buffer, value);
    case IOL_IN_BYTES_PER_SECOND: return iol__human_rate(buffer, value);
    case IOL_IN_SHARE: return iol__human_share(buffer, value);
    default: return iol__human_number(buffer, value);
    }
}

static void judge_limit(const budget_limit *l, double value, char title[TITLE], iol__figure figures[2],
                        iol__finding *made) {
    static const char *const none[] = {NULL};
    char is[IOL_HUMAN], may[IOL_HUMAN];
    const bool known = isfinite(value), kept = known && (l->least ? value >= l->value : value <= l->value);
    if (known)
        snprintf(title, TITLE, "%s%s%s is %s, %s %s %s", l->words, *l->words ? ": " : "", l->name,
                 budget_value_text(is, l->unit, value), kept ? "within the budget of" : "and the budget is",
                 l->least ? "at least" : "at most", budget_value_text(may, l->unit, l->value));
    else
        snprintf(title, TITLE, "%s%s%s is not known, so that its budget cannot be checked", l->words,
                 *l->words ? ": " : "", l->name);
    figures[0] = (iol__figure){.name = l->name, .value = value};
    figures[1] = (iol__figure){.name = "limit", .value = l->value};
    *made = (iol__finding){.id = l->id,
                           .rule_version = 1,
                           .aliases = none,
                           .level = kept ? IOL_LEVEL_OK : IOL_LEVEL_HIGH,
                           .audience = "developer",
                           .title = title,
                           .subject_kind = "job",
                           .figures = figures,
                           .n_figures = 2,
                           .confidence = {1, "high", 1, 1, 1},
                           .suppresses = none,
                           .related = none};
}

judged_budget *judge_budget(const budget *b, iol__diagnosis *d) {
    judged_budget *judged = calloc(1, sizeof *judged);
    if (!judged) return NULL;
    judged->findings = calloc(b->count + d->n_findings, sizeof *judged->findings);
    judged->figures = calloc(b->count, sizeof *judged->figures);
    judged->titles = calloc(b->count, sizeof *judged->titles);
    if (!judged->findings || !judged->figures || !judged->titles) {
        free_judged_budget(judged);
        return NULL;
    }
    /* Limits that were not kept come first, those that were kept last. */
    size_t first = 0, last = d->n_findings;
    for (int kept = 0; kept < 2; kept++)
        for (size_t i = 0; i < b->count; i++) {
            iol__finding made;
            judge_limit(&b->limits[i], budget_value_of(d, b->limits[i].name), judged->titles[i], judged->figures[i],
                        &made);
            if ((made.level == IOL_LEVEL_OK) == (kept == 1)) judged->findings[kept ? first + last++ : first++] = made;
        }
    if (d->n_findings) memcpy(judged->findings + first, d->findings, d->n_findings * sizeof *d->findings);
    judged->exceeded = first;
    d->findings = judged->findings;
    d->n_findings += b->count;
    d->count[IOL_LEVEL_HIGH] += first;
    d->count[IOL_LEVEL_OK] += b->count - first;
    return judged;
}

size_t budget_exceeded(const judged_budget *judged) { return judged ? judged->exceeded : 0; }

void free_judged_budget(judged_budget *judged) {
    if (!judged) return;
    free(judged->findings);
    free(judged->figures);
    free(judged->titles);
    free(judged);
}
