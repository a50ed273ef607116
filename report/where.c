/* A line is shown with the chain that cost most of its time, and with its source, where that is at hand. */
#include "report/where.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text/number.h"
#include "text/text.h"

enum { LINE_TEXT = 512, SOURCE = 400, CALLERS = 3 };

bool iol__source_line(const char *file, uint32_t line, char *text, size_t room) {
    struct stat st;
    if (!file || line == 0 || stat(file, &st) != 0 || !S_ISREG(st.st_mode)) return false;
    FILE *in = fopen(file, "re");
    uint32_t at = 1;
    size_t length = 0;
    int c = EOF;
    while (in && at < line && (c = getc(in)) != EOF) at += c == '\n';
    while (in && at == line && (c = getc(in)) != EOF && c != '\n')
        if (length + 1 < room && (length > 0 || (c != ' ' && c != '\t'))) text[length++] = (char)c;
    if (in) fclose(in);
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\r' || text[length - 1] == '\t')) length--;
    text[length] = 0;
    return length > 0;
}

static int64_t total_time(const iol__where_line *lines, size_t count) {
    iol__where_values sum = {0};
    for (size_t i = 0; i < count; i++) iol__where_sum(&sum, &lines[i].values);
    return sum.time;
}

static const char *main_kind(const iol__where_line *line) {
    unsigned best = 0;
    for (unsigned k = 1; k < IOL_WHERE_KINDS; k++) {
        const iol__where_values *a = &line->by_kind[k], *b = &line->by_kind[best];
        if (a->time > b->time || (a->time == b->time && a->calls > b->calls)) best = k;
    }
    return iol__where_kinds[best];
}

/* Who called the line, as the first few frames above it. */
static void callers_text(iol__out *out, const iol__where_all *all, const iol__where_line *line) {
    const iol__where_chain *chain = &all->chains[line->chain];
    bool above = false;
    int shown = 0;
    for (size_t i = 0; i < chain->count && shown < CALLERS; i++) {
        const size_t number = all->steps[chain->first + i];
        const iol__where_frame *f = &all->frames[number];
        if (!above) {
            above = number == line->frame;
            continue;
        }
        if (f->unknown || f->system || f->n_places == 0 || !f->places[0].file) continue;
        const iol__where_line other = {.place = f->places[f->n_places - 1], .frame = number};
        char text[LINE_TEXT];
        iol__out_text(out, shown++ ? " < " : "        called from ");
        iol__out_safe(out, iol__where_line_text(&other, text, sizeof text));
    }
    if (shown) iol__out_char(out, '\n');
}

static void line_text(iol__out *out, const iol__where_all *all, const iol__where_line *line, int64_t total) {
    char b[4][IOL_HUMAN], text[LINE_TEXT], source[SOURCE];
    const double share = total > 0 ? (double)line->values.time / (double)total : 0;
    iol__out_printf(out, "%9s %6s %7s %9s  ", iol__human_seconds(b[0], (double)line->values.time * 1e-9),
                    iol__human_share(b[1], share), iol__human_count(b[2], (double)line->values.calls),
                    iol__human_bytes(b[3], (double)line->values.bytes));
    iol__out_safe(out, iol__where_line_text(line, text, sizeof text));
    iol__out_printf(out, "  (%s)\n", main_kind(line));
    if (iol__source_line(line->place.file, line->place.line, source, sizeof source)) {
        iol__out_text(out, "        ");
        iol__out_code(out, source);
        iol__out_char(out, '\n');
    }
    callers_text(out, all, line);
}

void iol__where_text(iol__out *out, const iol__where_all *all, const iol__where_line *lines, size_t count, size_t top) {
    char more[IOL_HUMAN];
    if (count == 0) {
        iol__out_text(out,
                      "The log does not say which lines of code did the I/O: record it with 'iolite run --where'.\n");
        return;
    }
    iol__out_text(out, "     TIME OF I/O   CALLS     BYTES  LINE\n");
    const int64_t total = total_time(lines, count);
    for (size_t i = 0; i < count && i < top; i++) line_text(out, all, &lines[i], total);
    if (count > top) iol__out_printf(out, "and %s more lines\n", iol__human_number(more, (double)(count - top)));
    if (all->folded)
        iol__out_printf(out, "%s chains of callers or files had no room of their own and are counted together.\n",
                        iol__human_number(more, (double)all->folded));
}

/* JSON ------------------------------------------------------------------------------------------------------------- */

static void put_values(iol__json *json, const iol__where_values *values) {
    iol__json_put_i64(json, "calls", values->calls);
    iol__json_put_i64(json, "bytes", values->bytes);
    iol__json_put_real(json, "time", (double)values->time * 1e-9);
}

static void put_place(iol__json *json, const iol__where_place *place) {
    iol__json_put_text(json, "file", place->file);
    if (place->line)
        iol__json_put_i64(json, "line", place->line);
    else
        iol__json_put_text(json, "line", NULL);
    iol__json_put_text(json, "function", place->function);
}

static void put_object(iol__json *json, const iol__where_all *all, size_t frame) {
    const iol__where_frame *f = frame == IOL_IDMAP_NONE ? NULL : &all->frames[frame];
    char offset[32];
    if (!f || f->object == IOL_IDMAP_NONE) return;
    snprintf(offset, sizeof offset, "0x%llx", (unsigned long long)f->offset);
    iol__json_put_text(json, "object", all->objects[f->object].path);
    iol__json_put_text(json, "build_id", all->objects[f->object].build);
    iol__json_put_text(json, "offset", offset);
}

static void put_line(iol__json *json, const iol__where_all *all, const iol__where_line *line, int64_t total) {
    char source[SOURCE];
    iol__json_open(json, '{');
    put_place(json, &line->place);
    put_object(json, all, line->frame);
    if (line->frame == IOL_IDMAP_NONE) iol__json_put_text(json, "unknown", line->folded ? "folded" : "unknown");
    put_values(json, &line->values);
    iol__json_put_real(json, "share", total > 0 ? (double)line->values.time / (double)total : 0);
    if (iol__source_line(line->place.file, line->place.line, source, sizeof source))
        iol__json_put_text(json, "source", source);
    iol__json_put_open(json, "kinds", '{');
    for (unsigned k = 0; k < IOL_WHERE_KINDS; k++) {
        if (line->by_kind[k].calls == 0) continue;
        iol__json_put_open(json, iol__where_kinds[k], '{');
        put_values(json, &line->by_kind[k]);
        iol__json_close(json, '}');
    }
    iol__json_close(json, '}');
    iol__json_close(json, '}');
}

static void put_frame(iol__json *json, const iol__where_all *all, size_t number) {
    const iol__where_frame *f = &all->frames[number];
    if (f->n_places == 0) {
        iol__json_open(json, '{');
        put_place(json, &(iol__where_place){0});
        put_object(json, all, number);
        iol__json_close(json, '}');
    }
    for (size_t i = 0; i < f->n_places; i++) {
        iol__json_open(json, '{');
        put_place(json, &f->places[i]);
        if (i + 1 < f->n_places) iol__json_put_bool(json, "inlined", true);
        if (f->object != IOL_IDMAP_NONE) iol__json_put_text(json, "object", all->objects[f->object].path);
        iol__json_close(json, '}');
    }
}

/* Rows of one chain stand one after the other in no order, so that each chain looks for its own. */
static void put_chain(iol__json *json, iol_log *log, const iol__where_all *all, size_t number) {
    const iol__where_chain *chain = &all->chains[number];
    iol__json_open(json, '{');
    iol__json_put_id(json, "id", chain->id);
    iol__json_put_open(json, "frames", '[');
    for (size_t i = 0; i < chain->count; i++) put_frame(json, all, all->steps[chain->first + i]);
    iol__json_close(json, ']');
    iol__json_put_open(json, "calls", '[');
    for (size_t i = 0; i < all->n_rows; i++) {
        const iol__where_row *row = &all->rows[i];
        if (row->chain != number) continue;
        iol__json_open(json, '{');
        iol__json_put_i64(json, "rank", row->rank);
        iol__json_put_text(json, "layer", iol__where_layers[row->layer]);
        iol__json_put_text(json, "kind", iol__where_kinds[row->kind]);
        iol__json_put_text(json, "name", row->file ? iol_log_name(log, row->file) : NULL);
        put_values(json, &row->values);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
    iol__json_close(json, '}');
}

void iol__json_where(iol__json *json, iol_log *log, const iol__where_all *all, const iol__where_line *lines,
                     size_t count) {
    const int64_t total = total_time(lines, count);
    iol__where_values unknown = {0};
    iol__json_put_open(json, "lines", '[');
    for (size_t i = 0; i < count; i++) {
        put_line(json, all, &lines[i], total);
        if (lines[i].frame == IOL_IDMAP_NONE) iol__where_sum(&unknown, &lines[i].values);
    }
    iol__json_close(json, ']');
    iol__json_put_open(json, "chains", '[');
    for (size_t i = 0; i < all->n_chains; i++) put_chain(json, log, all, i);
    iol__json_close(json, ']');
    iol__json_put_real(json, "unknown_share", total > 0 ? (double)unknown.time / (double)total : 0);
    iol__json_put_u64(json, "folded", all->folded);
}
