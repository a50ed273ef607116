/* The picture of wear: how many devices were written how often per day, and how much more was written to their flash
   than the hosts wrote. */
#include <math.h>
#include <stdio.h>

#include "site/analyze/ssd.h"
#include "site/analyze/svg.h"
#include "text/number.h"

enum { BINS = 12, WIDTH = 300, HEIGHT = 150, LEFT = 50, TOP = 40, NEXT = 400 };

typedef struct histogram {
    double least, width; /* of the first bin, and of each */
    size_t counts[BINS], most, devices;
} histogram;

/* The smallest of 1, 2 and 5 times a power of ten that makes so few bins do. */
static double round_width(double range) {
    double power = pow(10, floor(log10(range / BINS)));
    for (int i = 0; i < 4; i++) {
        double width = power * (double[]){1, 2, 5, 10}[i];
        if (range / width <= BINS - 1) return width;
    }
    return power * 20;
}

static histogram ssd_svg_count(const iol__value *wear, const char *key) {
    histogram is = {0};
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < wear->count; i++) {
        double value = iol__map_number(wear->items[i], key);
        if (!isfinite(value)) continue;
        least = fmin(least, value);
        most = fmax(most, value);
        is.devices++;
    }
    if (!is.devices) return is;
    is.width = round_width(most > least ? most - least : fmax(fabs(most), 1));
    is.least = floor(least / is.width) * is.width;
    for (size_t i = 0; i < wear->count; i++) {
        double value = iol__map_number(wear->items[i], key);
        if (!isfinite(value)) continue;
        double bin = fmin(BINS - 1, fmax(0, floor((value - is.least) / is.width)));
        size_t n = ++is.counts[(size_t)bin];
        if (n > is.most) is.most = n;
    }
    return is;
}

static void ssd_svg_draw(iol__out *out, const histogram *is, double left, const char *title) {
    char text[64], value[IOL_HUMAN];
    const double step = (double)WIDTH / BINS;
    snprintf(text, sizeof text, "%s, %zu devices", title, is->devices);
    iol__svg_text(out, left, 22, "start", 13, text);
    for (size_t i = 0; i < BINS; i++) {
        double high = is->most ? (double)is->counts[i] / (double)is->most * HEIGHT : 0, x = left + step * (double)i;
        if (high > 0)
            iol__out_printf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#2C69A9\"/>\n",
                            x + 1, TOP + HEIGHT - high, step - 2, high);
        if (i % 3 == 0 && is->devices)
            iol__svg_text(out, x, TOP + HEIGHT + 16, "middle", 10,
                          iol__human_number(value, is->least + is->width * (double)i));
    }
    iol__out_printf(out, "<rect class=\"line\" x=\"%.1f\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", left, TOP, WIDTH,
                    HEIGHT);
    snprintf(text, sizeof text, "%zu", is->most);
    iol__svg_text(out, left - 6, TOP + 4, "end", 10, text);
    iol__svg_text(out, left - 6, TOP + HEIGHT, "end", 10, "0");
}

void iol__ssd_svg(iol__out *out, const iol__value *wear) {
    histogram writes = ssd_svg_count(wear, "drive_writes_per_day"),
              amplification = ssd_svg_count(wear, "write_amplification_factor");
    iol__svg_begin(out, LEFT + NEXT + WIDTH + 30, TOP + HEIGHT + 30);
    ssd_svg_draw(out, &writes, LEFT, "Drive writes per day");
    ssd_svg_draw(out, &amplification, LEFT + NEXT, "Write amplification");
    iol__svg_end(out);
}
