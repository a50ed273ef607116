/* What the site file says: names of file systems, and where data of which day is. All knowledge about a site is here;
   connectors have none. */
#ifndef IOL_SITE_ANALYZE_PLACES_H
#define IOL_SITE_ANALYZE_PLACES_H

#include "site/connect/connect.h"
#include "site/site.h"

typedef struct iol__places {
    const iol__value *settings; /* never NULL; empty without a site file */
    const char *path;           /* of the site file; NULL: there is none */
    const char *directory;      /* that relative paths start from; NULL: the current one */
} iol__places;

/* `path` may be NULL. Sets TZ where the file names a time zone. */
iol_status iol__places_open(iol__arena *arena, const char *path, bool from_here, iol__places *site, char why[400]);
/* The same of a site file that is open already. */
void iol__places_of(iol__arena *arena, const iol__site *file, bool from_here, iol__places *site);
/* Any key, in any letter case; NULL if the file has none. */
const iol__value *iol__places_get(const iol__places *site, const char *key);
/* Logical name of the file system that a mount point belongs to; NULL: none. The longest match wins. */
const char *iol__places_fs_of(const iol__places *site, const char *mount);
/* The name that servers use for it; NULL if the site file says none. */
const char *iol__places_backend(const iol__places *site, const char *fs);
/* A path of the site file: relative ones start at its directory. */
const char *iol__places_path(iol__arena *arena, const iol__places *site, const char *path);
/* The same for an input that may be an address or a program, as in mysql://HOST/DB. */
const char *iol__places_input(iol__arena *arena, const iol__places *site, const char *input);
/* Existing files of a dated template for each local day of [start, end], in order, each once; names may have %H and
   patterns. `first`: only the first one of a day. `fs` chooses among the members of an object; NULL: all. Gives a list of texts. */
iol__value *iol__places_files(iol__arena *arena, const iol__places *site, const char *key, const char *fs,
                              int64_t start, int64_t end, bool first);

#endif
