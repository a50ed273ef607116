/* A frame as a picture: time to the right, components downwards, what is missing in a colour of its own, and the sum of
   all components below. */
#ifndef IOL_SITE_ANALYZE_HEAT_H
#define IOL_SITE_ANALYZE_HEAT_H

#include "text/out.h"
#include "site/series/frame.h"

/* `by_spread`: components with the largest standard deviation first, which brings odd ones together. */
void iol__heat_svg(iol__out *out, iol__arena *arena, const iol__frame *frame, const char *title, bool by_spread);

/* The colour of a value as a share of the largest. */
void iol__heat_colour(double share, uint8_t rgb[3]);

#endif
