/* The picture of a terminal. Every run of letters gets its place and its length, so that columns stay columns in
   whatever font the viewer has. */
#include "text/escape.h"
#include "report/html/screen.h"
#include "text/text.h"

/* Of one letter cell and the window, in tenths of a pixel: whole numbers print the same everywhere. */
enum { CELL = 84, LINE = 190, PADDING = 200, TITLE = 400, EDGE = 10 };

static void tenths(iol__out *out, size_t value) { iol__out_printf(out, "%zu.%zu", value / 10, value % 10); }

static size_t screen_svg_columns_of(const iol__screen_run *run) {
    iol__out copy;
    iol__out_open(&copy, -1);
    iol__out_bytes(&copy, run->text, run->length);
    iol__out_char(&copy, '\0');
    size_t columns = 0, backslashes = 0;
    for (size_t i = 0; i < run->length; i++) backslashes += run->text[i] == '\\';
    columns = iol__text_columns(copy.buffer) - backslashes; /* which are escaped already */
    iol__out_close(&copy);
    return columns;
}

static void screen_svg_measure(const iol__screen *screen, size_t *columns, size_t *lines) {
    iol__screen_run run;
    iol__ink ink = IOL_INK_PLAIN;
    size_t column = 0;
    *columns = screen->columns;
    *lines = 0;
    for (size_t at = 0; iol__screen_next(screen, &at, &ink, &run);) {
        column += screen_svg_columns_of(&run);
        if (column > *columns) *columns = column;
        if (run.ends_line || at >= screen->length) ++*lines;
        if (run.ends_line) column = 0;
    }
}

static void screen_svg_style_sheet(iol__out *out, bool light) {
    const iol__ground *ground = iol__ink_ground(light);
    iol__out_printf(out,
                    "<style>\ntext{font:14px ui-monospace,\"DejaVu Sans Mono\",Menlo,Consolas,monospace;fill:%s;"
                    "white-space:pre}\n.title{font:13px system-ui,sans-serif;fill:%s}\n",
                    iol__ink_colour(IOL_INK_PLAIN, light), ground->title);
    for (int i = IOL_INK_PLAIN + 1; i < IOL_INKS; i++)
        iol__out_printf(out, ".%s{fill:%s%s}\n", iol__ink_class((iol__ink)i), iol__ink_colour((iol__ink)i, light),
                        iol__ink_bold((iol__ink)i) ? ";font-weight:600" : "");
    iol__out_text(out, "</style>\n");
}

/* A title that would not fit is cut. */
static void window(iol__out *out, const iol__screen *screen, size_t columns, size_t width, size_t height) {
    const iol__ground *ground = iol__ink_ground(screen->light);
    iol__out_printf(out, "<rect x=\"0.5\" y=\"0.5\" rx=\"10\" fill=\"%s\" stroke=\"%s\" width=\"", ground->window,
                    ground->edge);
    tenths(out, width - EDGE);
    iol__out_text(out, "\" height=\"");
    tenths(out, height - EDGE);
    iol__out_text(out, "\"/>\n");
    iol__out_printf(out, "<path d=\"M0.5 40.5H");
    tenths(out, width - EDGE / 2);
    iol__out_printf(out, "\" stroke=\"%s\"/>\n<text class=\"title\" x=\"20\" y=\"25\">", ground->edge);
    iol__out cut;
    iol__out_open(&cut, -1);
    iol__out_fitted(&cut, screen->title, columns, IOL_CUT_MIDDLE);
    iol__out_markup_bytes(out, cut.buffer, cut.length);
    iol__out_close(&cut);
    iol__out_text(out, "</text>\n");
}

static void run_svg(iol__out *out, const iol__screen_run *run, size_t column, size_t columns, size_t line) {
    if (!columns) return;
    const char *class = iol__ink_class(run->ink);
    iol__out_text(out, "<text x=\"");
    tenths(out, PADDING + column * CELL);
    iol__out_text(out, "\" y=\"");
    tenths(out, TITLE + PADDING + line * LINE + LINE / 2);
    iol__out_text(out, "\" textLength=\"");
    tenths(out, columns * CELL);
    iol__out_char(out, '"');
    if (class) iol__out_printf(out, " class=\"%s\"", class);
    iol__out_text(out, " xml:space=\"preserve\">");
    iol__out_markup_bytes(out, run->text, run->length);
    iol__out_text(out, "</text>\n");
}

static void letters(iol__out *out, const iol__screen *screen) {
    iol__screen_run run;
    iol__ink ink = IOL_INK_PLAIN;
    size_t line = 0, column = 0;
    for (size_t at = 0; iol__screen_next(screen, &at, &ink, &run);) {
        size_t blanks = 0; /* at the beginning are a place, not letters */
        while (blanks < run.length && run.text[blanks] == ' ') blanks++;
        column += blanks;
        run.text += blanks;
        run.length -= blanks;
        size_t columns = screen_svg_columns_of(&run);
        run_svg(out, &run, column, columns, line);
        column = run.ends_line ? 0 : column + columns;
        line += run.ends_line;
    }
}

void iol__screen_svg(iol__out *out, const iol__screen *screen) {
    size_t columns, lines;
    iol__text_utf8_begin();
    screen_svg_measure(screen, &columns, &lines);
    size_t width = 2 * PADDING + columns * CELL, height = TITLE + 2 * PADDING + lines * LINE;
    iol__out_text(out,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
                  "viewBox=\"0 0 ");
    tenths(out, width);
    iol__out_char(out, ' ');
    tenths(out, height);
    iol__out_text(out, "\" width=\"");
    tenths(out, width);
    iol__out_text(out, "\" height=\"");
    tenths(out, height);
    iol__out_text(out, "\">\n<title>");
    iol__out_markup(out, screen->title);
    iol__out_text(out, "</title>\n");
    screen_svg_style_sheet(out, screen->light);
    window(out, screen, columns, width, height);
    letters(out, screen);
    iol__out_text(out, "</svg>\n");
    iol__text_utf8_end();
}
