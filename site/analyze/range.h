/* Series of a file system over any range of time, whatever files they are in. Files stay open between questions. */
#ifndef IOL_SITE_ANALYZE_RANGE_H
#define IOL_SITE_ANALYZE_RANGE_H

#include "site/analyze/places.h"
#include "site/series/series.h"

enum { IOL__MOST_OPEN = 16, IOL__MOST_ASKED = 8 };

typedef struct iol__ranges {
    iol__arena *arena; /* of what lives as long as this */
    const iol__places *site;
    iol__series *open[IOL__MOST_OPEN]; /* the one that was opened last is the last */
    const char *paths[IOL__MOST_OPEN];
    size_t count;
    const char *const *files; /* to read instead of those that the site file names; may be NULL */
    size_t n_files;
    struct iol__live *live; /* to ask instead of files; may be NULL */
    const char *asked_fs;   /* the last file system without files, and who are asked about it, in this order */
    struct iol__live *asked[IOL__MOST_ASKED];
    size_t n_asked;
    int64_t deadline; /* nothing more is read after it, see base/deadline.h; 0: none */
    bool partial;     /* someone who was asked earlier, or a log, gave only a part */
} iol__ranges;

void iol__ranges_close(iol__ranges *ranges);
/* Whether a source that was asked gave only a part of what it should have. */
bool iol__ranges_partial(const iol__ranges *ranges);
/* Rows with start <= label < end, in `scratch`. IOL_END: there is no file at all for that time. IOL_INVALID: a file lacks
   the dataset. */
iol_status iol__range_read(iol__ranges *ranges, iol__arena *scratch, const char *fs, const char *dataset, int64_t start,
                           int64_t end, iol__frame *frame, char why[400]);

#endif
