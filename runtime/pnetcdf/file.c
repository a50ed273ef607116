/* Counters of PnetCDF files. */
#include <fcntl.h>
#include <string.h>

#include "runtime/pnetcdf/pnetcdf.h"

#define INTS(state) ((int64_t *)(state)->record + 2)
#define REALS(state) ((double *)(void *)(INTS(state) + IOL_PNETCDF_FILE_INTS))

typedef struct iol__nc_file_state {
    iol__state state;
    double last_meta, last_wait; /* ends of the latest calls */
} iol__nc_file_state;

static void begin_record(iol__state *state, void *record) {
    iol__nc_file_state *p = (iol__nc_file_state *)(void *)state;
    (void)record;
    p->last_meta = p->last_wait = 0;
}

iol__runtime_module iol__pnetcdf_file_module = {
    .slot = IOL_SLOT_PNETCDF_FILE,
    .version = 3,
    .record_bytes = 16 + 8 * (IOL_PNETCDF_FILE_INTS + IOL_PNETCDF_FILE_REALS),
    .state_bytes = sizeof(iol__nc_file_state),
    .begin = begin_record,
    .reset = iol__pnetcdf_reset, /* of both modules */
};

/* The record with its guard taken, NULL if there is none. It is made here also for a file that was inherited by a fork.
   */
static iol__nc_file_state *enter(iol__nc_file *handle) {
    if (!handle || !handle->file) return NULL;
    if (!handle->state || !handle->state->record)
        handle->state = iol__state_of(handle->file, &iol__pnetcdf_file_module);
    if (!handle->state) return NULL;
    if (!iol__guard_enter(&handle->state->guard)) {
        iol__count_lost();
        return NULL;
    }
    return (iol__nc_file_state *)(void *)handle->state;
}

static void leave(iol__nc_file_state *p) { iol__guard_leave(&p->state.guard); }

static void add_meta(iol__nc_file_state *p, const iol__nc_call *call) {
    iol__add_time(&p->last_meta, &REALS(&p->state)[IOL_PNETCDF_FILE_F_META_TIME], call->begin, call->end);
}

void iol__nc_opened(int number, const char *path, int counter, const iol__nc_call *call) {
    bool excluded = false;
    iol__file *file = iol__file_at(AT_FDCWD, iol__path_without_prefix(path), &excluded);
    iol__nc_file_state *p = enter(iol__nc_file_add(number, file));
    if (!p) return;
    double *reals = REALS(&p->state);
    INTS(&p->state)[counter]++;
    iol__stamp(&reals[IOL_PNETCDF_FILE_F_OPEN_START_TIMESTAMP], &reals[IOL_PNETCDF_FILE_F_OPEN_END_TIMESTAMP],
               call->begin, call->end);
    add_meta(p, call);
    leave(p);
}

/* What could not be found out once is not known for good. */
static void add_total(int64_t *counter, int64_t bytes) {
    if (*counter >= 0) *counter = bytes < 0 ? -1 : *counter + bytes;
}

void iol__nc_closing(int number) {
    iol__nc_file *handle = iol__nc_file_find(number);
    if (!handle) return;
    const int64_t got = iol__nc_bytes(number, IOL_READ), put = iol__nc_bytes(number, IOL_WRITE);
    iol__nc_file_state *p = enter(handle);
    if (!p) return;
    add_total(&INTS(&p->state)[IOL_PNETCDF_FILE_BYTES_READ], got);
    add_total(&INTS(&p->state)[IOL_PNETCDF_FILE_BYTES_WRITTEN], put);
    leave(p);
}

void iol__nc_closed(int number, const iol__nc_call *call) {
    iol__nc_file_state *p = enter(iol__nc_file_find(number));
    if (p) {
        double *reals = REALS(&p->state);
        iol__stamp(&reals[IOL_PNETCDF_FILE_F_CLOSE_START_TIMESTAMP], &reals[IOL_PNETCDF_FILE_F_CLOSE_END_TIMESTAMP],
                   call->begin, call->end);
        add_meta(p, call);
        leave(p);
    }
    iol__nc_file_drop(number);
}

void iol__nc_managed(int number, int counter, const iol__nc_call *call) {
    iol__nc_file_state *p = enter(iol__nc_file_find(number));
    if (!p) return;
    if (counter >= 0) INTS(&p->state)[counter]++;
    add_meta(p, call);
    leave(p);
}

void iol__nc_waited(int number, int counter, const iol__nc_call *call) {
    iol__nc_file_state *p = enter(iol__nc_file_find(number));
    if (!p) return;
    double *reals = REALS(&p->state);
    INTS(&p->state)[counter]++;
    iol__stamp(&reals[IOL_PNETCDF_FILE_F_WAIT_START_TIMESTAMP], &reals[IOL_PNETCDF_FILE_F_WAIT_END_TIMESTAMP],
               call->begin, call->end);
    iol__add_time(&p->last_wait, &reals[IOL_PNETCDF_FILE_F_WAIT_TIME], call->begin, call->end);
    leave(p);
}
