/* The log of HSI and HTAR, the clients of an HPSS archive: what went in (LH), out (HL), inside (HH), was removed (FU) and
   renamed (FR). Nine fields between blanks, then fields between tabs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "site/connect/connect.h"

/* What a field behind the tabs is; "" fields are left out. */
typedef enum meaning { TEXT, INTEGER, REAL, RATE } meaning;
typedef struct hsi_column {
    const char *key;
    meaning is;
} hsi_column;

static const hsi_column hsi[] = {{"client_pid", INTEGER},      {"opname", TEXT},      {"return_code", INTEGER},
                                 {"access_latency_sec", REAL}, {"bytes", INTEGER},    {"bytes_sec", RATE},
                                 {"cos_id", INTEGER},          {"source_path", TEXT}, {"dest_path", TEXT},
                                 {"account_id", INTEGER},      {NULL, TEXT}};
static const hsi_column htar[] = {{"client_pid", INTEGER},  {"htar_op", TEXT},       {"opname", TEXT},
                                  {"return_code", INTEGER}, {"bytes", INTEGER},      {"duration_sec", REAL},
                                  {"bytes_sec", RATE},      {"hpss_path", TEXT},     {"ftp_host", TEXT},
                                  {"cos_id", INTEGER},      {"account_id", INTEGER}, {NULL, TEXT}};

/* How fine a number is printed: 0.010 to 0.001. */
static double hsi_resolution(const char *text) {
    double step = 1;
    const char *dot = strchr(text, '.');
    for (size_t digits = dot ? strlen(dot + 1) : 0; digits && step > 1e-9; digits--) step /= 10;
    return step;
}

static void put_hsi_field(iol__arena *arena, iol__value *row, const hsi_column *to, const char *text) {
    char *end;
    if (!*text) return;
    double scale = to->is == RATE ? 1000 : 1, number = strtod(text, &end);
    bool good = end != text && !*end;
    if (to->is == INTEGER && good) {
        iol__map_put_integer(arena, row, to->key, strtoll(text, NULL, 10));
    } else if ((to->is == REAL || to->is == RATE) && good) {
        iol__map_put_real(arena, row, to->key, number * scale);
        iol__map_put_real(arena, row, iol__arena_print(arena, "%s_resolution", to->key), hsi_resolution(text) * scale);
    } else {
        iol__map_put_text(arena, row, to->key, text);
    }
}

static bool take_hsi_line(iol__request *request, char *line, iol__value *into) {
    iol__arena *arena = request->arena;
    struct tm tm = {.tm_isdst = -1};
    char *tabs = strchr(line, '\t'), *fields[10];
    if (!tabs) return false;
    /* The ninth field is the first of those between tabs. */
    char *last = tabs;
    while (last > line && last[-1] != ' ') last--;
    if (last == line) return false;
    last[-1] = 0;
    char *date = iol__arena_copy(arena, line);
    if (iol__split(line, fields, 10) != 8) return false;
    if (!strptime(date, "%a %b %d %H:%M:%S %Y", &tm)) return false;
    bool tar = strcmp(fields[6], "htar") == 0;
    if (!tar && strcmp(fields[6], "hsi") != 0) return false;
    iol__value *row = iol__value_new(arena, IOL__MAP);
    iol__map_put_integer(arena, row, "end_timestamp", mktime(&tm));
    iol__map_put_text(arena, row, "remote_host", fields[5]);
    iol__map_put_integer(arena, row, "hpss_uid", strtoll(fields[7], NULL, 10));
    const hsi_column *to = tar ? htar : hsi;
    for (char *field; to->key && (field = strsep(&last, "\t")); to++) put_hsi_field(arena, row, to, field);
    iol__list_add(arena, iol__map_open(arena, into, tar ? "htar" : "hsi", IOL__LIST), row);
    return true;
}

static iol_status take_hsi_text(iol__request *request, iol__feed *feed, iol__value *into) {
    iol__lines lines = {feed->bytes, feed->bytes + feed->length};
    for (char *line; (line = iol__next_line(&lines));) {
        if (!*line) continue;
        bool taken = take_hsi_line(request, line, into);
        request->understood += taken;
        request->skipped += !taken;
    }
    return IOL_OK;
}

iol_status iol__read_hsi(iol__request *request, iol__value **out) {
    iol_status status = iol__request_each(request, take_hsi_text, out);
    return status == IOL_OK ? iol__expect_form(request, "lines of a log of HSI or HTAR") : status;
}
