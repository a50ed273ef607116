/* Influx' line protocol, as telegraf writes it: "measurement,tag=value field=1i,field=2.5 nanoseconds". Gives one row per
   line with tags and fields as columns, and its time in seconds. */
#include <stdlib.h>
#include <string.h>

#include "site/connect/connect.h"

/* Up to one of these characters that has no backslash before it and is not inside quotes; the text is unescaped. */
static char *take_influx_part(iol__arena *arena, const char **at, const char *ends, bool quotes) {
    const char *from = *at;
    char *part = iol__arena_alloc(arena, strlen(from) + 1, 1), *to = part;
    bool quoted = false;
    for (; *from && (quoted || !strchr(ends, *from)); from++) {
        if (*from == '\\' && from[1])
            from++;
        else if (quotes && *from == '"')
            quoted = !quoted;
        *to++ = *from;
    }
    *to = 0;
    *at = from;
    return part;
}

/* 1i, 2.5, t, "text" */
static iol__value *influx_field_value(iol__arena *arena, char *text) {
    size_t length = strlen(text);
    char *end;
    if (length >= 2 && *text == '"') return iol__of_text(arena, iol__arena_text(arena, text + 1, length - 2));
    if (length > 1 && strchr("iu", text[length - 1])) {
        long long whole = strtoll(text, &end, 10);
        if (end == text + length - 1) return iol__of_integer(arena, whole);
    }
    double number = strtod(text, &end);
    if (length && !*end) return iol__of_real(arena, number);
    if (strchr("tT", *text)) return iol__of_flag(arena, true);
    return strchr("fF", *text) ? iol__of_flag(arena, false) : NULL;
}

static bool take_influx_line(iol__request *request, const char *at, iol__value *rows) {
    iol__arena *arena = request->arena;
    iol__value *row = iol__value_new(arena, IOL__MAP);
    iol__map_put_text(arena, row, "measurement", take_influx_part(arena, &at, ", ", false));
    while (*at == ',') {
        at++;
        const char *tag = take_influx_part(arena, &at, "=, ", false);
        if (*at++ != '=') return false;
        iol__map_put_text(arena, row, tag, take_influx_part(arena, &at, ", ", false));
    }
    if (*at != ' ') return false;
    do {
        at++;
        const char *name = take_influx_part(arena, &at, "=, ", false);
        if (*at++ != '=') return false;
        iol__value *value = influx_field_value(arena, take_influx_part(arena, &at, ", ", true));
        if (!value) return false;
        iol__map_put(arena, row, name, value);
    } while (*at == ',');
    at += strspn(at, " ");
    char *end;
    long long time = strtoll(at, &end, 10);
    if (*at && !end[strspn(end, " \r")]) {
        if (time % 1000000000)
            iol__map_put_real(arena, row, "time", (double)time / 1e9);
        else
            iol__map_put_integer(arena, row, "time", time / 1000000000);
    }
    iol__list_add(arena, rows, row);
    return true;
}

iol_status iol__read_influx(iol__request *request, iol__value **out) {
    iol__feed feed;
    iol_status status = request->n_paths ? IOL_OK : iol__refuse(request, IOL_INVALID, "an input file is missing");
    *out = iol__value_new(request->arena, IOL__LIST);
    for (size_t i = 0; i < request->n_paths && status == IOL_OK; i++) {
        status = iol__request_feed(request, i, &feed);
        if (status != IOL_OK) break;
        iol__value *cached = iol__request_json(request, &feed);
        iol__lines lines = {feed.bytes, feed.bytes + feed.length};
        if (cached && cached->kind == IOL__LIST) {
            *out = cached;
            request->understood++;
        } else if (*request->why) {
            status = IOL_DAMAGED;
        } else {
            for (char *line; (line = iol__next_line(&lines));) {
                if (!*line || *line == '#') continue;
                bool taken = take_influx_line(request, line, *out);
                request->understood += taken;
                request->skipped += !taken;
            }
        }
        iol__feed_close(&feed);
    }
    return status == IOL_OK ? iol__expect_form(request, "lines of Influx' protocol") : status;
}
