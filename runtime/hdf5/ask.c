/* Asking HDF5, through pointers that are found when the program first calls it. What is asked here has no effect on
   files and talks to no other rank: H5Iget_file_id, for one, is not used, because giving back what it returns may
   flush. */
#include "runtime/hdf5/ask.h"

#include <sys/types.h>

#include "runtime/core/core.h"
#include "runtime/core/text.h"
#include "runtime/hdf5/hdf5.h"
#include "runtime/lazy/lazy.h"

/* Of HDF5's headers. */
enum {
    DEFAULT = 0,       /* a list of properties, the list of errors, all of a dataset */
    SPACE_IN_LIST = 2, /* the selection is in the list of properties */
    IS_DATASET = 5,
    SELECTED_POINTS = 1,
    SELECTED_HYPERSLABS = 2,
    LAYOUT_CHUNKED = 2,
    COLLECTIVE = 1,
    MOST_DIMENSIONS = 32,
};

static struct {
#define NEEDED(type, name, parameters) type(*name) parameters;
#define USEFUL(type, name, parameters) type(*name) parameters;
#include "runtime/hdf5/asked.def"
#undef NEEDED
#undef USEFUL
} h5;

/* Binding ---------------------------------------------------------------------------------------------------------- */

static bool leave_alone(const char *why, const char *detail) {
    if (iol__core_state.verbose) iol__say(why, detail);
    return false;
}

static bool recent_enough(void) {
    int (*version)(unsigned *, unsigned *, unsigned *) =
        (int (*)(unsigned *, unsigned *, unsigned *))iol__library_find(IOL_LIBRARY_HDF5, "H5get_libversion");
    unsigned major = 0, minor = 0, patch = 0;
    if (!version || version(&major, &minor, &patch) < 0)
        return leave_alone("HDF5 is not recorded: its version is not known", "");
    if (major > 1 || (major == 1 && minor >= 10)) return true;
    char text[64];
    iol__text number = {text, sizeof text, 0};
    iol__text_number(&number, major);
    iol__text_add(&number, ".");
    iol__text_number(&number, minor);
    iol__text_add(&number, ".");
    iol__text_number(&number, patch);
    return leave_alone("HDF5 is not recorded: it is older than 1.10, version ", text);
}

static bool find_functions(void) {
    static const struct {
        const char *name;
        void **to;
        bool needed;
    } all[] = {
#define NEEDED(type, name, parameters) {#name, (void **)(void *)&h5.name, true},
#define USEFUL(type, name, parameters) {#name, (void **)(void *)&h5.name, false},
#include "runtime/hdf5/asked.def"
#undef NEEDED
#undef USEFUL
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        *all[i].to = iol__library_find(IOL_LIBRARY_HDF5, all[i].name);
        if (!*all[i].to && all[i].needed) return leave_alone("HDF5 is not recorded: it has no ", all[i].name);
    }
    return true;
}

bool iol__hdf5_bound(void) {
    return !(iol__h5f_module.off && iol__h5d_module.off) && recent_enough() && find_functions();
}

bool iol__h5_knows_flush(void) { return h5.H5Dflush; }
bool iol__h5_knows_regular(void) { return h5.H5Sis_regular_hyperslab && h5.H5Sget_regular_hyperslab; }

/* Errors ----------------------------------------------------------------------------------------------------------- */

/* To ask with the wrong one of the two versions is an error, which would be printed. */
iol__h5_quiet iol__h5_quiet_begin(void) {
    iol__h5_quiet quiet = {0, NULL, NULL};
    unsigned second = 1;
    if (!h5.H5Eauto_is_v2 || h5.H5Eauto_is_v2(DEFAULT, &second) < 0) return quiet;
    if (second && h5.H5Eget_auto2 && h5.H5Eset_auto2) {
        if (h5.H5Eget_auto2(DEFAULT, &quiet.function, &quiet.data) < 0) return quiet;
        quiet.version = h5.H5Eset_auto2(DEFAULT, NULL, NULL) < 0 ? 0 : 2;
    } else if (!second && h5.H5Eget_auto1 && h5.H5Eset_auto1) {
        if (h5.H5Eget_auto1(&quiet.function, &quiet.data) < 0) return quiet;
        quiet.version = h5.H5Eset_auto1(NULL, NULL) < 0 ? 0 : 1;
    }
    return quiet;
}

void iol__h5_quiet_end(const iol__h5_quiet *quiet) {
    if (quiet->version == 2) h5.H5Eset_auto2(DEFAULT, quiet->function, quiet->data);
    if (quiet->version == 1) h5.H5Eset_auto1(quiet->function, quiet->data);
}

/* Names and kinds -------------------------------------------------------------------------------------------------- */

static size_t name(ssize_t (*ask)(int64_t, char *, size_t), int64_t object, char *to, size_t room) {
    const ssize_t length = ask(object, to, room);
    if (length <= 0) {
        *to = 0;
        return 0;
    }
    return (size_t)length < room ? (size_t)length : room - 1;
}

size_t iol__h5_file_name(int64_t object, char *to, size_t room) { return name(h5.H5Fget_name, object, to, room); }
size_t iol__h5_object_name(int64_t object, char *to, size_t room) { return name(h5.H5Iget_name, object, to, room); }
bool iol__h5_is_dataset(int64_t object) { return h5.H5Iget_type(object) == IS_DATASET; }
bool iol__h5_is_open(int64_t id) { return h5.H5Iis_valid(id) > 0; }

/* Shapes ----------------------------------------------------------------------------------------------------------- */

static bool extent_of(int64_t dataset, iol__h5_shape *shape) {
    uint64_t now[MOST_DIMENSIONS], most[MOST_DIMENSIONS];
    const int64_t space = h5.H5Dget_space(dataset);
    if (space < 0) return false;
    shape->dimensions = h5.H5Sget_simple_extent_dims(space, now, most);
    shape->points = h5.H5Sget_simple_extent_npoints(space);
    for (int i = 0; i < shape->dimensions; i++) shape->grows = shape->grows || now[i] != most[i];
    h5.H5Sclose(space);
    return shape->dimensions >= 0 && shape->points >= 0;
}

static bool element_of(int64_t dataset, iol__h5_shape *shape) {
    const int64_t type = h5.H5Dget_type(dataset);
    if (type < 0) return false;
    shape->element = (int64_t)h5.H5Tget_size(type);
    h5.H5Tclose(type);
    return shape->element > 0;
}

void iol__h5_chunk_in(int64_t dcpl, iol__h5_shape *shape) {
    uint64_t extents[MOST_DIMENSIONS] = {0};
    if (dcpl == DEFAULT || h5.H5Pget_layout(dcpl) != LAYOUT_CHUNKED) return;
    const int n = h5.H5Pget_chunk(dcpl, MOST_DIMENSIONS, extents);
    for (int i = 0; i < n && i < IOL_TUPLE_DIMENSIONS; i++) shape->chunk[i] = (int64_t)extents[n - 1 - i];
}

void iol__h5_chunk_of(int64_t dataset, iol__h5_shape *shape) {
    const int64_t list = h5.H5Dget_create_plist(dataset);
    if (list < 0) return;
    iol__h5_chunk_in(list, shape);
    h5.H5Pclose(list);
}

bool iol__h5_shape_of(int64_t dataset, iol__h5_shape *shape) {
    *shape = (iol__h5_shape){0};
    return extent_of(dataset, shape) && element_of(dataset, shape);
}

/* Selections ------------------------------------------------------------------------------------------------------- */

/* Up to five dimensions, the slowest one stands last, as if there were always five; of more, the five fastest do. That
   is how logs have always had it. */
static void add_dimensions(iol__tuple *access, int n, const uint64_t *stride, const uint64_t *count,
                           const uint64_t *block) {
    const int first = n > IOL_TUPLE_DIMENSIONS ? n - IOL_TUPLE_DIMENSIONS : 0;
    for (int i = first; i < n; i++) {
        access->lengths[IOL_TUPLE_DIMENSIONS - 1 - (i - first)] = (int64_t)(count[i] * block[i]);
        access->strides[IOL_TUPLE_DIMENSIONS - 1 - (i - first)] = (int64_t)stride[i];
    }
}

static iol__h5_selected hyperslab(int64_t space, int dimensions, iol__tuple *access) {
    uint64_t start[MOST_DIMENSIONS], stride[MOST_DIMENSIONS], count[MOST_DIMENSIONS], block[MOST_DIMENSIONS];
    if (!iol__h5_knows_regular() || h5.H5Sis_regular_hyperslab(space) <= 0) return IOL_H5_IRREGULAR;
    if (h5.H5Sget_regular_hyperslab(space, start, stride, count, block) >= 0)
        add_dimensions(access, dimensions, stride, count, block);
    return IOL_H5_REGULAR;
}

void iol__h5_selection_of(int64_t dataset, const iol__h5_shape *shape, int64_t memory, int64_t space,
                          iol__h5_selection *selection) {
    *selection = (iol__h5_selection){.kind = IOL_H5_WHOLE};
    iol__h5_shape now = *shape;
    int64_t points = shape->points;
    if (space == DEFAULT) {
        if (shape->grows && extent_of(dataset, &now)) points = now.points;
    } else if (space == SPACE_IN_LIST) {
        if (memory > SPACE_IN_LIST) points = h5.H5Sget_select_npoints(memory);
    } else {
        const int type = h5.H5Sget_select_type(space);
        points = h5.H5Sget_select_npoints(space);
        if (type == SELECTED_POINTS) selection->kind = IOL_H5_POINTS;
        if (type == SELECTED_HYPERSLABS) selection->kind = hyperslab(space, (int)shape->dimensions, &selection->access);
    }
    selection->access.size = points > 0 ? points * shape->element : 0;
}

int64_t iol__h5_chunk_bytes(int64_t dataset, const uint64_t *offset) {
    uint64_t size = 0;
    if (!h5.H5Dget_chunk_storage_size || h5.H5Dget_chunk_storage_size(dataset, offset, &size) < 0) return 0;
    return (int64_t)size;
}

/* Lists of properties ---------------------------------------------------------------------------------------------- */

bool iol__h5_uses_mpiio(int64_t fapl) {
    return fapl != DEFAULT && h5.H5FD_mpio_init && h5.H5Pget_driver(fapl) == h5.H5FD_mpio_init();
}

bool iol__h5_is_collective(int64_t dxpl) {
    int mode = 0;
    return dxpl != DEFAULT && h5.H5Pget_dxpl_mpio && h5.H5Pget_dxpl_mpio(dxpl, &mode) >= 0 && mode == COLLECTIVE;
}
