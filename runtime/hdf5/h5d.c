/* Counters of HDF5 datasets. What is asked of HDF5 is asked before the record's guard is taken. */
#include <string.h>

#include "runtime/core/text.h"
#include "runtime/hdf5/hdf5.h"
#include "runtime/where/where.h"

#define INTS(state) ((int64_t *)(state)->record + 3) /* behind id, rank and the id of the file */
#define REALS(state) ((double *)(void *)(INTS(state) + IOL_H5D_INTS))

typedef struct iol__h5d {
    iol__state state;
    double last_time[3];    /* end of the latest read, write, metadata call */
    uint8_t last_direction; /* 0 none, 1 read, 2 write */
    iol__h5_shape shape;    /* when it was opened last */
    iol__tuples accesses;
} iol__h5d;

static const char unnamed[] = "<unnamed>";

/* Of many datasets at once there is no order, and no shape. */
static void begin_record(iol__state *state, void *record) {
    static const int single[] = {IOL_H5D_RW_SWITCHES,   IOL_H5D_DATASPACE_NDIMS, IOL_H5D_DATASPACE_NPOINTS,
                                 IOL_H5D_DATATYPE_SIZE, IOL_H5D_CHUNK_SIZE_D1,   IOL_H5D_CHUNK_SIZE_D2,
                                 IOL_H5D_CHUNK_SIZE_D3, IOL_H5D_CHUNK_SIZE_D4,   IOL_H5D_CHUNK_SIZE_D5};
    iol__h5d *p = (iol__h5d *)(void *)state;
    int64_t *ints = (int64_t *)record + 3;
    memset(p->last_time, 0, sizeof p->last_time);
    p->last_direction = 0;
    iol__tuples_clear(&p->accesses);
    if (!iol__h5_knows_flush()) ints[IOL_H5D_FLUSHES] = -1;
    if (!iol__h5_knows_regular())
        ints[IOL_H5D_REGULAR_HYPERSLAB_SELECTS] = ints[IOL_H5D_IRREGULAR_HYPERSLAB_SELECTS] = -1;
    for (size_t i = 0; state->folded && i < sizeof single / sizeof *single; i++) ints[single[i]] = -1;
}

iol__runtime_module iol__h5d_module = {
    .slot = IOL_SLOT_H5D,
    .version = 2,
    .record_bytes = 24 + 8 * (IOL_H5D_INTS + IOL_H5D_REALS),
    .state_bytes = sizeof(iol__h5d),
    .begin = begin_record,
};

/* Handles and names ------------------------------------------------------------------------------------------------ */

/* The file's name, a colon, the name of the place, and the name that was asked for, with nothing between these two. */
static iol__file *dataset_named(const iol__file *within, const char *place, const char *name) {
    char text[IOL_H5_NAME];
    iol__text to = {text, sizeof text, 0};
    iol__text_bytes(&to, within->name, within->length);
    iol__text_add(&to, ":");
    iol__text_add(&to, place);
    iol__text_add(&to, name);
    return iol__file_named(text, to.length);
}

/* Chunks never change. So one that is opened again, and is as large as it was, has those that it had: to make another
   one of its name, this process would have gone through here. */
static void add_chunk(int64_t id, const iol__file *file, int64_t dcpl, iol__h5_shape *shape) {
    const iol__h5d *known = (const iol__h5d *)(const void *)file->states[iol__h5d_module.index];
    if (dcpl != IOL_H5_NOT_MADE)
        iol__h5_chunk_in(dcpl, shape);
    else if (known && known->shape.element == shape->element && known->shape.dimensions == shape->dimensions &&
             known->shape.points == shape->points)
        memcpy(shape->chunk, known->shape.chunk, sizeof shape->chunk);
    else
        iol__h5_chunk_of(id, shape);
}

static iol__h5_handle *add_handle(int64_t id, iol__file *within, iol__file *file, int64_t dcpl) {
    iol__h5_handle described = {.id = id, .file = file, .within = within};
    if (file && iol__h5_shape_of(id, &described.shape)) add_chunk(id, file, dcpl, &described.shape);
    return iol__h5_handle_add(&described);
}

/* One that was opened in a way that Iolite does not follow, as by a reference. HDF5 would search the whole file for its
   name. */
static iol__h5_handle *discover(int64_t id) {
    const iol__h5_quiet quiet = iol__h5_quiet_begin();
    iol__file *within = iol__h5f_file_of(id);
    iol__h5_handle *handle =
        add_handle(id, within, within ? dataset_named(within, "", unnamed) : NULL, IOL_H5_NOT_MADE);
    iol__h5_quiet_end(&quiet);
    return handle;
}

static void note_shape(iol__state *state, const iol__h5_handle *handle) {
    if (state->folded) return;
    int64_t *ints = INTS(state);
    ((iol__h5d *)(void *)state)->shape = handle->shape;
    ((uint64_t *)state->record)[2] = handle->within->id;
    ints[IOL_H5D_DATASPACE_NDIMS] = handle->shape.dimensions;
    ints[IOL_H5D_DATASPACE_NPOINTS] = handle->shape.points;
    ints[IOL_H5D_DATATYPE_SIZE] = handle->shape.element;
    memcpy(&ints[IOL_H5D_CHUNK_SIZE_D1], handle->shape.chunk, sizeof handle->shape.chunk);
}

/* The record of a dataset with its guard taken, NULL if there is none. It is made here also for a handle that was
   inherited by a fork. */
static iol__h5d *enter(iol__h5_handle *handle) {
    if (!handle || !handle->file) return NULL;
    iol__state *state = handle->state;
    const bool fresh = !state || !state->record;
    if (fresh) state = handle->state = iol__state_of(handle->file, &iol__h5d_module);
    if (!state) return NULL;
    if (!iol__guard_enter(&state->guard)) {
        iol__count_lost();
        return NULL;
    }
    if (fresh) note_shape(state, handle);
    return (iol__h5d *)(void *)state;
}

static void leave(iol__h5d *p) { iol__guard_leave(&p->state.guard); }

/* Metadata --------------------------------------------------------------------------------------------------------- */

static void add_meta(iol__h5d *p, const iol__h5_call *call) {
    iol__add_time(&p->last_time[IOL_META], &REALS(&p->state)[IOL_H5D_F_META_TIME], call->begin, call->end);
}

static iol__h5_handle *open_handle(int64_t id, int64_t place, const char *name, int64_t dcpl) {
    char path[IOL_H5_NAME];
    const iol__h5_quiet quiet = iol__h5_quiet_begin();
    iol__file *within = iol__h5f_file_of(name ? place : id), *file = NULL;
    if (within) {
        iol__h5_object_name(name ? place : id, path, sizeof path);
        file = dataset_named(within, path, name ? name : "");
    }
    iol__h5_handle *handle = add_handle(id, within, file, dcpl);
    iol__h5_quiet_end(&quiet);
    return handle;
}

void iol__h5d_opened(int64_t id, int64_t place, const char *name, int64_t dcpl, bool deprecated,
                     const iol__h5_call *call) {
    if (iol__h5d_module.off) return;
    iol__h5_handle *handle = open_handle(id, place, name, dcpl);
    iol__h5d *p = enter(handle);
    if (!p) return;
    double *reals = REALS(&p->state);
    INTS(&p->state)[IOL_H5D_OPENS]++;
    INTS(&p->state)[IOL_H5D_USE_DEPRECATED] = deprecated;
    iol__stamp(&reals[IOL_H5D_F_OPEN_START_TIMESTAMP], &reals[IOL_H5D_F_OPEN_END_TIMESTAMP], call->begin, call->end);
    add_meta(p, call);
    leave(p);
    iol__where(handle->within ? handle->within->id : 0, IOL_WHERE_HDF5, IOL_WHERE_OPEN, 0, call->begin, call->end);
}

void iol__h5d_flushed(int64_t id, const iol__h5_call *call) {
    iol__h5d *p = enter(iol__h5_handle_find(id));
    if (!p) return;
    if (INTS(&p->state)[IOL_H5D_FLUSHES] >= 0) INTS(&p->state)[IOL_H5D_FLUSHES]++;
    add_meta(p, call);
    leave(p);
}

void iol__h5d_closed(iol__h5_handle *handle, const iol__h5_call *call) {
    iol__h5d *p = enter(handle);
    if (!p) return;
    double *reals = REALS(&p->state);
    iol__stamp(&reals[IOL_H5D_F_CLOSE_START_TIMESTAMP], &reals[IOL_H5D_F_CLOSE_END_TIMESTAMP], call->begin, call->end);
    add_meta(p, call);
    leave(p);
}

/* Transfers -------------------------------------------------------------------------------------------------------- */

_Static_assert(IOL_H5D_WRITES == IOL_H5D_READS + 1 && IOL_H5D_BYTES_WRITTEN == IOL_H5D_BYTES_READ + 1 &&
                   IOL_H5D_SIZE_WRITE_AGG_0_100 == IOL_H5D_SIZE_READ_AGG_0_100 + IOL_SIZE_BUCKETS &&
                   IOL_H5D_MAX_WRITE_TIME_SIZE == IOL_H5D_MAX_READ_TIME_SIZE + 1 &&
                   IOL_H5D_F_WRITE_START_TIMESTAMP == IOL_H5D_F_READ_START_TIMESTAMP + 1 &&
                   IOL_H5D_F_WRITE_END_TIMESTAMP == IOL_H5D_F_READ_END_TIMESTAMP + 1 &&
                   IOL_H5D_F_WRITE_TIME == IOL_H5D_F_READ_TIME + 1 &&
                   IOL_H5D_F_MAX_WRITE_TIME == IOL_H5D_F_MAX_READ_TIME + 1,
               "reads and writes stand side by side");
_Static_assert(IOL_H5D_ACCESS1_COUNT == IOL_H5D_ACCESS1_ACCESS + 4 * IOL_TUPLE_NUMBERS,
               "four accesses, then four counts");

static void add_times(iol__h5d *p, int direction, int64_t size, double begin, double end) {
    double *reals = REALS(&p->state);
    const double took = end - begin;
    iol__stamp(&reals[IOL_H5D_F_READ_START_TIMESTAMP + direction], &reals[IOL_H5D_F_READ_END_TIMESTAMP + direction],
               begin, end);
    if (took > reals[IOL_H5D_F_MAX_READ_TIME + direction]) {
        reals[IOL_H5D_F_MAX_READ_TIME + direction] = took;
        INTS(&p->state)[IOL_H5D_MAX_READ_TIME_SIZE + direction] = size;
    }
    iol__add_time(&p->last_time[direction], &reals[IOL_H5D_F_READ_TIME + direction], begin, end);
}

static void add_selection(int64_t *ints, iol__h5_selected kind) {
    static const int counters[] = {-1, IOL_H5D_POINT_SELECTS, IOL_H5D_REGULAR_HYPERSLAB_SELECTS,
                                   IOL_H5D_IRREGULAR_HYPERSLAB_SELECTS};
    const int counter = counters[kind];
    if (counter >= 0 && ints[counter] >= 0) ints[counter]++;
}

static void add_transfer(iol__h5d *p, iol__direction which, const iol__h5_selection *selection, bool collective,
                         const iol__h5_call *call) {
    const int direction = (int)which;
    const int64_t size = selection->access.size;
    const uint8_t now = (uint8_t)(direction + 1);
    int64_t *ints = INTS(&p->state);
    ints[IOL_H5D_READS + direction]++;
    ints[IOL_H5D_BYTES_READ + direction] += size;
    ints[IOL_H5D_SIZE_READ_AGG_0_100 + direction * IOL_SIZE_BUCKETS + iol__size_bucket(size)]++;
    if (p->last_direction && p->last_direction != now && !p->state.folded) ints[IOL_H5D_RW_SWITCHES]++;
    p->last_direction = now;
    if (collective) ints[IOL_H5D_USE_MPIIO_COLLECTIVE] = 1;
    add_selection(ints, selection->kind);
    iol__tuples_add(&p->accesses, &selection->access, &ints[IOL_H5D_ACCESS1_ACCESS], &ints[IOL_H5D_ACCESS1_COUNT]);
    add_times(p, direction, size, call->begin, call->end);
}

static iol__h5_handle *handle_of(int64_t id) {
    if (iol__h5d_module.off) return NULL;
    iol__h5_handle *handle = iol__h5_handle_find(id);
    if (!handle) handle = discover(id);
    return handle && handle->file && !handle->is_file ? handle : NULL;
}

static void record(iol__h5_handle *handle, iol__direction direction, const iol__h5_selection *selection,
                   bool collective, const iol__h5_call *call) {
    iol__h5d *p = enter(handle);
    if (!p) return;
    add_transfer(p, direction, selection, collective, call);
    leave(p);
    iol__where(handle->within ? handle->within->id : 0, IOL_WHERE_HDF5,
               direction == IOL_WRITE ? IOL_WHERE_WRITE : IOL_WHERE_READ, selection->access.size, call->begin,
               call->end);
}

void iol__h5d_transferred(iol__direction direction, int64_t id, int64_t memory, int64_t space, int64_t dxpl,
                          const iol__h5_call *call) {
    iol__h5_selection selection;
    iol__h5_handle *handle = handle_of(id);
    if (!handle) return;
    iol__h5_selection_of(id, &handle->shape, memory, space, &selection);
    record(handle, direction, &selection, iol__h5_is_collective(dxpl), call);
}

/* The time of the call is divided by size, as if the datasets had had their turn one after the other. */
void iol__h5d_transferred_many(iol__direction direction, size_t n, const int64_t *ids, const int64_t *memories,
                               const int64_t *spaces, int64_t dxpl, const iol__h5_call *call) {
    iol__h5_selection selection;
    double bytes = 0, before = 0;
    for (size_t i = 0; i < n; i++) {
        const iol__h5_handle *handle = handle_of(ids[i]);
        if (!handle) continue;
        iol__h5_selection_of(ids[i], &handle->shape, memories[i], spaces[i], &selection);
        bytes += (double)selection.access.size;
    }
    const double scale = bytes > 0 ? (call->end - call->begin) / bytes : 0;
    const bool collective = n && iol__h5_is_collective(dxpl);
    for (size_t i = 0; i < n; i++) {
        iol__h5_handle *handle = handle_of(ids[i]);
        if (!handle) continue;
        iol__h5_selection_of(ids[i], &handle->shape, memories[i], spaces[i], &selection);
        const double after = before + (double)selection.access.size;
        record(handle, direction, &selection, collective,
               &(iol__h5_call){call->begin + before * scale, call->begin + after * scale});
        before = after;
    }
}

void iol__h5d_chunk(iol__direction direction, int64_t id, const uint64_t *offset, int64_t size, int64_t dxpl,
                    const iol__h5_call *call) {
    iol__h5_handle *handle = handle_of(id);
    if (!handle) return;
    const iol__h5_quiet quiet = iol__h5_quiet_begin();
    if (size < 0) size = iol__h5_chunk_bytes(id, offset);
    iol__h5_quiet_end(&quiet);
    const iol__h5_selection selection = {.kind = IOL_H5_WHOLE, .access.size = size};
    record(handle, direction, &selection, iol__h5_is_collective(dxpl), call);
}
