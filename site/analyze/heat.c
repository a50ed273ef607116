/* The heat map. Rows of time are brought to at most as many as there are pixels. */
#include "site/analyze/heat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "site/analyze/svg.h"
#include "text/number.h"

enum { WIDTH = 720, LEFT = 120, TOP = 34, MOST_CELLS = 600, SUM_HEIGHT = 90 };

typedef struct picture {
    iol__out *out;
    const iol__frame *frame;
    size_t *order; /* of components */
    size_t cells;  /* across */
    double row_height, most;
} picture;

static bool are_shares(const picture *is) { return strcmp(is->frame->units, "%") == 0; }

/* A value with its unit. */
static const char *heat_amount(const picture *is, double value, char text[48]) {
    const char *units = is->frame->units;
    char number[IOL_HUMAN];
    if (strcmp(units, "bytes/sec") == 0)
        snprintf(text, 48, "%s", iol__human_rate(number, value));
    else if (strcmp(units, "bytes") == 0)
        snprintf(text, 48, "%s", iol__human_bytes(number, value));
    else
        snprintf(text, 48, "%s%s%.12s", iol__human_number(number, value), *units && !are_shares(is) ? " " : "", units);
    return text;
}

/* A column of pixels: the mean of the rows that fall there; NAN if none was measured. */
static double heat_cell_of(const picture *is, size_t cell, size_t column) {
    size_t first = cell * is->frame->rows / is->cells, last = (cell + 1) * is->frame->rows / is->cells, n = 0;
    double sum = 0;
    for (size_t row = first; row < last; row++) {
        double value = *iol__frame_at(is->frame, row, column);
        if (isnan(value)) continue;
        sum += value;
        n++;
    }
    return n ? sum / (double)n : NAN;
}

/* From dark blue over green to yellow, which survives grey printing and most kinds of colour blindness. */
void iol__heat_colour(double share, uint8_t rgb[3]) {
    static const int stops[5][3] = {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}};
    double at = fmax(0, fmin(1, share)) * 4;
    int low = at >= 4 ? 3 : (int)at;
    for (int i = 0; i < 3; i++)
        rgb[i] = (uint8_t)lround(stops[low][i] + (stops[low + 1][i] - stops[low][i]) * (at - low));
}

static void heat_colour_of(double share, char text[8]) {
    uint8_t rgb[3];
    iol__heat_colour(share, rgb);
    snprintf(text, 8, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
}

typedef struct heat_spread {
    size_t column;
    double deviation;
} heat_spread;

static int by_deviation(const void *a, const void *b) {
    const heat_spread *x = a, *y = b;
    if (x->deviation != y->deviation) return x->deviation > y->deviation ? -1 : 1;
    return (x->column > y->column) - (x->column < y->column);
}

static void order_components(iol__arena *arena, picture *is, bool by_spread) {
    const iol__frame *frame = is->frame;
    heat_spread *spreads = iol__arena_alloc(arena, frame->columns + 1, sizeof *spreads);
    is->order = iol__arena_alloc(arena, frame->columns + 1, sizeof *is->order);
    for (size_t i = 0; i < frame->columns; i++) {
        double sum = 0, squares = 0, n = 0;
        for (size_t row = 0; row < frame->rows; row++) {
            double value = *iol__frame_at(frame, row, i);
            if (isnan(value)) continue;
            sum += value;
            squares += value * value;
            n++;
        }
        spreads[i] = (heat_spread){i, n > 1 ? (squares - sum * sum / n) / (n - 1) : -1};
    }
    if (by_spread) qsort(spreads, frame->columns, sizeof *spreads, by_deviation);
    for (size_t i = 0; i < frame->columns; i++) is->order[i] = spreads[i].column;
}

/* Equal neighbours are one rectangle, which keeps quiet days small. */
static void draw_component(const picture *is, size_t line) {
    double y = TOP + (double)line * is->row_height, step = (double)WIDTH / (double)is->cells;
    char colour[8], last[8] = "";
    size_t from = 0;
    for (size_t cell = 0; cell <= is->cells; cell++) {
        double value = cell < is->cells ? heat_cell_of(is, cell, is->order[line]) : NAN;
        if (cell == is->cells)
            colour[0] = 0;
        else if (isnan(value))
            strcpy(colour, "?");
        else
            heat_colour_of(is->most > 0 ? value / is->most : 0, colour);
        if (cell && strcmp(colour, last) != 0) {
            iol__out_printf(is->out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" ",
                            LEFT + (double)from * step, y, (double)(cell - from) * step + 0.05, is->row_height + 0.05);
            iol__out_printf(is->out, *last == '?' ? "class=\"missing\"/>\n" : "fill=\"%s\"/>\n", last);
            from = cell;
        }
        memcpy(last, colour, sizeof last);
    }
}

/* Amounts of components add up, shares of time do not. */
static double heat_together(const picture *is, size_t cell) {
    double sum = 0, n = 0;
    for (size_t i = 0; i < is->frame->columns; i++) {
        double value = heat_cell_of(is, cell, i);
        if (isnan(value)) continue;
        sum += value;
        n++;
    }
    return are_shares(is) && n > 0 ? sum / n : sum;
}

static void draw_sum(const picture *is, double top) {
    double most = 0, *sums = calloc(is->cells, sizeof *sums), step = (double)WIDTH / (double)is->cells;
    if (!sums) return;
    for (size_t cell = 0; cell < is->cells; cell++) {
        sums[cell] = heat_together(is, cell);
        most = fmax(most, sums[cell]);
    }
    iol__out_printf(is->out, "<path fill=\"#2C69A9\" d=\"M%d %.1f", LEFT, top + SUM_HEIGHT);
    for (size_t cell = 0; cell < is->cells; cell++) {
        double y = top + SUM_HEIGHT - (most > 0 ? sums[cell] / most * SUM_HEIGHT : 0);
        iol__out_printf(is->out, "L%.2f %.2fL%.2f %.2f", LEFT + (double)cell * step, y,
                        LEFT + (double)(cell + 1) * step, y);
    }
    iol__out_printf(is->out, "L%d %.1fZ\"/>\n", LEFT + WIDTH, top + SUM_HEIGHT);
    iol__out_printf(is->out, "<rect class=\"line\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>\n", LEFT, top,
                    WIDTH, SUM_HEIGHT);
    char text[96], value[48];
    snprintf(text, sizeof text, "%s, up to %s", are_shares(is) ? "mean" : "sum", heat_amount(is, most, value));
    iol__svg_text(is->out, LEFT + 4, top + 12, "start", 10, text);
    free(sums);
}

static void draw_axis(const picture *is, double y) {
    const iol__frame *frame = is->frame;
    iol__svg_tick ticks[IOL__SVG_TICKS];
    char days[64];
    if (!frame->rows) return;
    int64_t first = frame->times[0], last = frame->times[frame->rows - 1];
    size_t count = iol__svg_ticks(first, last + frame->step, ticks), row = 0;
    for (size_t i = 0; i < count; i++) {
        /* Days may be missing in between. */
        while (row < frame->rows && frame->times[row] < ticks[i].time) row++;
        double x = LEFT + (double)WIDTH * (double)row / (double)frame->rows;
        iol__out_printf(is->out, "<path class=\"line\" d=\"M%.1f %.1fv4\"/>\n", x, y - 16);
        iol__svg_text(is->out, x, y, "middle", 10, ticks[i].text);
    }
    iol__svg_days(first, last, days);
    iol__svg_text(is->out, LEFT + WIDTH, 20, "end", 11, days);
}

static void draw_scale(const picture *is) {
    char colour[8], value[48];
    double x = LEFT + WIDTH + 16;
    for (int i = 0; i < 50; i++) {
        heat_colour_of((49 - i) / 49.0, colour);
        iol__out_printf(is->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"3.1\" fill=\"%s\"/>\n", x,
                        TOP + 3.0 * i, colour);
    }
    iol__svg_text(is->out, x, TOP - 4, "start", 10, heat_amount(is, is->most, value));
    iol__svg_text(is->out, x + 16, TOP + 150, "start", 10, "0");
    iol__out_printf(is->out, "<rect class=\"missing\" x=\"%.1f\" y=\"%d\" width=\"12\" height=\"12\"/>\n", x,
                    TOP + 164);
    iol__svg_text(is->out, x + 16, TOP + 174, "start", 10, "missing");
}

void iol__heat_svg(iol__out *out, iol__arena *arena, const iol__frame *frame, const char *title, bool by_spread) {
    picture is = {.out = out, .frame = frame, .cells = frame->rows < MOST_CELLS ? frame->rows : MOST_CELLS};
    double height = fmin(600, fmax(60, (double)frame->columns * 8));
    is.row_height = frame->columns ? height / (double)frame->columns : height;
    order_components(arena, &is, by_spread);
    for (size_t cell = 0; cell < is.cells; cell++)
        for (size_t i = 0; i < frame->columns; i++) is.most = fmax(is.most, heat_cell_of(&is, cell, i));
    iol__svg_begin(out, LEFT + WIDTH + 110, TOP + height + SUM_HEIGHT + 40);
    iol__svg_text(out, LEFT, 20, "start", 14, title);
    size_t every = 1 + (size_t)(10 / is.row_height);
    for (size_t i = 0; i < frame->columns; i++) {
        draw_component(&is, i);
        if (i % every == 0)
            iol__svg_text(out, LEFT - 6, TOP + (double)(i + 1) * is.row_height - 1, "end",
                          fmin(10, 8 + is.row_height / 8), frame->names[is.order[i]]);
    }
    iol__out_printf(out, "<rect class=\"line\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%.1f\"/>\n", LEFT, TOP, WIDTH,
                    height);
    if (is.cells) draw_sum(&is, TOP + height + 8);
    draw_axis(&is, TOP + height + SUM_HEIGHT + 24);
    draw_scale(&is);
    iol__svg_end(out);
}
