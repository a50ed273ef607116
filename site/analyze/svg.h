/* Parts that pictures of site data share: the frame of the document, with colours for light and dark, and texts. */
#ifndef IOL_SITE_ANALYZE_SVG_H
#define IOL_SITE_ANALYZE_SVG_H

#include "text/out.h"

/* Classes: "ink" for texts, "faint" for marks of axes, "line" for frames, "series" for a line of values. */
void iol__svg_begin(iol__out *out, double width, double height);
void iol__svg_end(iol__out *out);
/* `anchor` is start, middle or end. */
void iol__svg_text(iol__out *out, double x, double y, const char *anchor, double size, const char *text);
/* Round local times of [first, last], at most IOL__SVG_TICKS, with what to write there: "HH:MM:SS", "HH:MM", "Mon DD" or a
   year; gives how many. */
enum { IOL__SVG_TICKS = 9 };
typedef struct iol__svg_tick {
    int64_t time;
    char text[32];
} iol__svg_tick;
size_t iol__svg_ticks(int64_t first, int64_t last, iol__svg_tick ticks[IOL__SVG_TICKS]);
/* "2017-03-20", or "2017-03-20 to 2017-03-21". */
void iol__svg_days(int64_t first, int64_t last, char text[64]);

#endif
