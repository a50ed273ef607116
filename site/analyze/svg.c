/* SVG by hand: no library is smaller than what is needed. */
#include "site/analyze/svg.h"

#include <stdio.h>
#include <time.h>

void iol__svg_begin(iol__out *out, double width, double height) {
    iol__out_printf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
        "font-family=\"Helvetica, Arial, sans-serif\">\n",
        width, height, width, height);
    iol__out_text(
        out,
        "<style>.paper{fill:#fff}.ink{fill:#222}.faint{fill:#666}.line{stroke:#444;fill:none}.missing{fill:#d8d2c4}"
        "@media (prefers-color-scheme:dark){.paper{fill:#16181d}.ink{fill:#e8e8e8}.faint{fill:#a0a0a0}"
        ".line{stroke:#999}.missing{fill:#4a4438}}</style>\n");
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

void iol__svg_date(int64_t seconds, int64_t range, char text[32]) {
    time_t when = (time_t)seconds;
    struct tm tm;
    if (!localtime_r(&when, &tm) || strftime(text, 32, range > 172800 ? "%b %d" : "%H:%M", &tm) == 0)
        snprintf(text, 32, "?");
}
