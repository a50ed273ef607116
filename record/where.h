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

#define IOL_WHERE_MODULE "WHERE"
#define IOL_WHERE_UNKNOWN "?"       /* the chain of calls whose callers could not be found out */
#define IOL_WHERE_FOLDED "<FOLDED>" /* and of those that had no room */

enum { IOL_WHERE_VERSION = 1, IOL_WHERE_FRAMES = 48 /* of a chain */ };

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
