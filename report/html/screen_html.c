/* The page around a coloured text. */
#include "text/escape.h"
#include "report/html/screen.h"

static void style_sheet(iol__out *out, bool light) {
    const iol__ground *ground = iol__ink_ground(light);
    iol__out_printf(
        out,
        "<style>\n:root{color-scheme:%s}\n"
        "body{margin:0;padding:24px;background:%s;color:%s}\n"
        "main{width:fit-content;max-width:100%%;margin:0 auto;background:%s;border:1px solid %s;border-radius:10px}\n"
        "header{padding:10px 20px;border-bottom:1px solid %s;color:%s;font:13px system-ui,sans-serif;"
        "overflow-wrap:anywhere}\n"
        "pre{margin:0;padding:16px 20px 20px;overflow-x:auto;"
        "font:14px/1.4 ui-monospace,\"DejaVu Sans Mono\",Menlo,Consolas,monospace}\n",
        light ? "light" : "dark", ground->page, iol__ink_colour(IOL_INK_PLAIN, light), ground->window, ground->edge,
        ground->edge, ground->title);
    for (int i = IOL_INK_PLAIN + 1; i < IOL_INKS; i++)
        iol__out_printf(out, ".%s{color:%s%s}\n", iol__ink_class((iol__ink)i), iol__ink_colour((iol__ink)i, light),
                        iol__ink_bold((iol__ink)i) ? ";font-weight:600" : "");
    iol__out_text(out, "@media print{body{padding:0}main{border:0}pre{white-space:pre-wrap}}\n</style>\n");
}

static void run_html(iol__out *out, const iol__screen_run *run) {
    const char *class = iol__ink_class(run->ink);
    if (class && run->length) iol__out_printf(out, "<span class=\"%s\">", class);
    iol__out_markup_bytes(out, run->text, run->length);
    if (class && run->length) iol__out_text(out, "</span>");
    if (run->ends_line) iol__out_char(out, '\n');
}

void iol__screen_html(iol__out *out, const iol__screen *screen) {
    iol__out_text(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                       "'unsafe-inline'\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    iol__out_markup(out, screen->title);
    iol__out_text(out, "</title>\n");
    style_sheet(out, screen->light);
    iol__out_text(out, "</head>\n<body>\n<main>\n<header>");
    iol__out_markup(out, screen->title);
    iol__out_text(out, "</header>\n<pre>\n"); /* a line end right behind the tag is not shown */
    iol__screen_run run;
    iol__ink ink = IOL_INK_PLAIN;
    for (size_t at = 0; iol__screen_next(screen, &at, &ink, &run);) run_html(out, &run);
    iol__out_text(out, "</pre>\n</main>\n</body>\n</html>\n");
}
