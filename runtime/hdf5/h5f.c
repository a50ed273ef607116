/* Counters of HDF5 files. */
#include <fcntl.h>
#include <string.h>

#include "record/hash.h"
#include "runtime/hdf5/hdf5.h"

#define INTS(state) ((int64_t *)(state)->record + 2)
#define REALS(state) ((double *)(void *)(INTS(state) + IOL_H5F_INTS))

enum { NAME_ROOM = 4096 };

typedef struct iol__h5f {
    iol__state state;
    double last; /* end of the latest call */
} iol__h5f;

static void begin_record(iol__state *state, void *record) {
    (void)record;
    ((iol__h5f *)(void *)state)->last = 0;
}

iol__runtime_module iol__h5f_module = {
    .slot = IOL_SLOT_H5F,
    .version = 3,
    .record_bytes = 16 + 8 * (IOL_H5F_INTS + IOL_H5F_REALS),
    .state_bytes = sizeof(iol__h5f),
    .begin = begin_record,
    .reset = iol__hdf5_reset, /* of both modules */
};

static uint64_t spelling_of(const char *path, size_t length) { return iol__hash(path, length, 0); }

iol__file *iol__h5f_file_of(int64_t object) {
    const iol__h5_handle *handle = iol__h5_handle_find(object);
    if (handle) return handle->is_file ? handle->file : handle->within;
    char path[NAME_ROOM];
    bool excluded = false;
    const size_t length = iol__h5_file_name(object, path, sizeof path);
    if (length == 0) return NULL;
    handle = iol__h5_handle_spelt(spelling_of(path, length));
    return handle ? handle->file : iol__file_at(AT_FDCWD, iol__path_without_prefix(path), &excluded);
}

/* Updates ---------------------------------------------------------------------------------------------------------- */

/* The record of a file with its guard taken, NULL if there is none. */
static iol__h5f *enter(iol__file *file) {
    iol__state *state = file ? iol__state_of(file, &iol__h5f_module) : NULL;
    if (!state) return NULL;
    if (iol__guard_enter(&state->guard)) return (iol__h5f *)(void *)state;
    iol__count_lost();
    return NULL;
}

static void leave(iol__h5f *p, const iol__h5_call *call) {
    iol__add_time(&p->last, &REALS(&p->state)[IOL_H5F_F_META_TIME], call->begin, call->end);
    iol__guard_leave(&p->state.guard);
}

static void count_open(iol__h5f *p, const iol__h5_call *call) {
    double *reals = REALS(&p->state);
    INTS(&p->state)[IOL_H5F_OPENS]++;
    iol__stamp(&reals[IOL_H5F_F_OPEN_START_TIMESTAMP], &reals[IOL_H5F_F_OPEN_END_TIMESTAMP], call->begin, call->end);
}

void iol__h5f_opened(int64_t id, const char *path, int64_t fapl, const iol__h5_call *call) {
    bool excluded = false;
    iol__file *file = iol__file_at(AT_FDCWD, iol__path_without_prefix(path), &excluded);
    iol__h5_handle_add(
        &(iol__h5_handle){.id = id, .is_file = true, .spelling = spelling_of(path, strlen(path)), .file = file});
    const iol__h5_quiet quiet = iol__h5_quiet_begin();
    const bool mpiio = iol__h5_uses_mpiio(fapl);
    iol__h5_quiet_end(&quiet);
    iol__h5f *p = enter(file);
    if (!p) return;
    count_open(p, call);
    INTS(&p->state)[IOL_H5F_USE_MPIIO] = mpiio;
    leave(p, call);
}

void iol__h5f_reopened(int64_t id, int64_t old, const iol__h5_call *call) {
    const iol__h5_handle *known = iol__h5_handle_find(old);
    iol__file *file = iol__h5f_file_of(old);
    iol__h5_handle_add(
        &(iol__h5_handle){.id = id, .is_file = true, .spelling = known ? known->spelling : 0, .file = file});
    iol__h5f *p = enter(file);
    if (!p) return;
    count_open(p, call);
    leave(p, call);
}

void iol__h5f_flushed(int64_t object, const iol__h5_call *call) {
    iol__h5f *p = enter(iol__h5f_file_of(object));
    if (!p) return;
    INTS(&p->state)[IOL_H5F_FLUSHES]++;
    leave(p, call);
}

void iol__h5f_closed(iol__h5_handle *handle, const iol__h5_call *call) {
    iol__h5f *p = enter(handle->file);
    if (!p) return;
    double *reals = REALS(&p->state);
    iol__stamp(&reals[IOL_H5F_F_CLOSE_START_TIMESTAMP], &reals[IOL_H5F_F_CLOSE_END_TIMESTAMP], call->begin, call->end);
    leave(p, call);
}
