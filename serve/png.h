/* Pictures of pixels. */
#ifndef IOL_SERVE_PNG_H
#define IOL_SERVE_PNG_H

#include "text/out.h"

/* Three bytes (red, green, blue) per pixel, line by line. False without memory. */
bool iol__png(iol__out *out, const uint8_t *pixels, size_t width, size_t height);

#endif
