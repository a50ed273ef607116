/* Objects in a row, by numbers that are never given twice; time that passes by itself. */
#include "tests/hdf5/model.h"

#include <stddef.h>
#include <string.h>
#include <sys/types.h>

#include "runtime/lazy/lazy.h"
#include "tests/support/runtime_stubs.h"

enum { OBJECTS = 64, FIRST_ID = 1000, DEFAULT_DRIVER = 7, MPIIO_DRIVER = 8 };

model_library model;
model_object model_dataset;
iol__lazy_functions iol__lazy;

static model_object objects[OBJECTS];
static int64_t next_id = FIRST_ID, grains = 1 << 20;
static void *error_function = &error_function;

model_object *model_find(int64_t id) {
    for (size_t i = 0; i < OBJECTS; i++)
        if (objects[i].kind && objects[i].id == id) return &objects[i];
    return NULL;
}

int64_t model_add(model_object described) {
    size_t at = 0;
    while (at < OBJECTS - 1 && objects[at].kind) at++;
    objects[at] = described;
    objects[at].id = next_id++;
    objects[at].claims = 1;
    return objects[at].id;
}

/* What it is asked for must be there, or it complains. */
static const model_object *of_kind(int64_t id, model_kind kind) {
    static const model_object nothing;
    const model_object *object = model_find(id);
    if (object && (kind == MODEL_FREE || object->kind == kind)) return object;
    if (error_function) model.complaints++;
    return &nothing;
}

static void pass_time(void) { runtime_clock(grains += MODEL_CALL_GRAINS); }

/* Calls of the program --------------------------------------------------------------------------------------------- */

static bool call(void) {
    pass_time();
    if (model.inside) model.inside();
    return !model.fails;
}

static int64_t open_file(const char *path) {
    return call() ? model_add((model_object){.kind = MODEL_FILE, .file = path, .path = "/"}) : -1;
}
static int64_t f_create(const char *path, unsigned flags, int64_t fcpl, int64_t fapl) {
    (void)flags, (void)fcpl, (void)fapl;
    return open_file(path);
}
static int64_t f_open(const char *path, unsigned flags, int64_t fapl) {
    (void)flags, (void)fapl;
    return open_file(path);
}
static int64_t f_reopen(int64_t file) { return open_file(of_kind(file, MODEL_FILE)->file); }
static int f_flush(int64_t object, int scope) {
    (void)object, (void)scope;
    return call() ? 0 : -1;
}

static int64_t open_dataset(int64_t place) {
    model_dataset.kind = model_dataset.kind ? model_dataset.kind : MODEL_DATASET;
    model_dataset.file = of_kind(place, MODEL_FREE)->file;
    return call() ? model_add(model_dataset) : -1;
}
static int64_t d_create1(int64_t place, const char *name, int64_t type, int64_t space, int64_t dcpl) {
    (void)name, (void)type, (void)space, (void)dcpl;
    return open_dataset(place);
}
static int64_t d_open2(int64_t place, const char *name, int64_t dapl) {
    (void)name, (void)dapl;
    return open_dataset(place);
}
static int64_t o_open_by_token(int64_t place, uint64_t token, uint64_t end) {
    return token == 3 && end == 4 ? open_dataset(place) : -1;
}

static int close_object(int64_t id) {
    if (!call()) return -1;
    model_object *object = model_find(id);
    if (!object) return -1;
    if (--object->claims == 0) object->kind = MODEL_FREE;
    return 0;
}
static int i_dec_ref(int64_t id) {
    if (close_object(id) < 0) return -1;
    const model_object *object = model_find(id);
    return object ? object->claims : 0;
}
static int d_flush(int64_t dataset) {
    (void)dataset;
    return call() ? 0 : -1;
}

static int d_read(int64_t dataset, int64_t type, int64_t memory, int64_t space, int64_t dxpl, void *to) {
    (void)dataset, (void)type, (void)memory, (void)space, (void)dxpl, (void)to;
    return call() ? 0 : -1;
}
static int d_write(int64_t dataset, int64_t type, int64_t memory, int64_t space, int64_t dxpl, const void *from) {
    (void)dataset, (void)type, (void)memory, (void)space, (void)dxpl, (void)from;
    return call() ? 0 : -1;
}
static int d_write_multi(size_t n, int64_t *datasets, int64_t *types, int64_t *memories, int64_t *spaces, int64_t dxpl,
                         const void **from) {
    (void)n, (void)datasets, (void)types, (void)memories, (void)spaces, (void)dxpl, (void)from;
    return call() ? 0 : -1;
}

/* What Iolite asks ------------------------------------------------------------------------------------------------- */

static int version(unsigned *major, unsigned *minor, unsigned *patch) {
    *major = model.major, *minor = model.minor, *patch = 3;
    return 0;
}

static int i_get_type(int64_t id) { return of_kind(id, MODEL_FREE)->kind == MODEL_DATASET ? 5 : 2; }
static int i_is_valid(int64_t id) { return model_find(id) != NULL; }

static ssize_t give(const char *text, char *to, size_t room) {
    if (!text) return 0;
    strncpy(to, text, room - 1);
    to[room - 1] = 0;
    return (ssize_t)strlen(text);
}
static ssize_t i_get_name(int64_t id, char *to, size_t room) { return give(of_kind(id, MODEL_FREE)->path, to, room); }
static ssize_t f_get_name(int64_t id, char *to, size_t room) { return give(of_kind(id, MODEL_FREE)->file, to, room); }

static int64_t part_of(int64_t dataset, model_kind kind) {
    model_object copy = *of_kind(dataset, MODEL_DATASET);
    copy.kind = kind;
    copy.selection = MODEL_ALL;
    return model_add(copy);
}
static int64_t d_get_space(int64_t dataset) { return part_of(dataset, MODEL_SPACE); }
static int64_t d_get_list(int64_t dataset) { return part_of(dataset, MODEL_LIST); }
static size_t t_get_size(int64_t list) { return (size_t)of_kind(list, MODEL_LIST)->element; }
static int give_back(int64_t id) {
    model_find(id)->kind = MODEL_FREE;
    return 0;
}

static int s_dims(int64_t space, uint64_t *now, uint64_t *most) {
    const model_object *object = of_kind(space, MODEL_SPACE);
    memcpy(now, object->now, (size_t)object->dimensions * sizeof *now);
    if (most) memcpy(most, object->most, (size_t)object->dimensions * sizeof *most);
    return object->dimensions;
}
static int64_t s_extent(int64_t space) {
    const model_object *object = of_kind(space, MODEL_SPACE);
    int64_t points = 1;
    for (int i = 0; i < object->dimensions; i++) points *= (int64_t)object->now[i];
    return points;
}
static int s_type(int64_t space) { return (int)of_kind(space, MODEL_SPACE)->selection; }
static int64_t s_points(int64_t space) { return of_kind(space, MODEL_SPACE)->points; }
static int s_is_regular(int64_t space) { return of_kind(space, MODEL_SPACE)->regular; }
static int s_regular(int64_t space, uint64_t *start, uint64_t *stride, uint64_t *count, uint64_t *block) {
    const model_object *object = of_kind(space, MODEL_SPACE);
    const size_t room = (size_t)object->dimensions * sizeof *start;
    memset(start, 0, room);
    memcpy(stride, object->stride, room);
    memcpy(count, object->count, room);
    memcpy(block, object->block, room);
    return 0;
}

static int64_t p_driver(int64_t list) { return of_kind(list, MODEL_LIST)->mpiio ? MPIIO_DRIVER : DEFAULT_DRIVER; }
static int64_t mpiio_driver(void) { return MPIIO_DRIVER; }
static int p_layout(int64_t list) { return of_kind(list, MODEL_LIST)->chunk[0] ? 2 : 1; }
static int p_chunk(int64_t list, int most, uint64_t *extents) {
    const model_object *object = of_kind(list, MODEL_LIST);
    for (int i = 0; i < object->dimensions && i < most; i++) extents[i] = object->chunk[i];
    return object->dimensions;
}
static int p_mode(int64_t list, int *mode) {
    *mode = of_kind(list, MODEL_LIST)->collective;
    return 0;
}

static int e_is_second(int64_t stack, unsigned *is) {
    *is = stack == 0;
    return 0;
}
static int e_get(int64_t stack, void **function, void **data) {
    (void)stack;
    *function = error_function, *data = NULL;
    return 0;
}
static int e_set(int64_t stack, void *function, void *data) {
    (void)stack, (void)data;
    error_function = function;
    return 0;
}

static const struct {
    const char *name;
    void *function;
} functions[] = {
    {"H5get_libversion", (void *)version},
    {"H5Iget_type", (void *)i_get_type},
    {"H5Iis_valid", (void *)i_is_valid},
    {"H5Iget_name", (void *)i_get_name},
    {"H5Fget_name", (void *)f_get_name},
    {"H5Dget_space", (void *)d_get_space},
    {"H5Dget_type", (void *)d_get_list},
    {"H5Dget_create_plist", (void *)d_get_list},
    {"H5Tget_size", (void *)t_get_size},
    {"H5Tclose", (void *)give_back},
    {"H5Sclose", (void *)give_back},
    {"H5Pclose", (void *)give_back},
    {"H5Sget_simple_extent_dims", (void *)s_dims},
    {"H5Sget_simple_extent_npoints", (void *)s_extent},
    {"H5Sget_select_type", (void *)s_type},
    {"H5Sget_select_npoints", (void *)s_points},
    {"H5Sis_regular_hyperslab", (void *)s_is_regular},
    {"H5Sget_regular_hyperslab", (void *)s_regular},
    {"H5Pget_driver", (void *)p_driver},
    {"H5Pget_layout", (void *)p_layout},
    {"H5Pget_chunk", (void *)p_chunk},
    {"H5FD_mpio_init", (void *)mpiio_driver},
    {"H5Pget_dxpl_mpio", (void *)p_mode},
    {"H5Dflush", (void *)d_flush},
    {"H5Eauto_is_v2", (void *)e_is_second},
    {"H5Eget_auto2", (void *)e_get},
    {"H5Eset_auto2", (void *)e_set},
};

void *iol__library_find(int library, const char *name) {
    if (library != IOL_LIBRARY_HDF5 || (model.lacks && strcmp(model.lacks, name) == 0)) return NULL;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0) return functions[i].function;
    return NULL;
}

void model_begin(void) {
    model = (model_library){.major = 1, .minor = 10};
    model_dataset = (model_object){0};
    memset(objects, 0, sizeof objects);
    iol__lazy.H5Fcreate = f_create;
    iol__lazy.H5Fopen = f_open;
    iol__lazy.H5Freopen = f_reopen;
    iol__lazy.H5Fflush = f_flush;
    iol__lazy.H5Fclose = iol__lazy.H5Dclose = iol__lazy.H5Oclose = close_object;
    iol__lazy.H5Idec_ref = i_dec_ref;
    iol__lazy.H5Dcreate1 = d_create1;
    iol__lazy.H5Dopen2 = iol__lazy.H5Oopen = d_open2;
    iol__lazy.H5Oopen_by_token = o_open_by_token;
    iol__lazy.H5Dflush = d_flush;
    iol__lazy.H5Dread = d_read;
    iol__lazy.H5Dwrite = d_write;
    iol__lazy.H5Dwrite_multi = d_write_multi;
}
