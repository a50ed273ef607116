/* A coloured terminal text as a web page or as a picture: one file that needs nothing else, no script, no network. The
   text is what report/ layouts make with colour on: lines, letters made harmless already, and sequences of
   report/ink.h. Whatever else is in it is escaped once more, so that a mistake there cannot break a page. */
#ifndef IOL_REPORT_SCREEN_H
#define IOL_REPORT_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "report/ink.h"
#include "text/out.h"

typedef struct iol__screen {
    const char *text;
    size_t length;
    size_t columns; /* of the window; lines may be longer, and make it wider */
    bool light;
    const char *title;
} iol__screen;

void iol__screen_html(iol__out *out, const iol__screen *screen);
void iol__screen_svg(iol__out *out, const iol__screen *screen);

/* Letters of one colour on one line. */
typedef struct iol__screen_run {
    const char *text;
    size_t length;
    iol__ink ink;
    bool ends_line;
} iol__screen_run;

/* The next run of a text, from `at` on, in the colour that holds there; false at the end. An empty line is a run of no
   letters. */
bool iol__screen_next(const iol__screen *screen, size_t *at, iol__ink *ink, iol__screen_run *run);

#endif
