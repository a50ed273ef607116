/* The picture of occupancy: for OSTs, and below for servers, bars of how many records were on each and boxes of how long
   these took. */
#include <math.h>
#include <stdio.h>

#include "site/analyze/occupancy.h"
#include "site/analyze/svg.h"
#include "text/number.h"

enum {
    LEFT = 64,
    WIDTH = 720,
    TOP = 26,
    BARS = 70,
    GAP = 14,
    BOXES = 150,
    LABELS = 60,
    PANEL = TOP + BARS + GAP + BOXES + LABELS
};

typedef struct panel {
    iol__out *out;
    const iol__busy *groups;
    size_t count;
    double top, most, longest;
} panel;

static double middle(const panel *on, size_t i) { return LEFT + WIDTH * ((double)i + 0.5) / (double)on->count; }
static double half(const panel *on) { return fmin(12, 0.35 * WIDTH / (double)on->count); }

static double y_of(const panel *on, double time) {
    return on->top + TOP + BARS + GAP + BOXES * (1 - (on->longest > 0 ? time / (1.05 * on->longest) : 0));
}

static const char *occupancy_svg_colour_of(const iol__busy *is) {
    return is->slow ? "#DA0017" : is->overloaded ? "#FD6A07" : "#2C69A9";
}

static void occupancy_svg_bar(const panel *on, size_t i) {
    double height = on->most > 0 ? BARS * (double)on->groups[i].count / on->most : 0;
    iol__out_printf(on->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n",
                    middle(on, i) - half(on), on->top + TOP + BARS - height, 2 * half(on), height,
                    occupancy_svg_colour_of(&on->groups[i]));
}

static void occupancy_svg_box(const panel *on, size_t i) {
    const iol__five *five = &on->groups[i].five;
    const char *colour = occupancy_svg_colour_of(&on->groups[i]);
    double x = middle(on, i), w = half(on);
    iol__out_printf(on->out, "<path stroke=\"%s\" fill=\"none\" d=\"M%.1f %.1fV%.1fM%.1f %.1fV%.1f\"/>\n", colour, x,
                    y_of(on, five->min), y_of(on, five->q1), x, y_of(on, five->q3), y_of(on, five->max));
    iol__out_printf(on->out,
                    "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" stroke=\"%s\" fill=\"%s\" "
                    "fill-opacity=\"0.25\"/>\n",
                    x - w, y_of(on, five->q3), 2 * w, fmax(0.5, y_of(on, five->q1) - y_of(on, five->q3)), colour,
                    colour);
    iol__out_printf(on->out, "<path stroke=\"%s\" stroke-width=\"2\" d=\"M%.1f %.1fh%.1f\"/>\n", colour, x - w,
                    y_of(on, five->median), 2 * w);
}

/* Names stand upright where they are long, and some are left out where there are many. */
static void names(const panel *on) {
    size_t every = 1 + on->count / 60;
    double y = on->top + TOP + BARS + GAP + BOXES + 8;
    for (size_t i = 0; i < on->count; i += every) {
        iol__out_printf(on->out, "<g transform=\"rotate(-60 %.1f %.1f)\">", middle(on, i) + 3, y);
        iol__svg_text(on->out, middle(on, i) + 3, y, "end", 8.5, on->groups[i].name);
        iol__out_text(on->out, "</g>\n");
    }
}

static void frames(const panel *on, const char *heading) {
    char text[64], value[IOL_HUMAN];
    double below = on->top + TOP + BARS + GAP;
    iol__svg_text(on->out, LEFT, on->top + 14, "start", 12, heading);
    iol__out_printf(on->out, "<rect class=\"line\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>\n", LEFT,
                    on->top + TOP, WIDTH, BARS);
    iol__out_printf(on->out, "<rect class=\"line\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>\n", LEFT, below,
                    WIDTH, BOXES);
    iol__svg_text(on->out, LEFT - 4, on->top + TOP + 9, "end", 10, iol__human_number(value, on->most));
    iol__svg_text(on->out, LEFT - 4, on->top + TOP + BARS, "end", 10, "0");
    for (int i = 0; i <= 2; i++) {
        double time = on->longest * i / 2;
        snprintf(text, sizeof text, "%s", iol__human_seconds(value, time));
        iol__svg_text(on->out, LEFT - 4, y_of(on, time) + 3, "end", 10, text);
    }
}

static void occupancy_svg_draw(panel *on, const char *heading) {
    for (size_t i = 0; i < on->count; i++) {
        on->most = fmax(on->most, (double)on->groups[i].count);
        on->longest = fmax(on->longest, on->groups[i].five.max);
    }
    frames(on, heading);
    for (size_t i = 0; i < on->count; i++) occupancy_svg_bar(on, i), occupancy_svg_box(on, i);
    names(on);
}

void iol__occupancy_svg(iol__out *out, const iol__occupancy *is) {
    double height = PANEL * (is->n_servers ? 2 : 1) + 24;
    iol__svg_begin(out, LEFT + WIDTH + 16, height);
    panel osts = {.out = out, .groups = is->osts, .count = is->n_osts};
    occupancy_svg_draw(&osts, "Records on each OST, and how long they took (minimum, quartiles, maximum)");
    if (is->n_servers) {
        panel servers = {.out = out, .groups = is->servers, .count = is->n_servers, .top = PANEL};
        occupancy_svg_draw(&servers, "The same by server");
    }
    iol__out_printf(out, "<rect x=\"%d\" y=\"%.1f\" width=\"10\" height=\"10\" fill=\"#DA0017\"/>\n", LEFT,
                    height - 16);
    iol__svg_text(out, LEFT + 14, height - 7, "start", 10, "slow: its median is far beyond what others need");
    iol__out_printf(out, "<rect x=\"%d\" y=\"%.1f\" width=\"10\" height=\"10\" fill=\"#FD6A07\"/>\n", LEFT + 300,
                    height - 16);
    iol__svg_text(out, LEFT + 314, height - 7, "start", 10, "holds more OSTs than other servers");
    iol__svg_end(out);
}
