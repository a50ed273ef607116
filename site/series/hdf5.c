/* Loading HDF5, and its attributes. */
#include "site/series/hdf5.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "text/plain_file.h"

static const char *const names[] = {"libhdf5_serial.so.103", "libhdf5_serial.so.310", "libhdf5_serial.so.200",
                                    "libhdf5_serial.so",     "libhdf5.so.103",        "libhdf5.so.200",
                                    "libhdf5.so.310",        "libhdf5.so.320",        "libhdf5.so"};

static void *open_library(void) {
    const char *named = getenv("IOLITE_HDF5");
    if (named && *named) {
        if (strchr(named, '/') && !iol__plain_file_is(named)) return NULL;
        return dlopen(named, RTLD_NOW | RTLD_LOCAL);
    }
    void *library = NULL;
    for (size_t i = 0; !library && i < IOL_COUNT(names); i++) library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}

static bool find_hdf5_functions(void *library, iol__hdf5 *h) {
    void *found;
#define HDF(result, name, arguments) \
    found = dlsym(library, #name);   \
    if (!found) return false;        \
    memcpy((void *)&h->name, &found, sizeof h->name);
#include "site/series/hdf5.def"
#undef HDF
    return true;
}

/* Types are variables that have a value once the library has started. */
static bool find_types(void *library, iol__hdf5 *h) {
    const struct {
        const char *name;
        int64_t *to;
    } types[] = {{"H5T_NATIVE_DOUBLE_g", &h->native_double},
                 {"H5T_NATIVE_INT64_g", &h->native_int64},
                 {"H5T_IEEE_F64LE_g", &h->ieee_f64},
                 {"H5T_STD_I64LE_g", &h->std_i64},
                 {"H5T_C_S1_g", &h->c_string},
                 {"H5P_CLS_DATASET_CREATE_ID_g", &h->dataset_creation},
                 {"H5P_CLS_FILE_ACCESS_ID_g", &h->file_access}};
    for (size_t i = 0; i < IOL_COUNT(types); i++) {
        const int64_t *variable = dlsym(library, types[i].name);
        if (!variable) return false;
        *types[i].to = *variable;
    }
    return true;
}

const iol__hdf5 *iol__hdf5_load(const char **why) {
    static iol__hdf5 loaded;
    static const char *wrong;
    static bool tried;
    if (!tried) {
        void *library = open_library();
        tried = true;
        if (!library)
            wrong = "the HDF5 library is not on this machine (Debian: libhdf5-103-1); IOLITE_HDF5 may name it";
        else if (!find_hdf5_functions(library, &loaded) || loaded.H5open() < 0 || !find_types(library, &loaded))
            wrong = "the HDF5 library on this machine is older than 1.10";
        else
            loaded.H5Eset_auto2(0, NULL, NULL);
    }
    *why = wrong;
    return wrong ? NULL : &loaded;
}

/* Attributes ----------------------------------------------------------------------------------------------------- */

bool iol__hdf5_integer(const iol__hdf5 *h, int64_t object, const char *name, int64_t *value) {
    if (h->H5Aexists(object, name) <= 0) return false;
    int64_t attribute = h->H5Aopen(object, name, IOL__H5_DEFAULT);
    bool good = attribute >= 0 && h->H5Aread(attribute, h->native_int64, value) >= 0;
    if (attribute >= 0) h->H5Aclose(attribute);
    return good;
}

static size_t hdf5_count_of(const iol__hdf5 *h, int64_t attribute) {
    int64_t space = h->H5Aget_space(attribute);
    uint64_t sizes[4] = {0};
    int rank = space >= 0 ? h->H5Sget_simple_extent_ndims(space) : -1;
    size_t count = rank == 0 ? 1 : 0;
    if (rank == 1 && h->H5Sget_simple_extent_dims(space, sizes, NULL) == 1) count = (size_t)sizes[0];
    if (space >= 0) h->H5Sclose(space);
    return count;
}

static bool fixed_texts(const iol__hdf5 *h, int64_t attribute, int64_t type, size_t count, iol__hdf5_visitor *visit,
                        void *context) {
    size_t size = h->H5Tget_size(type);
    if (size == 0 || size > 1 << 20 || count > 1 << 22 || count * size > 1 << 28) return false;
    char *bytes = calloc(count, size + 1);
    bool good = bytes && h->H5Aread(attribute, type, bytes) >= 0;
    for (size_t i = 0; good && i < count; i++) visit(context, i, bytes + i * size, strnlen(bytes + i * size, size));
    free(bytes);
    return good;
}

static bool variable_texts(const iol__hdf5 *h, int64_t attribute, int64_t type, size_t count, iol__hdf5_visitor *visit,
                           void *context) {
    if (count > 1 << 22) return false;
    char **texts = calloc(count, sizeof *texts);
    bool good = texts && h->H5Aread(attribute, type, texts) >= 0;
    for (size_t i = 0; good && i < count; i++) {
        visit(context, i, texts[i] ? texts[i] : "", texts[i] ? strlen(texts[i]) : 0);
        if (texts[i]) h->H5free_memory(texts[i]);
    }
    free(texts);
    return good;
}

bool iol__hdf5_texts(const iol__hdf5 *h, int64_t object, const char *name, iol__hdf5_visitor *visit, void *context) {
    if (h->H5Aexists(object, name) <= 0) return false;
    int64_t attribute = h->H5Aopen(object, name, IOL__H5_DEFAULT),
            type = attribute >= 0 ? h->H5Aget_type(attribute) : -1;
    bool good = false;
    if (type >= 0 && h->H5Tget_class(type) == IOL__H5_STRING) {
        size_t count = hdf5_count_of(h, attribute);
        good = h->H5Tis_variable_str(type) > 0 ? variable_texts(h, attribute, type, count, visit, context)
                                               : fixed_texts(h, attribute, type, count, visit, context);
    }
    if (type >= 0) h->H5Tclose(type);
    if (attribute >= 0) h->H5Aclose(attribute);
    return good;
}

typedef struct one_text {
    char *text;
    size_t room;
    bool there;
} one_text;

static void keep_hdf5_text(void *context, size_t number, const char *text, size_t length) {
    one_text *to = context;
    if (number || length >= to->room) return;
    memcpy(to->text, text, length);
    to->text[length] = 0;
    to->there = true;
}

bool iol__hdf5_text(const iol__hdf5 *h, int64_t object, const char *name, char *text, size_t room) {
    one_text to = {text, room, false};
    return iol__hdf5_texts(h, object, name, keep_hdf5_text, &to) && to.there;
}

static bool write_attribute(const iol__hdf5 *h, int64_t object, const char *name, int64_t type, int64_t space,
                            const void *bytes) {
    if (h->H5Aexists(object, name) > 0) h->H5Adelete(object, name);
    int64_t attribute = h->H5Acreate2(object, name, type, space, IOL__H5_DEFAULT, IOL__H5_DEFAULT);
    bool good = attribute >= 0 && h->H5Awrite(attribute, type == h->std_i64 ? h->native_int64 : type, bytes) >= 0;
    if (attribute >= 0) h->H5Aclose(attribute);
    return good;
}

bool iol__hdf5_set_integer(const iol__hdf5 *h, int64_t object, const char *name, int64_t value) {
    int64_t space = h->H5Screate(IOL__H5_SCALAR);
    bool good = space >= 0 && write_attribute(h, object, name, h->std_i64, space, &value);
    if (space >= 0) h->H5Sclose(space);
    return good;
}

static int64_t text_type(const iol__hdf5 *h, size_t size) {
    int64_t type = h->H5Tcopy(h->c_string);
    if (type >= 0 && h->H5Tset_size(type, size ? size : 1) >= 0) h->H5Tset_strpad(type, IOL__H5_NULL_PADDED);
    return type;
}

bool iol__hdf5_set_text(const iol__hdf5 *h, int64_t object, const char *name, const char *text) {
    int64_t space = h->H5Screate(IOL__H5_SCALAR), type = text_type(h, strlen(text));
    bool good = space >= 0 && type >= 0 && write_attribute(h, object, name, type, space, text);
    if (type >= 0) h->H5Tclose(type);
    if (space >= 0) h->H5Sclose(space);
    return good;
}

bool iol__hdf5_set_texts(const iol__hdf5 *h, int64_t object, const char *name, const char *const *texts, size_t count) {
    size_t size = 1;
    for (size_t i = 0; i < count; i++) size = strlen(texts[i]) > size ? strlen(texts[i]) : size;
    char *bytes = calloc(count ? count : 1, size);
    for (size_t i = 0; bytes && i < count; i++) memcpy(bytes + i * size, texts[i], strlen(texts[i]));
    const uint64_t sizes[1] = {count};
    int64_t space = h->H5Screate_simple(1, sizes, NULL), type = text_type(h, size);
    bool good = bytes && space >= 0 && type >= 0 && write_attribute(h, object, name, type, space, bytes);
    if (type >= 0) h->H5Tclose(type);
    if (space >= 0) h->H5Sclose(space);
    free(bytes);
    return good;
}
