/* Counters of PnetCDF variables. What is asked of PnetCDF is asked before the record's guard is taken. */
#include <string.h>

#include "runtime/core/text.h"
#include "runtime/mpi/mpi.h"
#include "runtime/pnetcdf/pnetcdf.h"

#define INTS(state) ((int64_t *)(state)->record + 3) /* behind id, rank and the id of the file */
#define REALS(state) ((double *)(void *)(INTS(state) + IOL_PNETCDF_VAR_INTS))

enum { NAME_ROOM = 4096 + IOL_NC_NAME + 1 };

typedef struct iol__nc_variable_state {
    iol__state state;
    double last_time[3];    /* end of the latest read, write, metadata call */
    uint8_t last_direction; /* 0 none, 1 read, 2 write */
    iol__tuples accesses;
} iol__nc_variable_state;

/* Of many variables at once there is no order, and no shape. */
static void begin_record(iol__state *state, void *record) {
    static const int single[] = {IOL_PNETCDF_VAR_RW_SWITCHES, IOL_PNETCDF_VAR_NDIMS, IOL_PNETCDF_VAR_NPOINTS,
                                 IOL_PNETCDF_VAR_DATATYPE_SIZE};
    iol__nc_variable_state *p = (iol__nc_variable_state *)(void *)state;
    memset(p->last_time, 0, sizeof p->last_time);
    p->last_direction = 0;
    iol__tuples_clear(&p->accesses);
    for (size_t i = 0; state->folded && i < sizeof single / sizeof *single; i++)
        ((int64_t *)record + 3)[single[i]] = -1;
}

iol__runtime_module iol__pnetcdf_var_module = {
    .slot = IOL_SLOT_PNETCDF_VAR,
    .version = 1,
    .record_bytes = 24 + 8 * (IOL_PNETCDF_VAR_INTS + IOL_PNETCDF_VAR_REALS),
    .state_bytes = sizeof(iol__nc_variable_state),
    .begin = begin_record,
};

/* Records ---------------------------------------------------------------------------------------------------------- */

static iol__file *variable_named(const iol__file *within, const char *name) {
    char text[NAME_ROOM];
    iol__text to = {text, sizeof text, 0};
    if (within->length + strlen(name) + 2 > sizeof text) return NULL;
    iol__text_bytes(&to, within->name, within->length);
    iol__text_add(&to, ":");
    iol__text_add(&to, name);
    return iol__file_named(text, to.length);
}

/* The variable of a number. One that the program knows without having asked for it has no name yet. */
static iol__nc_variable *variable_of(int file, int number, const char *name) {
    char asked[IOL_NC_NAME];
    iol__nc_shape shape;
    iol__nc_variable *known = iol__nc_variable_find(file, number);
    if (known && !name) return known;
    iol__nc_file *within = iol__nc_file_find(file);
    if (!within || !within->file || !iol__nc_shape_of(file, number, &shape, asked)) return NULL;
    if (!known) known = iol__nc_variable_add(within, number, variable_named(within->file, asked));
    if (known) known->shape = shape;
    return known;
}

static void note_shape(iol__state *state, const iol__nc_variable *variable) {
    if (state->folded) return;
    int64_t *ints = INTS(state);
    ((uint64_t *)state->record)[2] = variable->within->file->id;
    ints[IOL_PNETCDF_VAR_NDIMS] = variable->shape.dimensions;
    ints[IOL_PNETCDF_VAR_NPOINTS] = variable->shape.points;
    ints[IOL_PNETCDF_VAR_DATATYPE_SIZE] = variable->shape.element;
    ints[IOL_PNETCDF_VAR_IS_RECORD_VAR] = variable->shape.records >= 0;
}

/* The record with its guard taken, NULL if there is none. It is made here also for a file that was inherited by a fork.
   */
static iol__nc_variable_state *enter(iol__nc_variable *variable) {
    if (!variable || !variable->file) return NULL;
    const bool fresh = !variable->state || !variable->state->record;
    if (fresh) variable->state = iol__state_of(variable->file, &iol__pnetcdf_var_module);
    if (!variable->state) return NULL;
    if (!iol__guard_enter(&variable->state->guard)) {
        iol__count_lost();
        return NULL;
    }
    if (fresh) note_shape(variable->state, variable);
    return (iol__nc_variable_state *)(void *)variable->state;
}

static void leave(iol__nc_variable_state *p) { iol__guard_leave(&p->state.guard); }

void iol__nc_variable_opened(int file, const char *name, int number, const iol__nc_call *call) {
    iol__nc_variable *variable = variable_of(file, number, name);
    iol__nc_variable_state *p = enter(variable);
    if (!p) return;
    double *reals = REALS(&p->state);
    INTS(&p->state)[IOL_PNETCDF_VAR_OPENS]++;
    note_shape(&p->state, variable);
    iol__stamp(&reals[IOL_PNETCDF_VAR_F_OPEN_START_TIMESTAMP], &reals[IOL_PNETCDF_VAR_F_OPEN_END_TIMESTAMP],
               call->begin, call->end);
    iol__add_time(&p->last_time[IOL_META], &reals[IOL_PNETCDF_VAR_F_META_TIME], call->begin, call->end);
    leave(p);
}

/* Transfers -------------------------------------------------------------------------------------------------------- */

static int64_t product(const long long *count, int64_t dimensions) {
    int64_t points = 1;
    for (int64_t i = 0; count && i < dimensions; i++) points *= count[i];
    return points;
}

static int64_t bytes_of(const iol__nc_variable *variable, const iol__nc_access *access) {
    const iol__nc_shape *shape = &variable->shape;
    int64_t points = 1;
    switch (access->form) {
    case IOL_NC_WHOLE:
        points = shape->points;
        if (shape->records >= 0) points *= iol__nc_length(variable->within->number, shape->records);
        break;
    case IOL_NC_ELEMENT: break;
    case IOL_NC_BOX: points = product(access->count, shape->dimensions); break;
    case IOL_NC_BOXES:
        points = 0;
        for (int i = 0; i < access->boxes; i++)
            points += product(access->counts ? access->counts[i] : NULL, shape->dimensions);
        break;
    case IOL_NC_BY_TYPE: points = iol__mpi_type_bytes(access->filetype); return points < 0 ? 0 : points;
    }
    return points * shape->element;
}

/* Lengths and strides of the last five dimensions, in their order. */
static iol__tuple tuple_of(const iol__nc_variable *variable, const iol__nc_access *access, int64_t size) {
    iol__tuple tuple = {.size = size};
    const int64_t all = variable->shape.dimensions, from = all > IOL_TUPLE_DIMENSIONS ? all - IOL_TUPLE_DIMENSIONS : 0;
    for (int64_t i = from; access->form == IOL_NC_BOX && access->count && i < all; i++) {
        tuple.lengths[i - from] = access->count[i];
        tuple.strides[i - from] = access->stride ? access->stride[i] : 1;
    }
    return tuple;
}

_Static_assert(IOL_PNETCDF_VAR_BYTES_WRITTEN == IOL_PNETCDF_VAR_BYTES_READ + 1 &&
                   IOL_PNETCDF_VAR_COLL_READS == IOL_PNETCDF_VAR_INDEP_READS + 2 &&
                   IOL_PNETCDF_VAR_NB_READS == IOL_PNETCDF_VAR_INDEP_READS + 4 &&
                   IOL_PNETCDF_VAR_INDEP_WRITES == IOL_PNETCDF_VAR_INDEP_READS + 1 &&
                   IOL_PNETCDF_VAR_SIZE_WRITE_AGG_0_100 == IOL_PNETCDF_VAR_SIZE_READ_AGG_0_100 + IOL_SIZE_BUCKETS &&
                   IOL_PNETCDF_VAR_MAX_WRITE_TIME_SIZE == IOL_PNETCDF_VAR_MAX_READ_TIME_SIZE + 1 &&
                   IOL_PNETCDF_VAR_F_WRITE_START_TIMESTAMP == IOL_PNETCDF_VAR_F_READ_START_TIMESTAMP + 1 &&
                   IOL_PNETCDF_VAR_F_WRITE_END_TIMESTAMP == IOL_PNETCDF_VAR_F_READ_END_TIMESTAMP + 1 &&
                   IOL_PNETCDF_VAR_F_WRITE_TIME == IOL_PNETCDF_VAR_F_READ_TIME + 1 &&
                   IOL_PNETCDF_VAR_F_MAX_WRITE_TIME == IOL_PNETCDF_VAR_F_MAX_READ_TIME + 1,
               "reads and writes stand side by side");

static void add_transfer(iol__nc_variable_state *p, const iol__nc_access *access, const iol__tuple *tuple,
                         const iol__nc_call *call) {
    const int direction = (int)access->direction;
    int64_t *ints = INTS(&p->state);
    double *reals = REALS(&p->state);
    ints[access->counter]++;
    ints[IOL_PNETCDF_VAR_INDEP_READS + 2 * access->kind + direction]++;
    ints[IOL_PNETCDF_VAR_BYTES_READ + direction] += tuple->size;
    ints[IOL_PNETCDF_VAR_SIZE_READ_AGG_0_100 + direction * IOL_SIZE_BUCKETS + iol__size_bucket(tuple->size)]++;
    if (p->last_direction && p->last_direction != direction + 1 && !p->state.folded)
        ints[IOL_PNETCDF_VAR_RW_SWITCHES]++;
    p->last_direction = (uint8_t)(direction + 1);
    iol__tuples_add(&p->accesses, tuple, &ints[IOL_PNETCDF_VAR_ACCESS1_ACCESS], &ints[IOL_PNETCDF_VAR_ACCESS1_COUNT]);
    iol__stamp(&reals[IOL_PNETCDF_VAR_F_READ_START_TIMESTAMP + direction],
               &reals[IOL_PNETCDF_VAR_F_READ_END_TIMESTAMP + direction], call->begin, call->end);
    if (call->end - call->begin > reals[IOL_PNETCDF_VAR_F_MAX_READ_TIME + direction]) {
        reals[IOL_PNETCDF_VAR_F_MAX_READ_TIME + direction] = call->end - call->begin;
        ints[IOL_PNETCDF_VAR_MAX_READ_TIME_SIZE + direction] = tuple->size;
    }
    iol__add_time(&p->last_time[direction], &reals[IOL_PNETCDF_VAR_F_READ_TIME + direction], call->begin, call->end);
}

void iol__nc_moved(int file, int number, const iol__nc_access *access, const iol__nc_call *call) {
    iol__nc_variable *variable = variable_of(file, number, NULL);
    if (!variable || !variable->file) return;
    const iol__tuple tuple = tuple_of(variable, access, bytes_of(variable, access));
    iol__nc_variable_state *p = enter(variable);
    if (!p) return;
    add_transfer(p, access, &tuple, call);
    leave(p);
}
