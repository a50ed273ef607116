/* Which lines of code did the I/O of a job, from the records of record/where.h: frames by object and offset, chains of
   them, and what each chain did to each file. Names of frames come from the log, if somebody has put them there
   (`iolite symbolize`), or from whoever calls iol__where_name. */
#ifndef IOL_LOG_WHERE_H
#define IOL_LOG_WHERE_H

#include "iolite/log.h"
#include "base/idmap.h"
#include "record/where.h"

/* A place in the source. */
typedef struct iol__where_place {
    const char *function; /* NULL: not known */
    const char *file;     /* the same */
    uint32_t line;        /* 0: not known */
} iol__where_place;

typedef struct iol__where_object {
    uint64_t key;
    const char *build; /* in hexadecimal, "-": it has none */
    const char *path;
} iol__where_object;

typedef struct iol__where_frame {
    size_t object;            /* IOL_IDMAP_NONE: of Python, or not known */
    uint64_t offset;          /* in the object */
    uint64_t key;             /* of the object, or of the function of Python */
    iol__where_place *places; /* innermost first: functions that were inlined, then the one that they are in */
    size_t n_places;          /* 0: nobody has named it yet */
    bool python, system;      /* `system`: of a library that others wrote */
    bool unknown;             /* nothing is known of it, nor of who called it */
    bool in_log;              /* its names come from there */
} iol__where_frame;

typedef struct iol__where_chain {
    uint64_t id;
    size_t first, count;  /* in `steps`: numbers of frames, innermost first */
    bool unknown, folded; /* it stands for calls without a chain, or for those that had no room */
} iol__where_chain;

typedef struct iol__where_row {
    size_t chain;
    int64_t rank;
    unsigned layer, kind;
    uint64_t file; /* 0: several, or none that has a record */
    iol__where_values values;
} iol__where_row;

typedef struct iol__where_all {
    iol__where_object *objects;
    iol__where_frame *frames;
    iol__where_chain *chains;
    size_t *steps;
    iol__where_row *rows;
    size_t n_objects, n_frames, n_chains, n_steps, n_rows;
    size_t object_room, frame_room, chain_room, step_room, row_room, text_room;
    iol__idmap object_ids, frame_ids, chain_ids;
    char **texts; /* all that places point to */
    size_t n_texts;
    unsigned version; /* of its records */
    uint64_t folded;  /* names that had no room for a record */
    uint64_t damaged; /* records that make no sense */
} iol__where_all;

enum { IOL_WHERE_WHY = 256 };

/* Nothing if the log has none of it. False without memory. */
bool iol__where_make(iol_log *log, iol__where_all *all);
void iol__where_free(iol__where_all *all);
/* What a frame is called; texts are copied. */
bool iol__where_name(iol__where_all *all, size_t frame, const iol__where_place *places, size_t count);
/* Writes the log again with the names of frames that it lacks, which takes its place, and as little of the rest as is needed
   (where_pack.c); false with the reason, and then it is as it was. */
bool iol__where_write(const char *path, iol_log *log, const iol__where_all *all, char why[IOL_WHERE_WHY]);

/* Lines ------------------------------------------------------------------------------------------------------------ */

/* The place that a user wants to see first: the innermost one that is the program's own. */
typedef struct iol__where_line {
    iol__where_place place; /* file NULL: not known */
    const char *object;     /* path of the object that it is in; NULL: of Python, or not known */
    uint64_t offset;        /* in it */
    size_t frame;           /* IOL_IDMAP_NONE: not known, or (folded) several */
    bool folded;
    size_t chain; /* the one with the most time */
    int64_t chain_time;
    iol__where_values values, by_kind[IOL_WHERE_KINDS];
} iol__where_line;

/* Which rows count. */
typedef struct iol__where_filter {
    const uint64_t *files; /* record ids; NULL: all */
    size_t n_files;
    unsigned kinds;  /* bit k: kind k; 0: all */
    unsigned layers; /* the same; 0: those that add up to all I/O */
} iol__where_filter;

/* Those with the most time first; to be freed. *count is 0 if there are none. False without memory. */
bool iol__where_lines(const iol__where_all *all, const iol__where_filter *filter, iol__where_line **lines,
                      size_t *count);
/* The place of one chain; false if it is not known. */
bool iol__where_chain_line(const iol__where_all *all, const iol__where_chain *chain, iol__where_line *line);
/* "checkpoint.c:112 write_row", or what is known of it: at most `room` bytes. */
const char *iol__where_line_text(const iol__where_line *line, char *text, size_t room);
/* Values of a hostile log may be anything: what is too large for a sum stays the largest number. */
void iol__where_sum(iol__where_values *to, const iol__where_values *more);
extern const char *const iol__where_kinds[IOL_WHERE_KINDS], *const iol__where_layers[IOL_WHERE_LAYERS];

#endif
