/* What Iolite asks HDF5. All of it is to be called after a call of the program that succeeded, on handles that it used.
   */
#ifndef IOL_RUNTIME_HDF5_ASK_H
#define IOL_RUNTIME_HDF5_ASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/core/tuples.h"

enum { IOL_H5_NAME = 256 /* bytes of a dataset's name in a log, with the zero behind it */ };

/* A dataset, as it was when it was opened. */
typedef struct iol__h5_shape {
    int64_t dimensions, points, element;
    int64_t chunk[IOL_TUPLE_DIMENSIONS]; /* the last dimension first */
    bool grows;                          /* it may have more points by now */
} iol__h5_shape;

typedef enum iol__h5_selected { IOL_H5_WHOLE, IOL_H5_POINTS, IOL_H5_REGULAR, IOL_H5_IRREGULAR } iol__h5_selected;

typedef struct iol__h5_selection {
    iol__h5_selected kind;
    iol__tuple access;
} iol__h5_selection;

/* While Iolite asks something that may not be known, nothing is printed. */
typedef struct iol__h5_quiet {
    int version; /* of the function that the program has for errors; 0: there was nothing to do */
    void *function, *data;
} iol__h5_quiet;
iol__h5_quiet iol__h5_quiet_begin(void);
void iol__h5_quiet_end(const iol__h5_quiet *quiet);

/* The name of the file that an object is in, as it was opened, and of an object within its file. Cut to fit, "" if
   there is none. */
size_t iol__h5_file_name(int64_t object, char *to, size_t room);
size_t iol__h5_object_name(int64_t object, char *to, size_t room);
bool iol__h5_is_dataset(int64_t object);
bool iol__h5_is_open(int64_t id);
/* All but the chunks; these from the list that a dataset was made with, or from a copy of it, which is expensive. */
bool iol__h5_shape_of(int64_t dataset, iol__h5_shape *shape);
void iol__h5_chunk_in(int64_t dcpl, iol__h5_shape *shape);
void iol__h5_chunk_of(int64_t dataset, iol__h5_shape *shape);
/* What a transfer is about, given the dataspaces that the program passed. */
void iol__h5_selection_of(int64_t dataset, const iol__h5_shape *shape, int64_t memory, int64_t space,
                          iol__h5_selection *selection);
int64_t iol__h5_chunk_bytes(int64_t dataset, const uint64_t *offset);
/* Whether a list of properties chooses MPI-IO, or collective transfers. */
bool iol__h5_uses_mpiio(int64_t fapl);
bool iol__h5_is_collective(int64_t dxpl);
/* What this library can tell. */
bool iol__h5_knows_flush(void);
bool iol__h5_knows_regular(void);

#endif
