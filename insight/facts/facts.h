/* Facts of one log, gathered in one pass: what the job was, sums of every counter, and for every file what each layer
   did to it. Rules and metrics only look here, so that a log is read once however many rules there are. Nothing is
   judged in this file: values are as the writer measured them, minus those that cannot be.
   Memory is a few hundred bytes per file: what most files lack (a second rank, the other direction) is not stored. */
#ifndef IOL_INSIGHT_FACTS_H
#define IOL_INSIGHT_FACTS_H

#include "iolite/log.h"
#include "log/figures/figures.h"
#include "schema/schema.h"

/* Sums of a module ---------------------------------------------------------------------------------------------- */

/* Integers below zero (-1: not measured) and doubles that are not numbers are left out. Doubles below zero are not:
   clocks of threads give small ones. Integer sums stop at INT64_MAX. Index with the enums of schema.h, as in
   sums->ints[IOL_POSIX_READS]. */
typedef struct iol__facts_sums {
    uint64_t records;
    int64_t *ints; /* as many as the module has; zeros where there are no records, but never NULL */
    double *reals;
    double *impossible; /* sums of the integers below -1, which the reference adds like any other */
} iol__facts_sums;

typedef struct iol__facts_module {
    iol_module module;
    bool listed;           /* the log has it, perhaps without a record */
    bool readable;         /* its records could be read, at least some of them */
    iol__facts_sums all;   /* over all records */
    iol__facts_sums whole; /* over the records of all ranks together (rank -1) only */
    int64_t *max_ints;     /* largest value over all records, at least 0 */
    double *max_reals;
    uint64_t odd; /* records with a count or time of traffic that cannot be: -1 or less, or no number */
} iol__facts_module;

/* Files --------------------------------------------------------------------------------------------------------- */

/* The layers that move bytes of a file. The order is that of rank: where a file has been used through several, the
   first of them is the one whose time the program waited for. DFS and DAOS stand beside, they do not pass through
   POSIX. */
typedef enum iol__facts_layer {
    IOL_LAYER_MPIIO,
    IOL_LAYER_POSIX,
    IOL_LAYER_STDIO,
    IOL_LAYER_DFS,
    IOL_LAYER_DAOS,
    IOL_LAYERS,
} iol__facts_layer;

extern const int iol__facts_slots[IOL_LAYERS]; /* the module of each layer */

typedef enum iol__facts_direction { IOL_READ, IOL_WRITE, IOL_DIRECTIONS } iol__facts_direction;

typedef enum iol__facts_sharing {
    IOL_SHARING_UNIQUE,  /* records of one rank */
    IOL_SHARING_PARTIAL, /* no record of all ranks, but of at least two */
    IOL_SHARING_SHARED,  /* a record of all ranks together */
} iol__facts_sharing;

/* One direction of one file in one layer, summed over its records. What a layer does not count is 0, and so is what was
   not measured or cannot be. */
/* Releases before 3.x counted offsets up to 2^31-1 where programs had no larger ones: how far a file with that offset
   reaches is not known. */
enum { IOL_EXTENT_UNKNOWN = -2 };

typedef struct iol__facts_traffic {
    int64_t ops, bytes; /* MPI-IO: calls of every kind together; see iol__facts_mpiio */
    int64_t max_byte; /* highest offset touched, inclusive; -1: nothing, or the layer does not tell (MPI-IO, DFS, DAOS);
                           IOL_EXTENT_UNKNOWN */
    int64_t bins[IOL_SIZE_BUCKETS];
    int64_t seq, consec;
    int64_t random;    /* not sequential, beyond the one first access of every open (POSIX) */
    int64_t below_mib; /* requests below 1 MiB: the first five bins without those known to be exactly 1 MiB */
    int64_t excess;    /* most bytes that one rank alone moved beyond its highest offset; 0 if none did */
    double time;       /* writes: syncs included */
    double slowest;    /* the single slowest call */
    int64_t slowest_size;
    double first, last; /* seconds since job start, of the first start and the last end; 0: never */
} iol__facts_traffic;

/* The record of all ranks together, as the writer left it: raw values, also impossible ones. */
typedef struct iol__facts_whole {
    uint64_t number;               /* of the record among those of its module, from 0 */
    int64_t bytes[IOL_DIRECTIONS]; /* of this record */
    int64_t ops[IOL_DIRECTIONS];
    int64_t small[IOL_DIRECTIONS]; /* in the first five bins, 1 MiB included */
    double time[IOL_DIRECTIONS], meta_time;
    int64_t fastest_rank, slowest_rank; /* by time */
    int64_t fastest_bytes, slowest_bytes;
    double fastest_time, slowest_time;
    double variance_time, variance_bytes; /* over all ranks */
} iol__facts_whole;

/* Over the records of single ranks. Only files with at least two of them have it. */
typedef struct iol__facts_ranks {
    int64_t min_bytes[IOL_DIRECTIONS], max_bytes[IOL_DIRECTIONS];
    int64_t fastest_rank, slowest_rank; /* by read + write + meta time */
    int64_t fastest_bytes, slowest_bytes;
    double fastest_time, slowest_time;
    double time;                              /* of all of them */
    double bytes, squares;                    /* sums of bytes, and of their squares */
    double time_squares;                      /* sum of squares of time */
    double direction_bytes[IOL_DIRECTIONS];   /* by direction */
    double direction_squares[IOL_DIRECTIONS]; /* sums of squares of bytes by direction */
    uint32_t movers[IOL_DIRECTIONS], openers; /* ranks that moved bytes; that opened the file */
} iol__facts_ranks;

/* One of the values a writer found most often, and how often. 0, 0: the slot is free. */
typedef struct iol__facts_common {
    int64_t value, count;
} iol__facts_common;

enum { IOL_COMMON = 4 };

/* What one layer did to a file. */
typedef struct iol__facts_use {
    const iol__facts_traffic *direction[IOL_DIRECTIONS]; /* never NULL */
    const iol__facts_whole *whole;                       /* NULL without a record of all ranks */
    const iol__facts_ranks *ranks;                       /* NULL without records of two ranks */
    const iol__facts_common *sizes;                      /* IOL_COMMON entries, most common first; never NULL */
    const iol__facts_common *strides;                    /* the same for POSIX; never NULL */
    uint32_t records;                                    /* of single ranks; a rank has one per file */
    int32_t rank;                                        /* whose the first of them is; -1 if there is none */
    int64_t opens; /* real ones: not those of fileno and dup (POSIX), fdopen (STDIO) */
    int64_t stats, seeks;
    int64_t syncs;   /* fsync and fdatasync; MPI_File_sync; fflush */
    int64_t renames; /* to another name */
    int64_t mmaps;
    int64_t rw_switches;
    int64_t mem_not_aligned, file_not_aligned;
    int64_t mem_alignment, file_alignment; /* largest of the records'; 0 or below: unknown */
    double meta_time;
    double first_open, last_open, last_close; /* seconds since job start; 0: never */
    double close_span; /* longest time between the first close's start and the last one's end in a record */
} iol__facts_use;

/* Calls through MPI-IO by kind. */
typedef struct iol__facts_mpiio {
    int64_t indep_opens, coll_opens;
    int64_t indep[IOL_DIRECTIONS], coll[IOL_DIRECTIONS], split[IOL_DIRECTIONS], nonblocking[IOL_DIRECTIONS];
    int64_t hints, views;
} iol__facts_mpiio;

/* HDF5: the file (H5F) and its datasets (H5D). */
typedef struct iol__facts_hdf5 {
    uint32_t file_records, dataset_records;
    bool mpiio; /* opened through the MPI-IO driver, or a dataset was moved collectively */
    int64_t opens, flushes;
    double meta_time;
    int64_t reads, writes, bytes[IOL_DIRECTIONS]; /* of datasets */
    int64_t dataset_opens, dataset_flushes;
    int64_t regular, irregular, points; /* selections */
    uint32_t collective;                /* dataset records with collective transfers */
    int64_t indep_ops, indep_bytes;     /* of dataset records without */
    double time[IOL_DIRECTIONS], dataset_meta_time;
    double first_s, last_s; /* when the first dataset call began and the last one ended; both 0: not known */
    /* Chunked datasets whose mean request is below a quarter of a chunk, and the one of them with most requests. */
    uint32_t partial_chunks;
    int64_t partial_ops, partial_pieces, partial_bytes; /* a piece: what an operation takes of one chunk */
    uint64_t worst_dataset;
    int64_t worst_ops, worst_bytes, worst_chunk; /* chunk in bytes */
    /* Datasets in chunks so small that each costs more than its data: chunks that were moved, their bytes and seconds. */
    double tiny_chunks, tiny_chunk_bytes, tiny_chunk_s;
} iol__facts_hdf5;

/* PnetCDF: the file and its variables. */
typedef struct iol__facts_pnetcdf {
    uint32_t file_records, variable_records;
    int64_t opens, redefs, waits_indep, waits_coll, syncs;
    int64_t file_bytes[IOL_DIRECTIONS]; /* the library's own header traffic included */
    int64_t indep[IOL_DIRECTIONS], coll[IOL_DIRECTIONS], nonblocking[IOL_DIRECTIONS], bytes[IOL_DIRECTIONS];
    double time[IOL_DIRECTIONS];
} iol__facts_pnetcdf;

/* One component of a Lustre layout. */
typedef struct iol__facts_stripes {
    int64_t size, count, start, end; /* end -1: of the file */
    const int64_t *osts;             /* `count` of them */
} iol__facts_stripes;

typedef struct iol__facts_lustre {
    uint32_t components;
    const iol__facts_stripes *stripes;
    int64_t fs_osts, fs_mdts; /* of the file system that it is on; 0: the log does not tell */
} iol__facts_lustre;

typedef struct iol__facts_file {
    uint64_t id;
    const iol__facts_use *layer[IOL_LAYERS]; /* NULL: not used through it */
    const iol__facts_mpiio *mpiio;           /* not NULL where layer[IOL_LAYER_MPIIO] is not */
    const iol__facts_hdf5 *hdf5;             /* NULL: no record of H5F or H5D */
    const iol__facts_pnetcdf *pnetcdf;
    const iol__facts_lustre *lustre;
} iol__facts_file;

/* Ranks --------------------------------------------------------------------------------------------------------- */

/* What one rank did to files that have records of single ranks. */
typedef struct iol__facts_rank {
    double time[IOL_DIRECTIONS], meta_time;
    int64_t bytes[IOL_DIRECTIONS], ops[IOL_DIRECTIONS];
    uint32_t files;
} iol__facts_rank;

typedef struct iol__facts_layer_ranks {
    const iol__facts_rank *ranks; /* NULL: no record of a single rank */
    size_t count;                 /* highest rank with a record, plus 1 */
    /* Sums over the records of all ranks, for shares of a rank: exact for none of them. */
    double whole_meta;        /* metadata time */
    double whole_meta_capped; /* the same, with no more than its slowest rank's time per file */
    double whole_slowest;     /* its slowest rank's time per file */
} iol__facts_layer_ranks;

/* The log ------------------------------------------------------------------------------------------------------- */

enum { IOL_FACTS_RANKS = 1 << 20 }; /* ranks that get figures of their own */

/* MPI-IO records with more than 1000 independent calls of which more than half went one way. */
enum { IOL_FACTS_DETAILS = 10 };
typedef struct iol__facts_independent {
    uint64_t count;
    struct {
        uint64_t id;
        int64_t rank, ops, all;
    } first[IOL_FACTS_DETAILS];
} iol__facts_independent;

/* Application hints as the trailer of Iolite's logs has them are not here, nor are heat maps and traces: ask for the
   latter with a visitor, so that they are read in the same pass. */
typedef struct iol__facts {
    iol_log *log; /* stays open as long as the facts */
    const iol_info *info;
    const iol_job *job;
    int64_t processes; /* at least 1 */
    bool narrow;       /* offsets of 2^31-1 are not known, see IOL_EXTENT_UNKNOWN */
    double run_time;   /* 0 where unknown: killed, still running, or no sensible value */
    iol__facts_module modules[IOL_SLOTS_KNOWN];
    uint64_t partial;      /* bit s: data of slot s is incomplete */
    uint64_t unreadable;   /* bit s: nothing of it could be read: damaged, or of a form that is not known */
    uint64_t damaged;      /* bit s: it is damaged, and was read up to there */
    uint64_t odd;          /* records with a value that cannot be, over all modules */
    uint64_t no_rank;      /* records of ranks from IOL_FACTS_RANKS on, or of none: no figures by rank */
    uint64_t no_file;      /* records beyond what a log of this size can justify: only in the sums */
    iol__facts_file *file; /* n_files of them, by first appearance */
    size_t n_files;        /* with a record in any module above; not the records that stand for no file */
    iol__facts_layer_ranks ranks[IOL_LAYERS];
    iol__figures figures;   /* of the job: what everybody prints */
    const double *top_time; /* by rank: time in files of its own, each counted in its top layer; n_top of them */
    size_t n_top;
    /* Seconds the job waited for I/O: for each shared file its slowest rank in the top layer, and the slowest rank's
       time in files of its own. DFS and DAOS are layers of their own in both sums. */
    double io_time;
    /* What only a look at single records gives, for the compatible mode. */
    uint64_t slow_meta_records; /* POSIX records with more than 30 s of iol__facts_reference_meta() */
    iol__facts_independent independent[IOL_DIRECTIONS];

    struct iol__facts_store *store; /* private */
} iol__facts;

/* Called for each record of DXT_POSIX, DXT_MPIIO and HEATMAP: segments may be read from the iterator. Files of traces
   are in the table by then. */
typedef void (*iol__facts_visitor)(void *context, iol__facts *facts, iol_records *records, const iol_record *record);

/* Called for each record that counts, of any other module, as it is read. */
typedef void (*iol__facts_watcher)(void *context, iol_log *log, const iol_record *record);

/* Read the whole log. Without a visitor (NULL), traces and heat maps are not read at all. What is damaged is left out
   and noted in the log. False, and nothing to free, when there is no memory for it. */
bool iol__facts_make(iol_log *log, iol__facts_visitor visitor, void *context, iol__facts *facts);
/* The same with a watcher (NULL: nobody). */
bool iol__facts_make_watched(iol_log *log, iol__facts_visitor visitor, void *context, iol__facts_watcher watcher,
                             void *watching, iol__facts *facts);
void iol__facts_free(iol__facts *facts);

/* Whether any part of the log is damaged, as far as it has been read. */
bool iol__facts_damaged(const iol__facts *facts);

/* A file by its record id, or NULL. */
const iol__facts_file *iol__facts_find(const iol__facts *facts, uint64_t id);
/* Its name, or NULL. Names are read from the log at the first call. */
const char *iol__facts_name(const iol__facts *facts, const iol__facts_file *file);
/* Its mount point and file system type, "UNKNOWN" both if there is none. */
void iol__facts_mount(const iol__facts *facts, const iol__facts_file *file, const char **point, const char **type);

/* The sum of two counts, which stops at the largest. What is below zero counts as nothing. */
static inline int64_t iol__facts_plus(int64_t sum, int64_t value) {
    int64_t total = (int64_t)((uint64_t)sum + (uint64_t)(value > 0 ? value : 0));
    return total < 0 ? INT64_MAX : total;
}

/* A use of a layer without a single operation, to spare callers a test. */
extern const iol__facts_use iol__facts_unused;
static inline const iol__facts_use *iol__facts_layer_of(const iol__facts_file *file, iol__facts_layer layer) {
    return file->layer[layer] ? file->layer[layer] : &iol__facts_unused;
}

/* Requests of at most 1 MiB: the first five bins. */
static inline int64_t iol__facts_small(const iol__facts_traffic *traffic) {
    int64_t small = 0;
    for (int bin = 0; bin < 5; bin++) small = iol__facts_plus(small, traffic->bins[bin]);
    return small;
}

/* The first layer that a file was used through, or NULL; `layer` may be NULL. A descriptor that was only opened to make
   a stream of it (open and fdopen) is not what the file was used through. */
const iol__facts_use *iol__facts_top(const iol__facts_file *file, iol__facts_layer *layer);
/* Whether a layer of a file counts in the figures of the job (log/figures/figures.def), and over those that do: any
   value, bytes in one direction, time of all ranks, and of the slowest one. */
bool iol__facts_counts(const iol__facts_file *file, int layer);
double iol__facts_over_layers(const iol__facts_file *file, double (*value)(const iol__facts_use *use));
double iol__facts_file_bytes(const iol__facts_file *file, iol__facts_direction direction);
double iol__facts_file_time(const iol__facts_file *file);
double iol__facts_file_slowest(const iol__facts_file *file);
iol__facts_sharing iol__facts_sharing_of(const iol__facts_use *use);
/* The sharing of a file over all its layers: the widest. */
iol__facts_sharing iol__facts_file_sharing(const iol__facts_file *file);
/* Ranks that have a record, or all of the job's for a record of all. */
int64_t iol__facts_rank_count(const iol__facts *facts, const iol__facts_use *use);
/* How many ranks carried the bytes: k if k ranks moved the same and the others nothing. Below 0: unknown, no bytes. */
double iol__facts_effective_ranks(const iol__facts *facts, const iol__facts_use *use);
/* Read, write and meta time of all ranks together. */
double iol__facts_time(const iol__facts_use *use);
/* That of the slowest rank. */
double iol__facts_slowest_time(const iol__facts_use *use);
/* The slowest rank's time beyond the mean over ranks, in the record of all ranks; 0 without one. */
double iol__facts_time_excess(const iol__facts *facts, const iol__facts_use *use);
/* A POSIX metadata time as the reference's reader hands it to its rules: in logs of the other byte order it forgets to
   swap this one, up to record version 3. For the compatible mode, which has to see what it saw. */
double iol__facts_reference_meta(const iol__facts *facts, double seconds);

#endif
