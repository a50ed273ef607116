/* Records of modules that were added from outside (include/iolite/module.h), with what is needed to understand them: a
   list of blocks, in mapped files in an area of their own, in finished logs in the trailer section MODS. There two words
   come first, IOL_CUSTOM_MARK and IOL_CUSTOM_VERSION; a reader for whom the mark is the wrong way round swaps all numbers.

   Every block begins with its kind and its length, a multiple of 8, so that unknown ones can be passed over.

     SCHEMA   a module: its number in this list, its counters. Comes before what it is about
     RANK     blocks behind it are of this rank; before the first one, of rank 0
     RECORD   its values, 8 bytes each, then its name, ended by a NUL
     SPAN     from when to when something lasted that a record stands for
     DAMAGE   how many bytes of blocks could not be understood when this list was made from others */
#ifndef IOL_RECORD_CUSTOM_H
#define IOL_RECORD_CUSTOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IOL_TAG_CUSTOM "MODS"
#define IOL_CUSTOM_MARK UINT32_C(0x01020304)

enum {
    IOL_CUSTOM_VERSION = 1,
    IOL_CUSTOM_HEAD = 8,           /* of the section */
    IOL_CUSTOM_MODULES = 32,       /* that a process can have, the one of regions among them */
    IOL_CUSTOM_COUNTERS = 64,      /* of one module */
    IOL_CUSTOM_NAME = 32,          /* of modules and counters, the final NUL included */
    IOL_CUSTOM_TEXT = 160,         /* of units and meanings */
    IOL_CUSTOM_RECORD_NAME = 4096, /* of a record */
    IOL_CUSTOM_SPANS = 4096,       /* of a module and process */
};

enum { IOL_CUSTOM_SCHEMA = 1, IOL_CUSTOM_RANK = 2, IOL_CUSTOM_RECORD = 3, IOL_CUSTOM_SPAN = 4, IOL_CUSTOM_DAMAGE = 5 };

typedef struct iol__custom_head {
    uint32_t kind;
    uint32_t bytes; /* of the whole block */
} iol__custom_head;

enum { IOL_CUSTOM_FAILED = 1 /* its callback at the end crashed, or did not come back */ };

/* Behind it one byte a counter with its kind and one with its rule (iolite_kind, iolite_rule); then texts that end with
   NUL: the name of the module, its meaning, and name, unit and meaning of each counter. */
typedef struct iol__custom_schema {
    iol__custom_head head;
    uint32_t module, version, counters, flags;
    uint64_t folded;     /* names that had no room for a record of their own */
    uint64_t spans_lost; /* and spans */
} iol__custom_schema;

typedef struct iol__custom_rank {
    iol__custom_head head;
    int64_t rank; /* -1: records of all ranks in one */
} iol__custom_rank;

enum {
    IOL_CUSTOM_GONE = 1, /* its values are in another record of that name */
    IOL_CUSTOM_NAMED =
        2, /* its id follows from its name, and is not stored: eight bytes that no compressor makes less */
};

typedef struct iol__custom_record {
    iol__custom_head head;
    uint32_t module, flags;
    uint64_t id; /* of its name, as in the rest of the log */
} iol__custom_record;

typedef struct iol__custom_span {
    iol__custom_head head;
    uint32_t module, flags;
    uint64_t id;       /* of the record */
    uint64_t thread;   /* as in traces */
    double begin, end; /* seconds since the start of the job; an end before the begin: it still lasts */
} iol__custom_span;

typedef struct iol__custom_damage {
    iol__custom_head head;
    uint64_t bytes;
} iol__custom_damage;

_Static_assert(sizeof(iol__custom_schema) == 40 && sizeof(iol__custom_rank) == 16 && sizeof(iol__custom_damage) == 16 &&
                   sizeof(iol__custom_record) == 24 && sizeof(iol__custom_span) == 48,
               "blocks as they are stored");

static inline uint32_t iol__custom_round(size_t bytes) { return (uint32_t)((bytes + 7) & ~(size_t)7); }

/* Letters, digits, '_' and '-', at least one and not more than there is room for. */
static inline bool iol__custom_name_good(const char *name) {
    size_t length = 0;
    for (; name && name[length]; length++) {
        const char c = name[length];
        const bool good =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
        if (!good || length + 1 == IOL_CUSTOM_NAME) return false;
    }
    return length > 0;
}

/* Adds `from` to `into` by the rules of the counters. Values are read and written as they lie in memory. */
void iol__custom_combine(uint8_t *into, const uint8_t *from, const uint8_t *kinds, const uint8_t *rules, size_t count);

#endif
