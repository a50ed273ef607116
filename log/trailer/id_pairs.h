/* What is known of some files beyond their records, as pairs of a record id and a number, both of 8 bytes, little-endian. In
   a finished log each kind is a trailer section; a mapped file has an area for it.
     SIZE   bytes that a file had when it was first opened (the setting FILE_SIZES)
     GONE   when it was last removed, in seconds since the start of the job, as a double
   Times of removal of files whose names are in the log may be in the section WENT instead, which takes less
   (record/removals.h). */
#ifndef IOL_LOG_ID_PAIRS_H
#define IOL_LOG_ID_PAIRS_H

#include "iolite/log.h"
#include "base/idmap.h"

#define IOL_TAG_SIZES "SIZE"
#define IOL_TAG_REMOVED "GONE"

typedef enum iol__id_pairs_kind { IOL_PAIRS_SIZES, IOL_PAIRS_REMOVED } iol__id_pairs_kind;

typedef struct iol__id_pairs {
    iol__idmap ids;
    int64_t *values; /* by number of the id */
    size_t room;
} iol__id_pairs;

/* Adds those of this log: of sizes as far as they are not known yet, of times the latest, moved by `shift`. False without
   memory. */
bool iol__id_pairs_add(iol_log *log, iol__id_pairs_kind kind, double shift, iol__id_pairs *pairs);
/* Whether there are times of removal that say where names are: then other names make them void. */
bool iol__id_pairs_by_name(iol_log *log);
/* When a file was removed; NAN: never. */
double iol__id_pairs_time(const iol__id_pairs *pairs, uint64_t id);
/* The content of the section, to be freed; NULL without memory. Only ids that are in `only`; NULL: all. */
void *iol__id_pairs_pack(const iol__id_pairs *pairs, const iol__idmap *only, size_t *length);
void iol__id_pairs_free(iol__id_pairs *pairs);

#endif
