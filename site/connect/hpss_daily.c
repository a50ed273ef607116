/* The daily report of an HPSS archive: tables under headings "System : Title", whose columns are where the lines of equal
   signs say. Tables with a name in each row become maps, others stay lists. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "site/connect/connect.h"

enum { MOST_COLUMNS = 32 };

typedef struct report {
    iol__request *request;
    iol__value *into;
    char *system, *title;
    char heading[MOST_COLUMNS][64];
    size_t ends[MOST_COLUMNS], count;
} report;

static char *hpss_daily_trimmed(char *text) {
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length && isspace((unsigned char)text[length - 1])) text[--length] = 0;
    for (char *at = text; *at; at++) *at = (char)tolower((unsigned char)*at);
    return text;
}

static bool hpss_daily_among(const char *const *list, const char *name) {
    for (; *list; list++)
        if (strcmp(*list, name) == 0) return true;
    return false;
}

/* "1-02:03:04" in seconds; -1 if it is something else. */
static long long hpss_daily_seconds_of(const char *text) {
    int days, hours, minutes, seconds, end = 0;
    if (sscanf(text, "%9d-%9d:%9d:%9d%n", &days, &hours, &minutes, &seconds, &end) != 4 || text[end]) return -1;
    return ((days * 24LL + hours) * 60 + minutes) * 60 + seconds;
}

static void put_hpss_daily_cell(const report *on, iol__value *row, const char *name, const char *text) {
    static const char *const reals[] = {"io_gb",    "write_gb",  "read_gb", "copy_gb",
                                        "mig (gb)", "purge(gb)", "lock%",   NULL};
    static const char *const integers[] = {"users",    "ops",   "w_ops",  "r_ops", "c_ops",  "migfiles",
                                           "purfiles", "count", "cleans", "locks", "mounts", NULL};
    static const char *const times[] = {"migtime", "purgetime", "availtime", "locktime", "mounttime", NULL};
    iol__arena *arena = on->request->arena;
    char *end;
    if (hpss_daily_among(reals, name)) {
        double value = strtod(text, &end);
        if (end != text && !*end) {
            iol__map_put_real(arena, row, name, value);
            return;
        }
    } else if (hpss_daily_among(integers, name)) {
        long long value = strtoll(text, &end, 10);
        if (end != text && !*end) {
            iol__map_put_integer(arena, row, name, value);
            return;
        }
    } else if (hpss_daily_among(times, name) && hpss_daily_seconds_of(text) >= 0) {
        iol__map_put_integer(arena, row, iol__arena_print(arena, "%ssecs", name), hpss_daily_seconds_of(text));
    }
    iol__map_put_text(arena, row, name, text);
}

/* Where the columns end: a run of equal signs each. */
static bool take_extents(report *on, const char *rule, const char *headings) {
    size_t at = 0, from = 0, length = strlen(headings);
    for (on->count = 0; rule[at] && on->count < MOST_COLUMNS; on->count++) {
        at += strspn(rule + at, " ");
        size_t run = strspn(rule + at, "=");
        if (!run) return !rule[at] && on->count;
        at += run;
        size_t end = at < length ? at : length, start = from < end ? from : end;
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(end - start < 63 ? end - start : 63), headings + start);
        snprintf(on->heading[on->count], sizeof name, "%s", hpss_daily_trimmed(name));
        on->ends[on->count] = from = at;
    }
    return on->count > 0;
}

/* The column whose value names a row, by the title of its table. */
static const char *hpss_daily_key_of(const char *title) {
    static const char *const keys[][2] = {{"io totals by client application", "client"},
                                          {"io totals by client host", "host"},
                                          {"io totals by hpss client gateway (ui) host", "host"},
                                          {"migration purge report", "sc"}};
    for (size_t i = 0; i < IOL_COUNT(keys); i++)
        if (strcmp(keys[i][0], title) == 0) return keys[i][1];
    return NULL;
}

static void take_hpss_daily_row(report *on, const char *line) {
    iol__arena *arena = on->request->arena;
    const char *key = hpss_daily_key_of(on->title), *name = NULL;
    iol__value *row = iol__value_new(arena, IOL__MAP);
    iol__value *tables = iol__map_open(arena, on->into, on->system, IOL__MAP);
    for (size_t i = 0, from = 0; i < on->count; from = on->ends[i++]) {
        char *text = hpss_daily_trimmed(iol__arena_text(arena, line + from, on->ends[i] - from));
        put_hpss_daily_cell(on, row, on->heading[i], text);
        if (key && strcmp(on->heading[i], key) == 0) name = text;
    }
    if (name)
        iol__map_put(arena, iol__map_open(arena, tables, on->title, IOL__MAP), name, row);
    else
        iol__list_add(arena, iol__map_open(arena, tables, on->title, IOL__LIST), row);
}

/* "Archive : IO Totals by Client Host" */
static bool take_title(report *on, const char *line) {
    const char *colon = strchr(line, ':');
    if (!colon || colon == line || !isalpha((unsigned char)*line)) return false;
    on->system = hpss_daily_trimmed(iol__arena_text(on->request->arena, line, (size_t)(colon - line)));
    on->title = hpss_daily_trimmed(iol__arena_copy(on->request->arena, colon + 1));
    return *on->title && !strchr(on->system, ' ');
}

static iol_status take_hpss_daily_text(iol__request *request, iol__feed *feed, iol__value *into) {
    static const char first[] = "HPSS Report for Date ";
    iol__lines lines = {feed->bytes, feed->bytes + feed->length};
    report on = {.request = request, .into = into};
    char *previous = NULL;
    bool titled = false, table = false;
    for (char *line; (line = iol__next_line(&lines)); previous = line) {
        if (table && *line && strlen(line) >= on.ends[on.count - 1]) {
            take_hpss_daily_row(&on, line);
            continue;
        }
        table = false;
        if (strncmp(line, first, sizeof first - 1) == 0) {
            iol__map_put_text(request->arena, into, "date", hpss_daily_trimmed(line + sizeof first - 1));
        } else if (*line == '=' && previous && titled) {
            table = take_extents(&on, line, previous);
            titled = false;
        } else if (take_title(&on, line)) {
            titled = true;
        } else if (*line && !titled) {
            request->skipped++;
        }
    }
    request->understood += into->count;
    return IOL_OK;
}

iol_status iol__read_hpss_daily(iol__request *request, iol__value **out) {
    iol_status status = iol__request_each(request, take_hpss_daily_text, out);
    return status == IOL_OK ? iol__expect_form(request, "a daily report of HPSS") : status;
}
