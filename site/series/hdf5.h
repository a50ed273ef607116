/* The HDF5 library, loaded when the first time series is opened. Without it everything else of Iolite works, and time
   series say what is missing. Prototypes are our own, so that building needs no HDF5 either. */
#ifndef IOL_SITE_SERIES_HDF5_H
#define IOL_SITE_SERIES_HDF5_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct iol__hdf5 {
#define HDF(result, name, arguments) result(*name) arguments;
#include "site/series/hdf5.def"
#undef HDF
    int64_t native_double, native_int64, ieee_f64, std_i64, c_string, dataset_creation, file_access;
} iol__hdf5;

/* What HDF5's headers define, in all releases. */
enum {
    IOL__H5_RDONLY = 0,
    IOL__H5_RDWR = 1,
    IOL__H5_TRUNC = 2,
    IOL__H5_SCALAR = 0,
    IOL__H5_STRING = 3,
    IOL__H5_NULL_PADDED = 1,
    IOL__H5_DEFAULT = 0,
    IOL__H5_ALL = 0,
};
#define IOL__H5_UNLIMITED UINT64_MAX

/* NULL if it cannot be had; `why` then says so. The variable IOLITE_HDF5 names another library. */
const iol__hdf5 *iol__hdf5_load(const char **why);

/* A text attribute of an object, of whatever kind of string, into `text`; false if there is none. */
bool iol__hdf5_text(const iol__hdf5 *h, int64_t object, const char *name, char *text, size_t room);
bool iol__hdf5_integer(const iol__hdf5 *h, int64_t object, const char *name, int64_t *value);
bool iol__hdf5_set_text(const iol__hdf5 *h, int64_t object, const char *name, const char *text);
bool iol__hdf5_set_integer(const iol__hdf5 *h, int64_t object, const char *name, int64_t value);

/* Each text of an attribute that is an array of them. */
typedef void iol__hdf5_visitor(void *context, size_t number, const char *text, size_t length);
bool iol__hdf5_texts(const iol__hdf5 *h, int64_t object, const char *name, iol__hdf5_visitor *visit, void *context);
bool iol__hdf5_set_texts(const iol__hdf5 *h, int64_t object, const char *name, const char *const *texts, size_t count);

#endif
