/* Trees of connectors as the text that their tools print. */
#ifndef IOL_SITE_CONNECT_NATIVE_H
#define IOL_SITE_CONNECT_NATIVE_H

#include "site/connect/connect.h"

/* False if this connector has no such form. */
bool iol__write_native(const char *connector, iol__out *out, iol__arena *arena, const iol__value *tree);

/* The tree as caches of this connector have it: Slurm's with local times, as sacct prints them, instead of seconds. */
iol__value *iol__cache_form(const char *connector, iol__arena *arena, iol__value *tree);

#endif
