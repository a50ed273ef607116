/* What a running process leaves on node-local storage: its records in the layout of an uncompressed log, so that any
   log tool reads them at any instant, and behind the job text a block of facts that only Iolite looks at.

     0      header, 1328 bytes        job, 1080        command line and mounts, 3016
     5424   struct iol__mapped, room for IOL_MAPPED_ROOM bytes
     8192   totals of operations (iol__operation), IOL_OPERATIONS_ROOM of them for each of some groups of threads
     20480  names, then one area per module, then chunks of traced operations; where they are is in the header and here

   A process that ends in order under `iolite run`, or in a batch job, appends the same bytes to the spool of the run or
   the job, without the gaps and with the totals added up in one group: there the names begin at 9728.
   The runtime writes these files, log/ reads them; everything is in the byte order of the machine. */
#ifndef IOL_RECORD_MAPPED_H
#define IOL_RECORD_MAPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "schema/schema.h"

#define IOL_MAPPED_MAGIC "IOLMAPD2"
#define IOL_SPOOL_MAGIC "IOLSPOO2"
/* Names inside a run's directory. */
#define IOL_RUN_SPOOL "spool"
#define IOL_RUN_PROCESSES "processes"
#define IOL_LIST_CUT 0700 /* its mode, once a program that is not recorded could not be listed: that takes no room */
#define IOL_RUN_MESSAGES "messages" /* what went wrong in its processes, a line each; not there if nothing did */
#define IOL_RUN_LOGS "logs"         /* logs that MPI jobs of the run wrote themselves, one path per line */
#define IOL_MAPPED_SUFFIX ".mapped"
#define IOL_SPARE_FILE \
    "spare-" /* mapped files that their processes have done with, for the next ones; a digit follows */

static inline bool iol__name_between(const char *name, const char *beginning, const char *ending) {
    const size_t length = strlen(name), first = strlen(beginning), last = strlen(ending);
    return length >= first + last && memcmp(name, beginning, first) == 0 &&
           memcmp(name + length - last, ending, last) == 0;
}

enum {
    IOL_MAPPED_AT = 5424,
    IOL_MAPPED_OPERATIONS_AT = 8192,
    IOL_MAPPED_SPARE_AT = IOL_MAPPED_OPERATIONS_AT - 32,
    IOL_MAPPED_ROOM = IOL_MAPPED_OPERATIONS_AT - IOL_MAPPED_AT,
    IOL_OPERATIONS_ROOM = 48,
    IOL_OPERATION_GROUPS = 8,
    IOL_OPERATION_GROUP_BYTES = 32 * IOL_OPERATIONS_ROOM,
    IOL_MAPPED_HEAD = IOL_MAPPED_OPERATIONS_AT + IOL_OPERATION_GROUP_BYTES, /* the least there is before the names */
    IOL_MAPPED_NAMES_AT = IOL_MAPPED_OPERATIONS_AT + IOL_OPERATION_GROUPS * IOL_OPERATION_GROUP_BYTES,
    IOL_MAPPED_TARGET = 512,
    IOL_RUN_KEY = 16,
};

/* What a process did of one kind of schema/operations.def. Times are in units of 2^-28 s, as all that the runtime
   measures, so that adding them up is exact and one instruction. */
typedef struct iol__operation {
    uint64_t count;  /* calls that succeeded */
    uint64_t failed; /* and those that did not */
    uint64_t time;   /* of both */
    uint64_t slowest;
} iol__operation;

#define IOL_OPERATION_UNIT 0x1p-28

enum {
#define OPERATION(NAME, name, alone, what) IOL_OPERATION_##NAME,
#include "schema/operations.def"
#undef OPERATION
    IOL_OPERATIONS
};

_Static_assert((int)IOL_OPERATIONS <= (int)IOL_OPERATIONS_ROOM, "there is room for every operation");
_Static_assert(sizeof(iol__operation) * IOL_OPERATIONS_ROOM == IOL_OPERATION_GROUP_BYTES, "a group of totals");

/* How an image of a process ended. */
enum {
    IOL_ENDED_NOT,  /* it runs, or was killed */
    IOL_ENDED_EXIT, /* exit, _exit, return from main */
    IOL_ENDED_EXEC, /* another program took its place */
};

/* How many servers a Lustre file system has; 0: not known. */
typedef struct iol__lustre_total {
    char name[32]; /* "": no file system */
    char mount[88];
    int32_t osts, mdts;
} iol__lustre_total;

enum { IOL_LUSTRE_TOTALS = 4 };

typedef struct iol__mapped {
    char magic[8];
    uint32_t bytes; /* of this struct */
    uint32_t ended; /* IOL_ENDED_* */
    int32_t pid, parent;
    uint64_t born;                    /* iol__born; pid and this name a process, and exec keeps both */
    uint64_t run;                     /* number of the run, 0 without one */
    int64_t zero_s;                   /* the instant that record times count from, real-time clock */
    int64_t zero_ns;                  /* (the job's start in the header is the same instant) */
    double start;                     /* when this image began, relative to that instant */
    double end;                       /* when it ended, 0 before */
    uint64_t trace_at;                /* chunks of traced operations begin here */
    uint64_t trace_bytes;             /* and take this much */
    uint64_t sizes_at;                /* sizes of files, as iol__file_pair, begin here */
    uint64_t sizes_bytes;             /* and take this much */
    uint64_t custom_at;               /* blocks of custom modules (record/custom.h) begin here */
    uint64_t custom_bytes;            /* and take this much */
    uint64_t trace_lost;              /* operations that had no room */
    uint64_t lost;                    /* updates that could not be made */
    uint64_t ring_unseen;             /* operations of io_uring that went to the kernel past the library */
    uint64_t calls_unseen;            /* other system calls on files that were made past libc's functions */
    uint64_t stopped;                 /* 1: it was not recorded to its end */
    uint64_t world;                   /* of an MPI process: a number that its job has and others have not; else 0 */
    int32_t world_rank, world_size;   /* its place among the processes of the job; size 0 without MPI */
    uint8_t key[IOL_RUN_KEY];         /* of the run: nobody but its processes knows it, so what has it is theirs */
    uint64_t name_space;              /* inode of the namespace that the pid is of; 0: not known */
    uint32_t locked;                  /* the mapping holds a lock on this file, and so lives as long as that */
    uint32_t late;                    /* 1: of a rank, what it did after the end of MPI; the rest is in its job's log */
    int64_t run_zero;                 /* when the run began, nanoseconds since the epoch; 0 without one */
    uint64_t folded[IOL_SLOTS_KNOWN]; /* files counted in the record <FOLDED> of each module */
    char target[3][IOL_MAPPED_TARGET];           /* where descriptors 0, 1 and 2 led, "" if never asked */
    iol__lustre_total lustre[IOL_LUSTRE_TOTALS]; /* those that files with a recorded layout are on */
    uint64_t removed_at;                         /* files that were removed, as iol__file_pair, begin here */
    uint64_t removed_bytes;                      /* and take this much */
    uint64_t spaces_unseen;                      /* namespaces of the loader with a libc that is not recorded */
} iol__mapped;

/* Behind the facts, at IOL_MAPPED_SPARE_AT: what a process that takes the file over as a spare one needs to know. */
typedef struct iol__spare {
    uint64_t areas;  /* bit i: area i of the store has a page that is to be emptied */
    uint64_t mounts; /* which table of mounts is behind the command line; 0: not known, or not all of it */
    uint64_t none[2];
} iol__spare;

_Static_assert(sizeof(iol__mapped) <= IOL_MAPPED_SPARE_AT - IOL_MAPPED_AT, "the facts fit before the names");
_Static_assert(sizeof(iol__spare) == IOL_MAPPED_OPERATIONS_AT - IOL_MAPPED_SPARE_AT, "and that behind them");

/* How large a file was when the process first opened it, or when it was last removed. */
typedef struct iol__file_pair {
    uint64_t id;
    union {
        int64_t value; /* bytes */
        double time;
    };
} iol__file_pair;

/* A chunk of traced operations of one file and direction: this head, then `room` segments of 40 bytes (offset, length,
   start, end, thread), of which `used` count. Chunks follow each other without gaps; those of one file and direction
   are in order of time. */
typedef struct iol__trace_chunk {
    uint64_t id;
    uint32_t slot;  /* IOL_SLOT_DXT_POSIX or IOL_SLOT_DXT_MPIIO */
    uint32_t write; /* 1 writes, 0 reads */
    uint32_t room, used;
    uint64_t next; /* the runtime's own note: where in the mapping the next chunk of the same file and direction is */
} iol__trace_chunk;

_Static_assert(sizeof(iol__trace_chunk) == 32, "the head of a chunk");

/* The spool: this head, then frames (record/spool_frame.h), each a mapped file without its gaps. Writers hold an exclusive
   flock, write behind `committed` and then move it; what is behind it is the rest of a writer that was killed, and does
   not count. Of two frames of one image of a process the later one counts. */
typedef struct iol__spool_head {
    char magic[8];
    uint64_t committed; /* bytes of the file that count, this head included */
    uint64_t dropped;   /* processes whose records had no room, in the spool of a job */
    uint64_t charged;   /* bytes of this file that are in the user's sum (record/held.h), in the spool of a job */
} iol__spool_head;

/* The file of processes: one of these for each image that starts, each written by one append. */
typedef struct iol__process_entry {
    uint32_t bytes; /* of the entry, command and padding to 8 included */
    int32_t pid, parent;
    uint32_t command_bytes; /* arguments joined by blanks, not terminated */
    uint64_t born;
    uint64_t run;
    int64_t zero_s, zero_ns; /* as in iol__mapped */
    double start;            /* relative to that */
    uint64_t how;            /* IOL_STARTED_* */
} iol__process_entry;

enum {
    IOL_STARTED_FORKED = 1, /* no program was started: this is the copy of one that a fork made */
    /* Nothing was started: a process that is on the list became a rank of an MPI job; `parent` is its rank. */
    IOL_STARTED_RANK = 2,
    /* Nothing was started: `parent` saw `pid` end at this time, or found that it was about to; `born` is the parent's. A
       rank that calls MPI_Abort says so of itself. What wait says of it is in the bits from IOL_STARTED_STATUS on, 0 if
       nobody had waited yet. */
    IOL_STARTED_ENDED = 16,
    IOL_STARTED_STATUS = 8,
};

_Static_assert(sizeof(iol__process_entry) == 64, "the head of an entry");

/* What `iolite run` hands to every process, as the value of IOLITE_RUN:
     NUMBER-KEY:ZERO_S.NNNNNNNNN:MONOTONIC_NS:RUNNER:DIRECTORY
   number and key in hexadecimal, the rest decimal. ZERO is the real-time clock, MONOTONIC the other one, at the same
   instant. The number is public, it is part of names in directories that others read; the key is not. RUNNER (with its
   colon it may be missing) is in record/runner.h. */
#define IOL_RUN_VARIABLE "IOLITE_RUN"
/* Among variables that the runtime added to the environment of a program (runtime/process/carry.h), the first one. */
#define IOL_CARRIED_VARIABLE "IOLITE_CARRIED"

/* Metadata lines of logs. */
#define IOL_KEY_WORLD "mpi_world"       /* in the log of ranks: the number of their MPI job, hexadecimal */
#define IOL_KEY_MISSING "missing_ranks" /* of whom nothing was found, as in 3,7-9 */
#define IOL_KEY_OFFSET "run_offset" /* in the log of ranks: seconds from the start of the run to that of their job */
#define IOL_KEY_LINKED \
    "linked_log" /* a log of the same run, in the same directory; more have _2, _3 ... at the end of the key */

/* What names a process beside its number: when it was born, in clock ticks since boot, and the namespace of its number. */
enum { IOL_BORN_BITS = 40 };
static inline uint64_t iol__born(uint64_t ticks, uint64_t name_space) {
    return (ticks & ((UINT64_C(1) << IOL_BORN_BITS) - 1)) | name_space << IOL_BORN_BITS;
}

/* A name that took the place of a longer one leaves a rest, which is a name of nobody: id 0, and as many '-' as there were
   bytes left. */
static inline bool iol__name_of_nobody(uint64_t id, const char *name, size_t length) {
    if (id != 0) return false;
    for (size_t i = 0; i < length; i++)
        if (name[i] != '-') return false;
    return true;
}

/* Whether these bytes, the first IOL_MAPPED_HEAD of a file or more, are a mapped file of Iolite. */
bool iol__mapped_is(const uint8_t *bytes, size_t length);
/* The same of the bytes at IOL_MAPPED_AT of a file that is long enough, as many as iol__mapped has. */
bool iol__mapped_has_facts(const void *facts);

/* Steps through chunks, which may be damaged: NULL at the end. Start with *at = 0. A chunk's `used` is never above what
   is there. */
const uint8_t *iol__trace_next(const uint8_t *area, size_t length, size_t *at, iol__trace_chunk *chunk);

#endif
