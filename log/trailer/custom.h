/* Records of modules that Iolite has never heard of, from the trailer or from a mapped file (record/custom.h): read into
   one table, combined where several are of one name and rank, and written again. */
#ifndef IOL_LOG_CUSTOM_H
#define IOL_LOG_CUSTOM_H

#include "iolite/log.h"
#include "base/idmap.h"
#include "record/custom.h"

typedef struct iol__custom_line {
    uint64_t id;
    int64_t rank;
    char *name; /* belongs to the table */
    uint8_t *values;
} iol__custom_line;

typedef struct iol__custom_time {
    uint64_t id, thread;
    int64_t rank;
    size_t line;       /* of its record; IOL_IDMAP_NONE: there is none */
    double begin, end; /* an end before the begin: not known */
} iol__custom_time;

typedef struct iol__custom_table {
    uint8_t *schema; /* its block, in the order of this machine */
    size_t schema_bytes;
    const char *name, *meaning;
    unsigned version, flags;
    uint64_t folded, spans_lost;
    size_t counters;
    const uint8_t *kinds, *rules;
    const char *texts[3 * IOL_CUSTOM_COUNTERS]; /* name, unit, meaning of each counter */
    iol__custom_line *lines;
    size_t n_lines, line_room;
    iol__idmap keys; /* of rank and id, by number of the line */
    iol__custom_time *times;
    size_t n_times, time_room;
} iol__custom_table;

typedef struct iol__custom {
    iol__custom_table **tables;
    size_t count, room;
    uint64_t damaged; /* bytes of blocks that could not be understood, here or where this comes from */
} iol__custom;

/* How the records of a log fit into a larger one. */
typedef struct iol__custom_fit {
    bool single;        /* all are of `first_rank` */
    bool together;      /* of no single rank any more: combined over all */
    int64_t first_rank; /* added to ranks */
    double shift;       /* added to times */
    double *last;       /* the latest of them; may be NULL */
} iol__custom_fit;

/* Adds those of this log. What is damaged is left out and noted in the log. False without memory. */
bool iol__custom_read(iol_log *log, const iol__custom_fit *fit, iol__custom *custom);
/* The table of a log itself, read on first use; never NULL. */
const iol__custom *iol__custom_of(iol_log *log);
/* The content of the section, to be freed; NULL without memory. */
void *iol__custom_pack(const iol__custom *custom, size_t *length);
void iol__custom_free(iol__custom *custom);

#endif
