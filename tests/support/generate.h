/* Logs of any size from a short description: how many ranks, files and modules, filled with numbers that look like those
   of a real job. The same description gives the same bytes. What tests and measurements of writing are fed with. */
#ifndef IOL_TESTS_GENERATE_H
#define IOL_TESTS_GENERATE_H

#include "iolite/log.h"

typedef enum gen_layout {
    GEN_FINISHED,  /* one log of an MPI job */
    GEN_MAPPED,    /* a folder: what each rank of an MPI job leaves when it is killed */
    GEN_PROCESSES, /* the same for as many programs without MPI, started one after the other */
    GEN_RUN,       /* the folder of a run of Iolite: such programs in a spool, and the list of them */
} gen_layout;

typedef struct gen_plan {
    uint64_t ranks;
    uint64_t files;    /* used by one rank each, over all ranks */
    uint64_t shared;   /* used by every rank */
    uint64_t modules;  /* one bit a slot */
    uint64_t segments; /* traced operations a rank, in finished logs */
    bool heatmap;
    bool real; /* every time its own value, as clocks give them; else few different ones */
    uint64_t seed;
    gen_layout layout;
    iol_write_options write;
} gen_plan;

/* Modules with records that can be made up here: those of fixed layout, and LUSTRE. */
bool gen_possible(int slot);
/* A finished log at `to`, or one log per rank in the folder `to`. False with the reason. */
bool gen_write(const gen_plan *plan, const char *to, iol_error *error);

#endif
