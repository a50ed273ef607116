/* Which lines of code did the I/O: how the recorder puts it into the log. It is a module as anybody can add one
   (record/custom.h), so that mapped files, spools, MPI and merging treat it as they treat those, and its records are
   texts; what a record is about stands in its name, whose first letter says what it is:

     o KEY BUILD PATH          an object that code was in: the first 32 bits of a hash of its build id, the build id in
                               hexadecimal ("-": it has none, then the key is of the path), its path
     p KEY FUNCTION\tPATH      a function of Python and the file that it is in
     c CHAIN FRAME FRAME ...   a chain of callers, innermost first, under a hash of its frames. A frame is KEY+OFFSET in an
                               object (of the return address, as in the object's file), KEY:LINE in Python, or "?" for
                               all that is not known from there on
     r CHAIN LAYER KIND ID     what was done by a chain to a file (its record id, in hexadecimal; 0: files together). This one
                               has values
     s KEY+OFFSET FUNCTION\tPATH\tLINE\t...   what a frame is called, added by `iolite symbolize`; of inlined functions
                               several, innermost first. LINE 0: not known

   All keys are of what is named, not of addresses, so that records of processes and ranks with the same name are the same
   thing. */
#ifndef IOL_RECORD_WHERE_H
#define IOL_RECORD_WHERE_H

#include <stdint.h>
#include <string.h>

#define IOL_WHERE_MODULE "WHERE"
#define IOL_WHERE_UNKNOWN "?"       /* the chain of calls whose callers could not be found out */
#define IOL_WHERE_FOLDED "<FOLDED>" /* and of those that had no room */

enum { IOL_WHERE_VERSION = 2, IOL_WHERE_FRAMES = 48 /* of a chain */ };

/* Which chain made a traced request: the lower 16 bits of its hash (1 for 0) are its mark, which stands in the last bits of the
   request's times, from version 2 on. Times of the first hundred days stay exact to less than a microsecond, and readers of the format
   find requests as they have always been. Mark 0: not known. */
#define IOL_WHERE_MARKED UINT32_C(0x10000) /* a mark, whatever it is: no mark is 0 */

static inline uint32_t iol__where_mark_of_chain(uint64_t hash) {
    const uint32_t mark = (uint32_t)(hash & 0xffff);
    return mark ? mark : 1;
}

static inline uint32_t iol__where_take_bits(double *time) {
    uint64_t bits;
    memcpy(&bits, time, sizeof bits);
    const uint32_t taken = bits & 0xff;
    bits &= ~UINT64_C(0xff);
    memcpy(time, &bits, sizeof bits);
    return taken;
}

static inline void iol__where_put_bits(double *time, uint32_t put) {
    uint64_t bits;
    memcpy(&bits, time, sizeof bits);
    bits |= put & 0xff;
    memcpy(time, &bits, sizeof bits);
}

/* The mark of a request, whose times are then without it. */
static inline uint32_t iol__where_take_mark(double *start, double *end) {
    const uint32_t low = iol__where_take_bits(start);
    return low | iol__where_take_bits(end) << 8;
}

/* A request does not end before it starts, also with a mark. */
static inline void iol__where_put_mark(double *start, double *end, uint32_t mark) {
    enum { UNIT = 0x100 };
    uint64_t bits;
    iol__where_take_mark(start, end);
    if (*end == *start && *end > 0) {
        memcpy(&bits, end, sizeof bits);
        bits += UNIT;
        memcpy(end, &bits, sizeof bits);
    }
    iol__where_put_bits(start, mark);
    iol__where_put_bits(end, mark >> 8);
}

/* Times that are counted from another point keep the mark. */
static inline void iol__where_shift(double *start, double *end, double shift) {
    if (shift == 0) return;
    const uint32_t mark = iol__where_take_mark(start, end);
    *start += shift;
    *end += shift;
    iol__where_put_mark(start, end, mark);
}

/* The values of a record. */
typedef struct iol__where_values {
    int64_t calls, bytes, time; /* nanoseconds */
} iol__where_values;

enum {
#define LAYER(NAME, name) IOL_WHERE_##NAME,
#define KIND(NAME, name)
#include "record/where.def"
#undef LAYER
#undef KIND
    IOL_WHERE_LAYERS
};

enum { IOL_WHERE_EACH_ONCE = 1 << IOL_WHERE_POSIX | 1 << IOL_WHERE_STDIO }; /* layers that add up to all I/O: bits */

enum {
#define LAYER(NAME, name)
#define KIND(NAME, name) IOL_WHERE_##NAME,
#include "record/where.def"
#undef LAYER
#undef KIND
    IOL_WHERE_KINDS
};

#endif
