/* The picture of volumes: a bar per day, week or month, reads above the line, writes below it, systems upon each other. */
#include <math.h>
#include <string.h>

#include "base/count.h"
#include "site/analyze/svg.h"
#include "site/analyze/weeks.h"
#include "text/number.h"

static const char *const colours[] = {"#2C69A9", "#40A43A", "#FD6A07", "#853692", "#DA0017", "#888888"};
enum { N_COLOURS = IOL_COUNT(colours) };

enum { LEFT = 84, TOP = 40, HEIGHT = 150, MOST_BINS = 4000 };
static const char *const directions[] = {"read_bytes", "written_bytes"};

/* Labels of all bins from the first to the last that any system has: what lies between is a gap, and shown as one. */
static iol__value *labels_of(iol__arena *arena, const iol__value *weeks, int64_t start, int64_t end, iol__span span) {
    iol__value *there = iol__value_new(arena, IOL__MAP), *all = iol__value_new(arena, IOL__LIST);
    size_t last = 0;
    for (size_t i = 0; i < weeks->count; i++) {
        const iol__value *bins = iol__map_get(weeks->items[i], "bins");
        for (size_t k = 0; k < bins->count; k++) iol__map_put_integer(arena, there, bins->keys[k], 1);
    }
    int64_t day = iol__midnight(start, 0);
    for (int i = 1; day < end && all->count < MOST_BINS; day = iol__midnight(start, i++)) {
        const char *label = iol__span_label(arena, span, day);
        bool again = all->count && strcmp(all->items[all->count - 1]->text, label) == 0;
        bool has = iol__map_get(there, label) != NULL;
        if (again || (!has && !all->count)) continue;
        iol__list_add(arena, all, iol__of_text(arena, label));
        if (has) last = all->count;
    }
    all->count = last;
    return all;
}

static double weeks_svg_bytes_of(const iol__value *system, const char *label, size_t direction) {
    const iol__value *bin = iol__map_get(iol__map_get(system, "bins"), label);
    return fmax(0, iol__map_number(bin, directions[direction]));
}

static double most_of(const iol__value *weeks, const iol__value *labels) {
    double most = 0;
    for (size_t b = 0; b < labels->count; b++)
        for (size_t direction = 0; direction < 2; direction++) {
            double sum = 0;
            for (size_t i = 0; i < weeks->count; i++)
                sum += weeks_svg_bytes_of(weeks->items[i], labels->items[b]->text, direction);
            most = fmax(most, sum);
        }
    return most;
}

static void draw_bin(iol__out *out, const iol__value *weeks, const char *label, double x, double width, double most) {
    double heights[2] = {0, 0}, line = TOP + HEIGHT;
    for (size_t i = 0; i < weeks->count; i++)
        for (size_t direction = 0; direction < 2; direction++) {
            double high = most > 0 ? weeks_svg_bytes_of(weeks->items[i], label, direction) / most * HEIGHT : 0;
            double y = direction ? line + heights[1] : line - heights[0] - high;
            if (high > 0)
                iol__out_printf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", x, y,
                                width, high, colours[i % N_COLOURS]);
            heights[direction] += high;
        }
}

static void draw_frame(iol__out *out, double right, double most) {
    const struct {
        double y;
        double bytes;
    } marks[] = {{TOP, most},
                 {TOP + HEIGHT / 2.0, most / 2},
                 {TOP + HEIGHT, 0},
                 {TOP + 1.5 * HEIGHT, most / 2},
                 {TOP + 2.0 * HEIGHT, most}};
    char value[IOL_HUMAN];
    for (size_t i = 0; i < IOL_COUNT(marks); i++) {
        iol__out_printf(out, "<path class=\"line\" d=\"M%d %.1fh-4\"/>\n", LEFT, marks[i].y);
        iol__svg_text(out, LEFT - 7, marks[i].y + 4, "end", 10, iol__human_bytes(value, marks[i].bytes));
    }
    iol__out_printf(out, "<rect class=\"line\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n", LEFT, TOP,
                    right - LEFT, 2 * HEIGHT);
    iol__out_printf(out, "<path class=\"line\" d=\"M%d %dH%.1f\"/>\n", LEFT, TOP + HEIGHT, right);
}

void iol__weeks_svg(iol__out *out, iol__arena *arena, const iol__value *weeks, int64_t start, int64_t end,
                    iol__span span) {
    const iol__value *labels = labels_of(arena, weeks, start, end, span);
    double most = most_of(weeks, labels), bins = labels->count ? (double)labels->count : 1;
    double step = fmax(6, fmin(80, 640.0 / bins)), right = LEFT + fmax(280, step * bins);
    iol__svg_begin(out, right + 20, 2 * HEIGHT + TOP + 50);
    iol__svg_text(out, LEFT, 22, "start", 13, "Bytes read (above) and written (below)");
    size_t every = (size_t)ceil(66 / step);
    for (size_t b = 0; b < labels->count; b++) {
        double x = LEFT + step * (double)b;
        draw_bin(out, weeks, labels->items[b]->text, x + 0.05 * step, 0.9 * step, most);
        if (b % every == 0)
            iol__svg_text(out, x + step / 2, 2 * HEIGHT + TOP + 16, b || step > 60 ? "middle" : "start", 10,
                          labels->items[b]->text);
    }
    draw_frame(out, right, most);
    for (size_t i = 0; i < weeks->count && i < N_COLOURS; i++) {
        double x = LEFT + 100.0 * (double)i;
        iol__out_printf(out, "<rect x=\"%.1f\" y=\"%d\" width=\"10\" height=\"10\" fill=\"%s\"/>\n", x,
                        2 * HEIGHT + TOP + 28, colours[i]);
        iol__svg_text(out, x + 14, 2 * HEIGHT + TOP + 37, "start", 11, weeks->keys[i]);
    }
    iol__svg_end(out);
}
