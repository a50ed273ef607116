/* The picture of UMAMI: one strip per metric, the series on the left, the box on the right, on a common axis. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "site/analyze/svg.h"
#include "site/analyze/umami.h"
#include "text/number.h"

enum { LEFT = 140, SERIES = 440, BOX = 110, STRIP = 90, TOP = 10, WRAP = 15 };

typedef struct strip {
    iol__out *out;
    const iol__umami *umami;
    const iol__umami_metric *is;
    double top, least, most, first, last;
} strip;

static double x_of(const strip *on, double time) {
    double range = on->last - on->first;
    return LEFT + SERIES * (range > 0 ? 0.03 + 0.94 * (time - on->first) / range : 0.5);
}

static double y_of(const strip *on, double value) {
    double range = on->most - on->least;
    return on->top + STRIP - STRIP * (range > 0 ? (value - on->least + 0.1 * range) / (1.2 * range) : 0.5);
}

static void label(const strip *on) {
    const char *text = on->is->label;
    char line[64];
    size_t used = 0, number = 0;
    double y = on->top + STRIP / 2.0 - 8;
    while (*text) {
        size_t word = strcspn(text, " ");
        if (used && used + 1 + word > WRAP) {
            iol__svg_text(on->out, LEFT - 40, y + 12.0 * (double)number++, "end", 10, line);
            used = 0;
        }
        used += (size_t)snprintf(line + used, sizeof line - used, "%s%.*s", used ? " " : "", (int)word, text);
        text += word + (text[word] == ' ');
    }
    iol__svg_text(on->out, LEFT - 40, y + 12.0 * (double)number, "end", 10, line);
    char value[IOL_HUMAN];
    iol__svg_text(on->out, LEFT - 4, y_of(on, on->most) + 4, "end", 9, iol__human_number(value, on->most));
    iol__svg_text(on->out, LEFT - 4, y_of(on, on->least) + 2, "end", 9, iol__human_number(value, on->least));
}

static void series(const strip *on) {
    const iol__umami *umami = on->umami;
    double before = NAN;
    for (size_t i = 0; i < umami->count; i++) {
        double value = on->is->values[i], x = x_of(on, umami->times[i]), y = y_of(on, value);
        if (isnan(value)) continue;
        bool marked = i == umami->highlighted;
        if (!isnan(before))
            iol__out_printf(on->out,
                            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s=\"%s\" stroke-width=\"%s\"/>\n",
                            x_of(on, umami->times[(size_t)before]), y_of(on, on->is->values[(size_t)before]), x, y,
                            marked ? "stroke" : "class", marked ? on->is->colour : "series", marked ? "4" : "1.2");
        iol__out_printf(on->out, "<path class=\"series\" d=\"M%.1f %.1fl6 6m0 -6l-6 6\"/>\n", x - 3, y - 3);
        before = (double)i;
    }
    double value = on->is->values[umami->highlighted];
    if (isnan(value)) return;
    iol__out_printf(on->out,
                    "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" font-size=\"20\" fill=\"%s\">★</text>\n",
                    x_of(on, umami->times[umami->highlighted]), y_of(on, value) + 7, on->is->colour);
    iol__out_printf(on->out,
                    "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"2\" "
                    "stroke-dasharray=\"5 3\"/>\n",
                    LEFT + SERIES, y_of(on, value), LEFT + SERIES + BOX, y_of(on, value), on->is->colour);
}

static void box(const strip *on) {
    const iol__umami_metric *is = on->is;
    double x = LEFT + SERIES + BOX / 2.0;
    iol__out_printf(
        on->out, "<path class=\"line\" d=\"M%.1f %.1fV%.1fM%.1f %.1fV%.1fM%.1f %.1fh20M%.1f %.1fh20M%.1f %.1fh40\"/>\n",
        x, y_of(on, is->low), y_of(on, is->q1), x, y_of(on, is->q3), y_of(on, is->high), x - 10, y_of(on, is->low),
        x - 10, y_of(on, is->high), x - 20, y_of(on, is->median));
    iol__out_printf(on->out, "<rect class=\"line\" x=\"%.1f\" y=\"%.1f\" width=\"40\" height=\"%.1f\"/>\n", x - 20,
                    y_of(on, is->q3), y_of(on, is->q1) - y_of(on, is->q3));
    for (size_t i = 0; i < is->n_beyond; i++)
        iol__out_printf(on->out, "<circle class=\"line\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>\n", x,
                        y_of(on, is->beyond[i]));
}

static void draw(strip *on) {
    on->least = INFINITY;
    on->most = -INFINITY;
    for (size_t i = 0; i < on->umami->count; i++)
        if (!isnan(on->is->values[i]))
            on->least = fmin(on->least, on->is->values[i]), on->most = fmax(on->most, on->is->values[i]);
    iol__out_printf(on->out, "<rect class=\"line\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>\n", LEFT, on->top,
                    SERIES, STRIP);
    iol__out_printf(on->out, "<rect class=\"line\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>\n", LEFT + SERIES,
                    on->top, BOX, STRIP);
    label(on);
    box(on);
    series(on);
}

static void dates(const strip *on, double height) {
    iol__svg_tick ticks[IOL__SVG_TICKS];
    size_t count = iol__svg_ticks(iol__whole(on->first), iol__whole(on->last), ticks);
    for (size_t i = 0; i < count; i++) {
        double x = x_of(on, (double)ticks[i].time);
        iol__out_printf(on->out, "<path class=\"line\" d=\"M%.1f %.1fv4\"/>\n", x, height - 24);
        iol__svg_text(on->out, x, height - 8, "middle", 10, ticks[i].text);
    }
}

void iol__umami_svg(iol__out *out, const iol__umami *umami) {
    double first = INFINITY, last = -INFINITY, height = TOP + STRIP * (double)umami->n_metrics + 24;
    for (size_t i = 0; i < umami->count; i++)
        if (!isnan(umami->times[i])) first = fmin(first, umami->times[i]), last = fmax(last, umami->times[i]);
    iol__svg_begin(out, LEFT + SERIES + BOX + 10, height);
    strip on = {.out = out, .umami = umami, .first = first, .last = last};
    for (size_t i = 0; i < umami->n_metrics; i++) {
        on.is = &umami->metrics[i];
        on.top = TOP + STRIP * (double)i;
        draw(&on);
    }
    if (last >= first) dates(&on, height);
    iol__svg_end(out);
}
