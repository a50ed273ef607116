/* From a return address to the one above it. How a function's frame is laid out at one of its instructions follows from the
   unwind tables of its object (.eh_frame), and never changes: so it is worked out once for each return address that is met, as a step
   of a few words, and from then on a step is two loads. Only the stack pointer and the frame pointer are
   followed; a frame that is found in another way ends the chain. */
#ifndef IOL_RUNTIME_WHERE_STEP_H
#define IOL_RUNTIME_WHERE_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/where/object.h"

/* Whether chains can be followed on this processor. */
#if defined(__x86_64__)
#define IOL_WHERE_WALKS 1
#else
#define IOL_WHERE_WALKS 0
#endif

/* Where something is, or what it is relative to. */
enum { IOL_FROM_NOWHERE, IOL_FROM_SP, IOL_FROM_FP, IOL_FROM_CFA };

typedef struct iol__step {
    int32_t cfa, fp, ra;  /* distances */
    uint8_t cfa_from;     /* SP or FP; NOWHERE: the chain ends here */
    uint8_t fp_from;      /* CFA or SP; NOWHERE: the frame pointer is the caller's */
    uint8_t ra_from;      /* CFA or SP */
    bool cfa_there : 1;   /* the frame begins where the word there says */
    bool interrupted : 1; /* the frame above is one that a signal interrupted: its address is that of no call */
    bool top : 1;         /* there is nobody above */
} iol__step;

/* `call`: the address is a return address, so the instruction is the one before. A step that leads nowhere if the tables do
   not say it in a way that is understood. */
iol__step iol__step_at(const iol__object *object, uintptr_t pc, bool call);

#endif
