/* MPI-IO hints that the program itself gave, or that MPI-IO answered with, from the trailer section HINT. Logs without
   that section say nothing about hints: the ones in their metadata are those of the recorder's own log file. */
#ifndef IOL_INSIGHT_HINTS_H
#define IOL_INSIGHT_HINTS_H

#include "base/arena.h"
#include "insight/facts/facts.h"

#define IOL_TAG_HINTS "HINT"

/* 0: unknown. */
typedef struct iol__hints {
    double cb_nodes, cb_buffer;
    double cb_off; /* 1: collective buffering of writes or reads is switched off */
} iol__hints;

/* One for each file of the facts, or NULL if the log has no such section. */
const iol__hints *iol__hints_read(const iol__facts *facts, iol__arena *arena);

#endif
