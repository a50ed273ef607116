/* The portal as the build embeds it: gzip streams. */
#ifndef IOL_SERVE_ASSETS_H
#define IOL_SERVE_ASSETS_H

#include <stddef.h>

extern const unsigned char iol__web_portal[], iol__web_portal_style[];
extern const size_t iol__web_portal_length, iol__web_portal_style_length;

#endif
