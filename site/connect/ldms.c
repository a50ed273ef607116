/* LDMS' CSV files: a heading "#Time,Time_usec,ProducerName,...", maybe in a file of its own in front, then rows. */
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

static bool take_row(iol__request *request, const heading *is, char *line, iol__value *rows) {
    iol__arena *arena = request->arena;
    iol__value *row = iol__value_new(arena, IOL__MAP);
    size_t i = 0;
    for (char *field; i < is->count && (field = strsep(&line, ",")); i++)
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

iol_status iol__read_ldms(iol__request *request, iol__value **out) {
    heading *is = iol__arena_alloc(request->arena, 1, sizeof *is);
    *out = iol__value_new(request->arena, IOL__LIST);
    iol_status status = IOL_OK;
    for (size_t i = 0; i < request->n_paths && status == IOL_OK; i++) {
        iol__feed feed;
        status = iol__request_feed(request, i, &feed);
        if (status != IOL_OK) break;
        const iol__value *cached = iol__request_json(request, &feed);
        if (cached && cached->kind == IOL__LIST) {
            take_cached(request, cached, *out);
            iol__feed_close(&feed);
            continue;
        }
        iol__lines lines = {feed.bytes, feed.bytes + feed.length};
        for (char *line; (line = iol__next_line(&lines));) {
            if (*line == '#' || strncmp(line, "Time", 4) == 0)
                take_heading(request->arena, is, line);
            else if (*line && (!is->count || !take_row(request, is, line, *out)))
                request->skipped++;
        }
        iol__feed_close(&feed);
    }
    if (status == IOL_OK && !is->count && !(*out)->count)
        return iol__refuse(request, IOL_DAMAGED, "no heading '#Time,...' of LDMS");
    return status;
}
