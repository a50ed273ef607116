/* Inside of the MPI-IO module. */
#ifndef IOL_RUNTIME_MPIIO_MODULE_H
#define IOL_RUNTIME_MPIIO_MODULE_H

#include "runtime/core/common.h"
#include "runtime/core/trace.h"
#include "runtime/mpiio/mpiio.h"

typedef struct iol__mpiio {
    iol__state state;
    double last_time[3];    /* end of the latest read, write, metadata call */
    uint8_t last_direction; /* 0 none, 1 read, 2 write */
    uint8_t bucket;         /* of last_size */
    int64_t last_size;
    uint64_t hints;      /* those that were noted, as a number; 0 for none */
    uint64_t hints_from; /* what they came from, as a number; 0 before they were asked for */
    iol__common_table sizes;
    iol__trace trace;
} iol__mpiio;

struct iol__mpiio_file {
    iol__mpiio_seen seen;
    iol__mpiio *state;
    iol__file *file;
    uint64_t handle;
    bool sequential;
    iol__mpiio_view view;
    iol__mpiio_operation split; /* the one split collective that a file may have under way */
    iol__mpiio_file *next;      /* of all that were ever made */
    iol__mpiio_file *again;     /* of those that are closed */
};

extern iol__runtime_module iol__mpiio_module;

/* The state to record into, NULL if there is none. */
iol__mpiio *iol__mpiio_state_again(iol__mpiio_file *file);
static inline iol__mpiio *iol__mpiio_state(iol__mpiio_file *file) {
    if (IOL_LIKELY(file->state && iol__state_ready(&file->state->state))) return file->state;
    return iol__mpiio_state_again(file);
}
/* A call that went from `begin` to `end` in the name of a transfer: what it counts, and what it costs. */
/* With the mark of the chain of callers that is on the stack now, if the file is traced. */
iol__mpiio_transfer iol__mpiio_marked(const iol__mpiio *p, const iol__mpiio_transfer *transfer);
void iol__mpiio_count(iol__mpiio *p, const iol__mpiio_transfer *transfer);
/* All of a transfer is over. The program was held up for as long as `end - begin` says by its first call, and by its
   last one from `wait` to `end`; 0 if there was no other. */
void iol__mpiio_complete(iol__mpiio *p, const iol__mpiio_transfer *transfer, double wait, double end);
void iol__mpiio_note_hints(iol__mpiio *p, const char *pairs, size_t length);
void iol__mpiio_hints_reset(void);

/* Operations under way (operations.c). */
void iol__mpiio_split_begun(iol__mpiio_file *file, const iol__mpiio_transfer *transfer);
void iol__mpiio_split_ended(iol__mpiio_file *file, double begin, double end);
bool iol__mpiio_begun(iol__mpiio_file *file, uint64_t request, const iol__mpiio_transfer *transfer);
iol__mpiio_operation *iol__mpiio_operation_of(uint64_t request);
bool iol__mpiio_done(iol__mpiio_operation *operation, double begin, double end);
void iol__mpiio_operations_finish(void);
void iol__mpiio_operations_reset(void);

#endif
