/* A source of samples that is asked when a question needs it: nothing is stored. */
#ifndef IOL_SITE_ANALYZE_LIVE_H
#define IOL_SITE_ANALYZE_LIVE_H

#include "site/analyze/places.h"
#include "site/series/archive.h"

typedef struct iol__live {
    iol__arena *arena;
    const iol__producer *producer;
    const char *input; /* a file, an address; NULL: what the environment says */
    /* Or the files of the days that a question is about, under this key of the site file; NULL: not so. */
    const iol__places *site;
    const char *key;
    const iol__value *mapping, *luns, *servers;
    const char *backend; /* the name that servers have for the file system; NULL: that of the question */
    int64_t step;        /* 0: what the mapping says, or what the source usually has */
    /* What was asked for last. */
    bool filled, partial;
    const char *fs; /* NULL: of any */
    int64_t start, end;
    iol__series_part *parts;
    size_t count;
} iol__live;

/* A mapping file: which metrics are which datasets. NULL with `why`. */
const iol__value *iol__read_mapping(iol__arena *arena, const char *path, char why[400]);
/* The step that it names; 0: none. */
int64_t iol__mapping_step(const iol__value *mapping);
/* Rows with start <= label < end, as iol__series_read() gives them. */
iol_status iol__live_read(iol__live *live, iol__arena *arena, const char *fs, const char *dataset, int64_t start,
                          int64_t end, iol__frame *frame, char why[400]);

#endif
