/* SVG by hand: no library is smaller than what is needed. */
#include "site/analyze/svg.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/count.h"

void iol__svg_begin(iol__out *out, double width, double height) {
    iol__out_printf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
        "font-family=\"Helvetica, Arial, sans-serif\">\n",
        width, height, width, height);
    iol__out_text(
        out,
        "<style>.paper{fill:#fff}.ink{fill:#222}.faint{fill:#666}.line{stroke:#444;fill:none}.missing{fill:#d8d2c4}"
        ".series{stroke:#853692;fill:none}"
        "@media (prefers-color-scheme:dark){.paper{fill:#16181d}.ink{fill:#e8e8e8}.faint{fill:#a0a0a0}"
        ".line{stroke:#999}.missing{fill:#4a4438}.series{stroke:#c98fd6}}</style>\n");
    iol__out_printf(out, "<rect class=\"paper\" width=\"%.0f\" height=\"%.0f\"/>\n", width, height);
}

void iol__svg_end(iol__out *out) { iol__out_text(out, "</svg>\n"); }

static void escaped(iol__out *out, const char *text) {
    for (; *text; text++)
        if (*text == '<')
            iol__out_text(out, "&lt;");
        else if (*text == '&')
            iol__out_text(out, "&amp;");
        else if ((unsigned char)*text >= ' ')
            iol__out_char(out, *text);
}

void iol__svg_text(iol__out *out, double x, double y, const char *anchor, double size, const char *text) {
    iol__out_printf(out, "<text class=\"ink\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%.1f\">", x, y,
                    anchor, size);
    escaped(out, text);
    iol__out_text(out, "</text>\n");
}

/* In local wall-clock time: clocks that go forward or back leave labels round. */
static bool svg_tick_of(const struct tm *midnight, int64_t seconds, const char *form, iol__svg_tick *tick) {
    struct tm tm = *midnight;
    tm.tm_mday += (int)(seconds / 86400);
    tm.tm_hour = (int)(seconds % 86400 / 3600);
    tm.tm_min = (int)(seconds % 3600 / 60);
    tm.tm_sec = (int)(seconds % 60);
    tm.tm_isdst = -1;
    tick->time = (int64_t)mktime(&tm);
    return strftime(tick->text, sizeof tick->text, form, &tm) > 0;
}

size_t iol__svg_ticks(int64_t first, int64_t last, iol__svg_tick ticks[IOL__SVG_TICKS]) {
    enum { MINUTE = 60, HOUR = 3600, DAY = 86400 };
    static const int steps[] = {1,          2,          5,           10,          15,          30,      MINUTE,
                                2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR,    2 * HOUR,
                                3 * HOUR,   6 * HOUR,   12 * HOUR,   DAY,         2 * DAY,     7 * DAY, 14 * DAY,
                                28 * DAY,   56 * DAY,   112 * DAY,   365 * DAY};
    size_t i = 0, count = 0, n = IOL_COUNT(steps);
    while (i + 1 < n && (last - first) / steps[i] >= IOL__SVG_TICKS - 1) i++;
    const char *form = steps[i] < MINUTE      ? "%H:%M:%S"
                       : steps[i] < DAY       ? "%H:%M"
                       : steps[i] < 365 * DAY ? "%b %d"
                                              : "%Y";
    time_t begin = (time_t)first;
    struct tm midnight;
    if (last < first || !localtime_r(&begin, &midnight)) return 0;
    int64_t at = (midnight.tm_hour * HOUR + midnight.tm_min * MINUTE + midnight.tm_sec) / steps[i] * steps[i];
    midnight.tm_hour = midnight.tm_min = midnight.tm_sec = 0;
    for (; count < IOL__SVG_TICKS; at += steps[i]) {
        if (!svg_tick_of(&midnight, at, form, &ticks[count]) || ticks[count].time > last) break;
        if (ticks[count].time >= first) count++;
    }
    return count;
}

void iol__svg_days(int64_t first, int64_t last, char text[64]) {
    time_t begin = (time_t)first, end = (time_t)last;
    struct tm from, to;
    char start[32] = "?", stop[32] = "?";
    if (localtime_r(&begin, &from)) strftime(start, sizeof start, "%Y-%m-%d", &from);
    if (localtime_r(&end, &to)) strftime(stop, sizeof stop, "%Y-%m-%d", &to);
    if (strcmp(start, stop) == 0)
        snprintf(text, 64, "%s", start);
    else
        snprintf(text, 64, "%s to %s", start, stop);
}
