/* Which line of Python is being executed by this thread, read from the interpreter's own structures. Nothing is called that
   counts references, and nothing is read but what belongs to this thread's frames, which stay as they are while it is in a
   function of C, with or without the interpreter's lock. */
#ifndef IOL_RUNTIME_WHERE_PYTHON_H
#define IOL_RUNTIME_WHERE_PYTHON_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/where/object.h"

enum { IOL_PYTHON_FRAMES = 16 };

typedef struct iol__python_frame {
    uintptr_t frame; /* the interpreter's */
    uintptr_t code;  /* the code object */
    uintptr_t at;    /* the instruction */
    uint32_t check;  /* differs where the code object is another one at the same place */
} iol__python_frame;

/* Finds out of which version an interpreter is; once is enough. With the lock of the chains held. */
void iol__python_meet(const iol__object *interpreter);
/* The innermost frame of this thread; false if there is none, or the interpreter is not of a known version. */
bool iol__python_first(const iol__object *interpreter, iol__python_frame *frame);
bool iol__python_next(iol__python_frame *frame);
/* The name of the function's record, as record/where.h has it, its key and the line; "" if something of it is not as
   expected. The text is good until the next call. With the lock of the chains held. */
const char *iol__python_describe(const iol__python_frame *frame, uint64_t *key, uint32_t *line);

#endif
