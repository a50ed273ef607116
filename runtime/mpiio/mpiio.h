/* The MPI-IO module: what each kind of call does to the records of files. Nothing here knows an MPI; the plugin
   (runtime/abi) takes calls apart into plain numbers and hands them over through the table at the end. Calls that go on
   after they return (nonblocking ones, and both halves of split collectives) are operations under way: counted when
   they begin, because their end may never be seen; traced, and put into the heat map, when it is. */
#ifndef IOL_RUNTIME_MPIIO_H
#define IOL_RUNTIME_MPIIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order of the counters. */
typedef enum iol__mpiio_kind {
    IOL_MPIIO_INDEPENDENT,
    IOL_MPIIO_COLLECTIVE,
    IOL_MPIIO_SPLIT,
    IOL_MPIIO_NONBLOCKING,
} iol__mpiio_kind;

#define IOL_MPIIO_NOWHERE INT64_C(-1) /* an offset that nobody knows */

/* One call that moved bytes, or began to. */
typedef struct iol__mpiio_transfer {
    bool write;
    iol__mpiio_kind kind;
    int64_t bytes;  /* requested */
    int64_t offset; /* in the file, or IOL_MPIIO_NOWHERE */
    double begin, end;
    uint32_t mark; /* of the chain of callers, of a traced file; filled in by the runtime */
} iol__mpiio_transfer;

/* Which bytes of a file a handle sees: tiles of `extent` bytes, one after the other from `displacement` on, of which
   `bytes` are seen, in one piece that begins `start` into the tile. Positions count in units. */
typedef struct iol__mpiio_view {
    int64_t displacement, unit;
    int64_t bytes; /* 0: the pieces are several, and offsets do not follow from this */
    int64_t start, extent;
} iol__mpiio_view;

typedef struct iol__mpiio_opening {
    int64_t mode;
    bool collective; /* by several processes */
    bool hinted;     /* with an info object */
    bool sequential; /* positions must not be asked for */
    double begin, end;
} iol__mpiio_opening;

typedef struct iol__mpiio_file iol__mpiio_file; /* what a program's handle stands for */

/* What it begins with, for callers on the way of every transfer. */
typedef struct iol__mpiio_seen {
    bool positioned; /* positions are wanted: the file is traced, and has them */
} iol__mpiio_seen;

/* An operation that is under way. The first part is for those who ask after several: a list, places in it, and which
   list that is. */
typedef struct iol__mpiio_operation {
    struct iol__mpiio_operation *also;
    size_t place;
    uint64_t turn;
    uint64_t request;
    struct iol__mpiio *of; /* NULL: it is done */
    iol__mpiio_transfer transfer;
    struct iol__mpiio_operation *next; /* of those that are under way, or of those that are not */
} iol__mpiio_operation;

struct iol__mpiio_calls {
    /* NULL if it is not to be recorded. */
    iol__mpiio_file *(*opened)(uint64_t handle, const char *path, const iol__mpiio_opening *opening);
    /* Whether they are asked for: the first time, and when what they come from, a number that is not 0, is another. */
    bool (*hints_wanted)(iol__mpiio_file *file, uint64_t from);
    /* The hints in force: keys and values, each ended by NUL, keys and values taking turns. */
    void (*hints)(iol__mpiio_file *file, const char *pairs, size_t length);
    /* The file of a handle, NULL if it is not recorded. */
    iol__mpiio_file *(*find)(uint64_t handle);
    /* The offset in the file of a position in the view, or IOL_MPIIO_NOWHERE. */
    int64_t (*offset)(const iol__mpiio_file *file, int64_t position);
    void (*viewed)(iol__mpiio_file *file, const iol__mpiio_view *view, bool hinted, double begin, double end);
    void (*synced)(iol__mpiio_file *file, double begin, double end);
    /* In two halves, because the handle may be somebody else's as soon as the call is made. */
    iol__mpiio_file *(*closing)(uint64_t handle);
    void (*closed)(iol__mpiio_file *file, bool failed, double begin, double end);
    void (*transfer)(iol__mpiio_file *file, const iol__mpiio_transfer *transfer);
    void (*split_begun)(iol__mpiio_file *file, const iol__mpiio_transfer *transfer);
    void (*split_ended)(iol__mpiio_file *file, double begin, double end);
    /* Whether one more is under way now. Not if it took the place of another one of the same request, or cannot be
       kept and counts as done. */
    bool (*begun)(iol__mpiio_file *file, uint64_t request, const iol__mpiio_transfer *transfer);
    /* The operation of a request, NULL if it is none of these. */
    iol__mpiio_operation *(*operation)(uint64_t request);
    /* It is seen to be done, by a call that took this long. False if that was known. */
    bool (*done)(iol__mpiio_operation *operation, double begin, double end);
};

extern const struct iol__mpiio_calls iol__mpiio_calls;

/* At the end: what was begun and never seen to be done. */
void iol__mpiio_finish(void);
/* In a forked child nothing is under way. */
void iol__mpiio_reset(void);
/* The hints of all files that have any, as lines of JSON (docs/log-format.md, HINT); 0 if there are none. The memory
   stays. */
size_t iol__mpiio_hints(const char **text);

#endif
