/* Pages that need no script: the frame, tables, and numbers as people read them. */
#ifndef IOL_SERVE_PAGE_PARTS_H
#define IOL_SERVE_PAGE_PARTS_H

#include "serve/exchange.h"
#include "text/number.h"

void iol__page_begin(iol__exchange *x, const char *title);
void iol__page_end(iol__exchange *x);
/* An address below the prefix, in quotes: format is followed by parts that are escaped one by one where it says %s. */
void iol__page_link(iol__exchange *x, const char *format, const char *a, const char *b, const char *text);
/* Cells of a table; NAN and NULL are a dash. */
void iol__cell_words(iol__exchange *x, const char *text);
typedef const char *iol__human(char *buffer, double value);
/* high, warn, info or ok: words of rules, never of logs. */
void iol__cell_level(iol__exchange *x, const char *level);
void iol__cell_number(iol__exchange *x, iol__human *how, double value);
/* "2026-10-31 23:59" in the site's time zone. */
const char *iol__when(char text[32], double seconds);
void iol__page_heads(iol__exchange *x, const char *const *names, size_t count, size_t numbers_from);

/* A strip of key figures: begins, has figures, and ends with </div>. */
void iol__page_figures_begin(iol__exchange *x);
void iol__page_figure(iol__exchange *x, const char *label, const char *value, const char *detail);

/* A form that takes a token. */
void iol__page_login_form(iol__exchange *x);

#endif
