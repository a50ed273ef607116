/* LDMS' CSV files: a heading "#Time,Time_usec,ProducerName,...", then rows. The heading may be in a file of its own, which
   is given in front, or is found beside the rows: SCHEMA.HEADER.TIME, or with .HEADER behind the name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "site/connect/connect.h"

enum { MOST_COLUMNS = 1024 };

typedef struct heading {
    char *columns[MOST_COLUMNS];
    size_t count;
    bool milliseconds;
} heading;

static void take_heading(iol__arena *arena, heading *is, const char *line) {
    char *copy = iol__arena_copy(arena, line + (*line == '#'));
    is->count = 0;
    is->milliseconds = strncmp(copy, "Time_msec", 9) == 0;
    for (char *name; is->count < MOST_COLUMNS && (name = strsep(&copy, ","));) is->columns[is->count++] = name;
    if (is->milliseconds) is->columns[0] = iol__arena_copy(arena, "Time");
}

/* The next field of a row; quotes protect commas. NULL after the last. */
static char *ldms_next_field(char **line) {
    char *field = *line, *end = field && *field == '"' ? strchr(field + 1, '"') : NULL;
    if (!end || (end[1] && end[1] != ',')) return strsep(line, ",");
    *line = end[1] ? end + 2 : NULL;
    *end = 0;
    return field + 1;
}

static bool take_ldms_row(iol__request *request, const heading *is, char *line, iol__value *rows) {
    iol__arena *arena = request->arena;
    iol__value *row = iol__value_new(arena, IOL__MAP);
    size_t i = 0;
    for (char *field; i < is->count && (field = ldms_next_field(&line)); i++)
        if (i == 0)
            iol__map_put_real(arena, row, is->columns[0], strtod(field, NULL) / (is->milliseconds ? 1000.0 : 1.0));
        else
            iol__map_put(arena, row, is->columns[i], iol__value_of_text(arena, field));
    double when = iol__map_number(row, is->columns[0]);
    if (i < is->count) return false;
    if (!request->ranged || (when >= (double)request->start && when < (double)request->end))
        iol__list_add(arena, rows, row);
    return true;
}

static void take_cached(iol__request *request, const iol__value *cached, iol__value *rows) {
    for (size_t i = 0; i < cached->count; i++) {
        double when = iol__map_number(cached->items[i], "Time");
        if (!request->ranged || (when >= (double)request->start && when < (double)request->end))
            iol__list_add(request->arena, rows, cached->items[i]);
    }
}

static bool is_heading(const char *line) { return *line == '#' || strncmp(line, "Time", 4) == 0; }

/* The heading that lies beside rows which have none. */
static void find_heading(iol__arena *arena, heading *is, const char *path) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    size_t length = dot ? (size_t)(dot - path) : strlen(path);
    const char *const beside[] = {iol__arena_print(arena, "%.*s.HEADER%s", (int)length, path, dot ? dot : ""),
                                  iol__arena_print(arena, "%s.HEADER", path)};
    iol__feed feed;
    char why[400];
    for (size_t i = 0; i < 2; i++)
        if (iol__feed_open(beside[i], &feed, why) == IOL_OK) {
            iol__lines lines = {feed.bytes, feed.bytes + feed.length};
            const char *line = iol__next_line(&lines);
            if (line && is_heading(line)) take_heading(arena, is, line);
            iol__feed_close(&feed);
        }
}

typedef struct ldms_reading {
    iol__request *request;
    heading *is;
    iol__value *rows;
} ldms_reading;

static bool take_ldms_member(void *context, const iol__feed *feed) {
    ldms_reading *on = context;
    iol__request *request = on->request;
    const iol__value *cached = iol__request_json(request, feed);
    if (cached && cached->kind == IOL__LIST) {
        take_cached(request, cached, on->rows);
        return true;
    }
    if (feed->length && !is_heading(feed->bytes)) find_heading(request->arena, on->is, feed->name);
    iol__lines lines = {feed->bytes, feed->bytes + feed->length};
    for (char *line; (line = iol__next_line(&lines));) {
        if (is_heading(line))
            take_heading(request->arena, on->is, line);
        else if (*line && (!on->is->count || !take_ldms_row(request, on->is, line, on->rows)))
            request->skipped++;
    }
    return true;
}

iol_status iol__read_ldms(iol__request *request, iol__value **out) {
    ldms_reading on = {request, iol__arena_alloc(request->arena, 1, sizeof(heading)),
                       iol__value_new(request->arena, IOL__LIST)};
    *out = on.rows;
    iol_status status = iol__request_members(request, take_ldms_member, &on);
    if (status == IOL_OK && !on.is->count && !on.rows->count)
        return iol__refuse(request, IOL_DAMAGED, "%.200s: expected a heading '#Time,...' of LDMS, and found none",
                           request->paths[0]);
    return status;
}
