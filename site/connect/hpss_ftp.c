/* The FTP log of an HPSS archive: what was stored (LH) and retrieved (HL), by plain and parallel FTP. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/count.h"
#include "site/connect/connect.h"

enum { FIELDS = 24 };

static const struct {
    const char *command, *operation;
    bool parallel;
} commands[] = {{"STOR_Cmd", "LH", false}, {"PSTO_Cmd", "LH", true}, {"LFSTO_Cmd", "LH", true},
                {"RETR_Cmd", "HL", false}, {"PRTR_Cmd", "HL", true}, {"LFRTR_Cmd", "HL", true}};

/* How fine a number is printed: 0.010 to 0.001. */
static double hpss_ftp_resolution(const char *text) {
    static const double steps[] = {1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
    const char *dot = strchr(text, '.');
    size_t digits = dot ? strlen(dot + 1) : 0;
    return steps[digits < 6 ? digits : 6];
}

static bool hpss_ftp_when(char *fields[], double *seconds) {
    char text[64];
    struct tm tm = {.tm_isdst = -1};
    snprintf(text, sizeof text, "%.3s %.2s %.8s %.4s", fields[1], fields[2], fields[3], fields[4]);
    if (!strptime(text, "%b %d %H:%M:%S %Y", &tm)) return false;
    *seconds = (double)mktime(&tm);
    return true;
}

static bool take_hpss_ftp_line(iol__request *request, char *line, iol__value *into) {
    char *fields[FIELDS], *end;
    double seconds;
    if (iol__split(line, fields, FIELDS) < 15 || !hpss_ftp_when(fields, &seconds)) return false;
    double duration = strtod(fields[5], &end);
    if (*end) return false;
    for (size_t i = 0; i < IOL_COUNT(commands); i++) {
        if (strcmp(fields[11], commands[i].command) != 0) continue;
        iol__arena *arena = request->arena;
        iol__value *row = iol__value_new(arena, IOL__MAP);
        iol__map_put_integer(arena, row, "bytes", strtoll(fields[7], NULL, 10));
        iol__map_put_real(arena, row, "duration_sec", duration);
        iol__map_put_real(arena, row, "duration_sec_resolution", hpss_ftp_resolution(fields[5]));
        iol__map_put_real(arena, row, "end_timestamp", seconds);
        iol__map_put_text(arena, row, "hpss_path", fields[8]);
        iol__map_put_text(arena, row, "hpss_uid", fields[14]);
        iol__map_put_text(arena, row, "opname", commands[i].operation);
        iol__map_put_text(arena, row, "remote_host", fields[6]);
        iol__list_add(arena, iol__map_open(arena, into, commands[i].parallel ? "pftp" : "ftp", IOL__LIST), row);
        return true;
    }
    return false;
}

static iol_status take_hpss_ftp_text(iol__request *request, iol__feed *feed, iol__value *into) {
    iol__lines lines = {feed->bytes, feed->bytes + feed->length};
    for (char *line; (line = iol__next_line(&lines));) {
        bool taken = take_hpss_ftp_line(request, line, into);
        request->understood += taken;
        request->skipped += !taken;
    }
    return IOL_OK;
}

iol_status iol__read_hpss_ftp(iol__request *request, iol__value **out) {
    iol_status status = iol__request_each(request, take_hpss_ftp_text, out);
    return status == IOL_OK ? iol__expect_form(request, "lines of an HPSS archive's FTP log") : status;
}
