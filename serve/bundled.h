/* Logs that were moved into bundles (`iolite archive`): for whoever reads them they are files like others. */
#ifndef IOL_SERVE_BUNDLED_H
#define IOL_SERVE_BUNDLED_H

#include <stdbool.h>
#include <stddef.h>

#include "site/query/query.h"

/* Whether a place is in a bundle. */
bool iol__in_bundle(const char *dir);
/* The log `name` of the bundle in `dir`, if both are those that were indexed, as a file without a name. -1: it is not there.
   With `look` it is only looked for, and the descriptor is the bundle's. */
int iol__bundled_file(const char *dir, const char *name, const iol__place_file_row *place, bool look, size_t *length);

#endif
