/* GPFS' mmperfmon query: a legend, then tables whose columns are cut by position, because values may contain blanks.
   Gives {epoch: {host: {counter: value or {device: value}}}}; or rows of one host or one metric. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "site/connect/connect.h"

enum { MOST_COLUMNS = 4096 };

typedef struct mmperfmon_entry {
    const char *host, *device, *counter; /* device: NULL for what belongs to the host */
} mmperfmon_entry;

typedef struct mmperfmon_table {
    mmperfmon_entry *legend;
    size_t n_legend;
    size_t first;              /* legend entry of the first column of this table */
    size_t ends[MOST_COLUMNS]; /* where each heading ends */
    size_t n_columns;          /* "Row" and "Timestamp" too */
    double before;             /* time of the row before; NAN: there is none */
} mmperfmon_table;

/* " 2: nsd01.site|GPFSNSDDisk|lun07|gpfs_nsdds_bytes_read" */
static bool take_legend(iol__arena *arena, mmperfmon_table *on, char *line) {
    char *end;
    line += strspn(line, " \t");
    strtol(line, &end, 10);
    if (end == line || *end != ':') return false;
    char *host = end + 1 + strspn(end + 1, " \t"), *bar = strchr(host, '|'), *last = strrchr(host, '|');
    if (!bar || last == bar) return false;
    char *device = strchr(bar + 1, '|');
    mmperfmon_entry is = {.host = iol__arena_text(arena, host, (size_t)(bar - host))};
    if (device && device < last) is.device = iol__arena_text(arena, device + 1, (size_t)(last - device - 1));
    last[1 + strcspn(last + 1, " \t")] = 0;
    is.counter = iol__arena_copy(arena, last + 1);
    on->legend = iol__arena_grow(arena, on->legend, on->n_legend, sizeof is);
    on->legend[on->n_legend++] = is;
    return true;
}

static void take_mmperfmon_heading(mmperfmon_table *on, const char *line) {
    if (on->n_columns > 2) on->first += on->n_columns - 2;
    on->n_columns = 0;
    on->before = NAN;
    for (size_t at = 0; line[at] && on->n_columns < MOST_COLUMNS;) {
        at += strspn(line + at, " \t");
        size_t length = strcspn(line + at, " \t");
        if (!length) break;
        at += length;
        on->ends[on->n_columns++] = at;
    }
}

static char *mmperfmon_cut(iol__arena *arena, const char *line, size_t length, size_t from, size_t to) {
    if (to > length) to = length;
    while (from < to && isspace((unsigned char)line[from])) from++;
    while (to > from && isspace((unsigned char)line[to - 1])) to--;
    return iol__arena_text(arena, line + (from < to ? from : to), from < to ? to - from : 0);
}

/* "31371.0 MB" are bytes, and the counter says so. */
static iol__value *mmperfmon_value_of(iol__arena *arena, char *text, const char **counter) {
    static const struct {
        const char *unit;
        double bytes;
    } units[] = {{" MB", 1048576}, {" kB", 1024}};
    size_t length = strlen(text);
    for (size_t i = 0; i < 2; i++)
        if (length > 3 && strcmp(text + length - 3, units[i].unit) == 0) {
            *counter = iol__arena_print(arena, "%s_bytes", *counter);
            return iol__of_real(arena, strtod(text, NULL) * units[i].bytes);
        }
    return iol__value_of_text(arena, text);
}

static bool take_mmperfmon_row(iol__request *request, mmperfmon_table *on, const char *line, iol__value *into) {
    iol__arena *arena = request->arena;
    double when;
    size_t length = strlen(line);
    if (on->n_columns < 3 || !iol__parse_time(mmperfmon_cut(arena, line, length, on->ends[0], on->ends[1]), &when))
        return false;
    on->before = when = iol__time_after(on->before, when);
    if (request->ranged && (when < (double)request->start || when >= (double)request->end)) return true;
    iol__value *hosts = iol__map_open(arena, into, iol__arena_print(arena, "%.0f", when), IOL__MAP);
    for (size_t i = 2; i < on->n_columns && on->first + i - 2 < on->n_legend; i++) {
        const mmperfmon_entry *is = &on->legend[on->first + i - 2];
        char *text = mmperfmon_cut(arena, line, length, on->ends[i - 1], on->ends[i]);
        if (!*text || strcmp(text, "null") == 0) continue;
        const char *counter = is->counter;
        iol__value *value = mmperfmon_value_of(arena, text, &counter),
                   *host = iol__map_open(arena, hosts, is->host, IOL__MAP);
        if (is->device) host = iol__map_open(arena, host, counter, IOL__MAP);
        iol__map_put(arena, host, is->device ? is->device : counter, value);
    }
    return true;
}

static iol_status take_mmperfmon_text(iol__request *request, iol__feed *feed, iol__value *into) {
    mmperfmon_table *on = iol__arena_alloc(request->arena, 1, sizeof *on);
    iol__lines lines = {feed->bytes, feed->bytes + feed->length};
    bool legend = false;
    for (char *line; (line = iol__next_line(&lines));) {
        if (strncmp(line, "Legend:", 7) == 0) {
            on->n_legend = on->first = on->n_columns = 0;
            on->legend = NULL;
            legend = true;
            request->understood++;
        } else if (strncmp(line, "Row", 3) == 0) {
            take_mmperfmon_heading(on, line);
            request->understood += on->n_columns > 2;
            legend = false;
        } else if (line[strspn(line, " \t")] &&
                   !(legend ? take_legend(request->arena, on, line) : take_mmperfmon_row(request, on, line, into))) {
            request->skipped++;
        }
    }
    return IOL_OK;
}

/* Views ---------------------------------------------------------------------------------------------------------- */

static void put_cells(iol__arena *arena, iol__value *row, const char *name, iol__value *value) {
    if (value->kind != IOL__MAP) {
        iol__map_put(arena, row, name, value);
        return;
    }
    for (size_t i = 0; i < value->count; i++)
        iol__map_put(arena, row, iol__arena_print(arena, "%s:%s", name, value->keys[i]), value->items[i]);
}

static iol__value *mmperfmon_view(iol__request *request, const iol__value *all) {
    iol__arena *arena = request->arena;
    iol__value *rows = iol__value_new(arena, IOL__LIST);
    size_t *order = iol__map_order(arena, all);
    for (size_t i = 0; i < all->count; i++) {
        const iol__value *hosts = all->items[order[i]];
        iol__value *row = iol__value_new(arena, IOL__MAP);
        char when[32];
        iol__format_time(strtoll(all->keys[order[i]], NULL, 10), when);
        iol__map_put_text(arena, row, "timestamp", when);
        for (size_t k = 0; k < hosts->count; k++) {
            const iol__value *host = hosts->items[k];
            if (request->host && strcmp(hosts->keys[k], request->host) != 0) continue;
            for (size_t c = 0; c < host->count; c++)
                if (!request->metric)
                    put_cells(arena, row, host->keys[c], host->items[c]);
                else if (strcmp(host->keys[c], request->metric) == 0)
                    put_cells(arena, row, hosts->keys[k], host->items[c]);
        }
        iol__list_add(arena, rows, row);
    }
    return rows;
}

iol_status iol__read_mmperfmon(iol__request *request, iol__value **out) {
    iol_status status = iol__request_each(request, take_mmperfmon_text, out);
    if (status == IOL_OK) status = iol__expect_form(request, "a table of 'mmperfmon query'");
    if (status == IOL_OK && (request->host || request->metric)) *out = mmperfmon_view(request, *out);
    return status;
}
