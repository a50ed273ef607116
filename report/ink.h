/* The few colours of terminal reports, under the names of what they mean. A terminal gets their control sequences;
   pages and pictures recognise those sequences again, so that one layout serves all three. */
#ifndef IOL_REPORT_INK_H
#define IOL_REPORT_INK_H

#include <stdbool.h>
#include <stddef.h>

typedef enum iol__ink {
    IOL_INK_PLAIN, /* ends the one before */
    IOL_INK_STRONG,
    IOL_INK_FAINT,
    IOL_INK_GOOD,
    IOL_INK_WARN,
    IOL_INK_BAD,
    IOL_INK_CODE,
    IOL_INKS
} iol__ink;

/* What makes a terminal write so; `light`: for dark letters on a light ground. */
const char *iol__ink_sequence(iol__ink ink, bool light);
/* The sequence that the text begins with, and its length; false if it begins with none of these. */
bool iol__ink_find(const char *text, size_t length, iol__ink *ink, size_t *taken);
/* "strong", "bad", ...: the class in style sheets; NULL for plain. */
const char *iol__ink_class(iol__ink ink);
/* "#ff6b68": of letters on a dark or a light ground. */
const char *iol__ink_colour(iol__ink ink, bool light);
bool iol__ink_bold(iol__ink ink);

/* What lies around the letters. */
typedef struct iol__ground {
    const char *page, *window, *edge, *title;
} iol__ground;
const iol__ground *iol__ink_ground(bool light);

#endif
