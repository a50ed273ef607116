/* HTML by hand; every text from outside goes through one escaping. */
#include "serve/page_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/count.h"
#include "serve/finish.h"
#include "serve/params.h"
#include "serve/serve.h"
#include "text/escape.h"
#include "text/text.h"

static const struct {
    const char *path, *name;
    bool staff; /* for staff only */
} links[] = {{"/", "Home", false},
             {"/jobs", "Jobs", false},
             {"/running", "Running", false},
             {"/programs", "Programs", false},
             {"/scoreboard", "Scoreboard", false},
             {"/fleet", "Fleet", true},
             {"/fs", "File systems", false},
             {"/screens", "Screens", false},
             {"/compare", "Compare", false},
             {"/benchmarks", "Benchmarks", false},
             {"/admin", "Admin", true},
             {"/api", "API", false}};

void iol__page_begin(iol__exchange *x, const char *title) {
    const char *prefix = x->serve->options->prefix;
    const iol__value *named = iol__places_get(&x->serve->places, "timezone");
    const char *zone = named && named->kind == IOL__TEXT ? named->text : NULL;
    iol__out *out = &x->body;
    iol__text_utf8_begin();
    iol__out_text(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
                       "content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light "
                       "dark\">\n<title>");
    iol__out_markup(out, title);
    iol__out_printf(out,
                    " - Iolite</title>\n<link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" "
                    "href=\"%s/assets/portal.css\">\n<script type=\"module\" src=\"%s/assets/portal.js\"></script>\n",
                    prefix, prefix);
    iol__out_printf(out, "</head>\n<body data-prefix=\"%s\" data-zone=\"", prefix);
    iol__out_markup(out, zone ? zone : "");
    iol__out_text(out, "\">\n<header>");
    iol__out_text(out, "<nav>");
    for (size_t i = 0; i < IOL_COUNT(links); i++)
        if (iol__access_all(&x->viewer) || !links[i].staff)
            iol__out_printf(out, "<a href=\"%s%s\">%s</a> ", prefix, links[i].path, links[i].name);
    iol__out_text(out, "</nav>");
    if (x->viewer.role & (IOL_ROLE_USER | IOL_ROLE_STAFF))
        iol__out_printf(
            out,
            "<form class=\"p-jump\" action=\"%s/jobs\"><input name=\"q\" size=\"12\" placeholder=\"Go to a job id\" "
            "aria-label=\"Go to a job id\"></form>",
            prefix);
    if (*x->viewer.user) {
        iol__out_text(out, "<span class=\"who\">");
        iol__out_markup(out, x->viewer.user);
        iol__out_text(out, "</span>");
    }
    if (x->has_session)
        iol__out_printf(out, "<form class=\"out\" method=\"post\" action=\"%s/logout\"><button>Log out</button></form>",
                        prefix);
    iol__out_text(out, "</header>\n<main>\n<h1>");
    iol__out_markup(out, title);
    iol__out_text(out, "</h1>\n");
}

void iol__page_end(iol__exchange *x) {
    iol__out_text(&x->body, "</main>\n</body>\n</html>\n");
    iol__text_utf8_end();
}

void iol__page_error(iol__exchange *x, int status, const char *message) {
    char title[64];
    x->type = "text/html; charset=utf-8";
    snprintf(title, sizeof title, "%s",
             status == 404   ? "Not here"
             : status == 401 ? "Please log in"
                             : "That did not work");
    iol__text_utf8_end();
    iol__page_begin(x, title);
    iol__out_text(&x->body, "<p>");
    iol__out_markup(&x->body, message);
    iol__out_text(&x->body, "</p>\n");
    if (status == 401) iol__page_login_form(x);
    iol__page_end(x);
}

void iol__page_login_form(iol__exchange *x) {
    iol__out_printf(
        &x->body,
        "<form class=\"p-login\" method=\"post\" action=\"%s/login\">\n"
        "<label>Token <input type=\"password\" name=\"token\" required autocomplete=\"off\" "
        "spellcheck=\"false\"></label> <button>Log in</button>\n"
        "<p>Your centre gives out tokens (<code>iolite serve --make-token user:NAME</code>). The one of a server on "
        "your own machine is in the address that it printed.</p>\n</form>\n",
        x->serve->options->prefix);
}

/* A piece of the format up to "%s", then an argument as part of an address. */
static const char *page_parts_fill(iol__out *out, const char *format, const char *value) {
    const char *hole = strstr(format, "%s");
    if (!hole) return format;
    iol__out_bytes(out, format, (size_t)(hole - format));
    iol__out_url(out, value ? value : "");
    return hole + 2;
}

void iol__page_link(iol__exchange *x, const char *format, const char *a, const char *b, const char *text) {
    iol__out *out = &x->body;
    iol__out_printf(out, "<a href=\"%s", x->serve->options->prefix);
    format = page_parts_fill(out, format, a);
    format = page_parts_fill(out, format, b);
    iol__out_printf(out, "%s\">", format);
    iol__out_markup(out, text && *text ? text : "-");
    iol__out_text(out, "</a>");
}

void iol__cell_words(iol__exchange *x, const char *text) {
    iol__out_text(&x->body, "<td>");
    iol__out_markup(&x->body, text && *text ? text : "-");
    iol__out_text(&x->body, "</td>");
}

void iol__cell_level(iol__exchange *x, const char *level) {
    iol__out_printf(&x->body, "<td><span class=\"p-level p-%s\">%s</span></td>", level, level);
}

void iol__cell_number(iol__exchange *x, iol__human *how, double value) {
    char buffer[IOL_HUMAN];
    iol__out_text(&x->body, "<td class=\"n\">");
    iol__out_markup(&x->body, isnan(value) ? "-" : how(buffer, value));
    iol__out_text(&x->body, "</td>");
}

const char *iol__when(char text[32], double seconds) {
    time_t time = (time_t)seconds;
    struct tm tm;
    if (isnan(seconds) || !localtime_r(&time, &tm)) return "-";
    strftime(text, 32, "%Y-%m-%d %H:%M:%S", &tm);
    return text;
}

void iol__page_heads(iol__exchange *x, const char *const *names, size_t count, size_t numbers_from) {
    iol__out_text(&x->body, "<table>\n<thead><tr>");
    for (size_t i = 0; i < count; i++)
        iol__out_printf(&x->body, "<th scope=\"col\"%s>%s</th>", i >= numbers_from ? " class=\"n\"" : "", names[i]);
    iol__out_text(&x->body, "</tr></thead>\n<tbody>\n");
}

void iol__page_figures_begin(iol__exchange *x) {
    iol__out_text(&x->body, "<div class=\"io-strip p-strip\" role=\"group\" aria-label=\"Key figures\">\n");
}

void iol__page_figure(iol__exchange *x, const char *label, const char *value, const char *detail) {
    iol__out_printf(&x->body,
                    "<div class=\"io-card\"><span class=\"io-card-label\">%s</span><strong class=\"io-card-value\">",
                    label);
    iol__out_markup(&x->body, value);
    iol__out_text(&x->body, "</strong><span class=\"io-card-detail\">");
    iol__out_markup(&x->body, detail);
    iol__out_text(&x->body, "</span></div>\n");
}
