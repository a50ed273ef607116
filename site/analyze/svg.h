/* Parts that pictures of site data share: the frame of the document, with colours for light and dark, and texts. */
#ifndef IOL_SITE_ANALYZE_SVG_H
#define IOL_SITE_ANALYZE_SVG_H

#include "text/out.h"

/* Classes: "ink" for texts, "faint" for marks of axes, "line" for frames. */
void iol__svg_begin(iol__out *out, double width, double height);
void iol__svg_end(iol__out *out);
/* `anchor` is start, middle or end. */
void iol__svg_text(iol__out *out, double x, double y, const char *anchor, double size, const char *text);
/* "Mon DD", or "HH:MM" for short ranges. */
void iol__svg_date(int64_t seconds, int64_t range, char text[32]);

#endif
