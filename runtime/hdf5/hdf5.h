/* HDF5 files (H5F) and datasets (H5D). The library is asked for what its handles stand for only after a call of the
   program has succeeded: every call of HDF5 empties the program's list of errors, and after a success it is empty. */
#ifndef IOL_RUNTIME_HDF5_H
#define IOL_RUNTIME_HDF5_H

#include "runtime/core/common.h"
#include "runtime/core/tuples.h"
#include "runtime/hdf5/ask.h"

/* A call of the program. */
typedef struct iol__h5_call {
    double begin, end;
} iol__h5_call;

/* In a forked child: its handles are the parent's, and nobody is at them. */
void iol__hdf5_reset(void);

extern iol__runtime_module iol__h5f_module, iol__h5d_module;

/* Handles (handles.c) ---------------------------------------------------------------------------------------------- */

typedef struct iol__h5_handle {
    int64_t id;
    bool is_file;
    uint64_t spelling;           /* of a file: the name as the program gave it, as a number */
    iol__file *file;             /* whose record it is; NULL if that is not wanted */
    iol__file *within;           /* of a dataset: the file that it is in */
    iol__state *state;           /* NULL, or without a record, before the first update and after a fork */
    iol__h5_shape shape;         /* of a dataset */
    struct iol__h5_handle *next; /* of the files that are open, or of handles that are not used */
} iol__h5_handle;

/* NULL if it is not known. */
iol__h5_handle *iol__h5_handle_find(int64_t id);
/* Known from now on, instead of what had this number before. */
iol__h5_handle *iol__h5_handle_add(const iol__h5_handle *described);
void iol__h5_handle_drop(int64_t id);
/* The file that was opened last by a name of this spelling, NULL if none that is still open was. */
iol__h5_handle *iol__h5_handle_spelt(uint64_t spelling);
void iol__h5_handles_reset(void);

/* Files (h5f.c) ---------------------------------------------------------------------------------------------------- */

void iol__h5f_opened(int64_t id, const char *path, int64_t fapl, const iol__h5_call *call);
void iol__h5f_reopened(int64_t id, int64_t old, const iol__h5_call *call);
void iol__h5f_flushed(int64_t object, const iol__h5_call *call);
void iol__h5f_closed(iol__h5_handle *handle, const iol__h5_call *call);
/* The file that an object is in; NULL if that is not watched. */
iol__file *iol__h5f_file_of(int64_t object);

/* Datasets (h5d.c) ------------------------------------------------------------------------------------------------- */

/* By a name as seen from a place; without a name HDF5 is asked for it. It was made by a list of properties, or else
   (IOL_H5_NOT_MADE) it was there before. */
#define IOL_H5_NOT_MADE ((int64_t)-1)
void iol__h5d_opened(int64_t id, int64_t place, const char *name, int64_t dcpl, bool deprecated,
                     const iol__h5_call *call);
void iol__h5d_flushed(int64_t id, const iol__h5_call *call);
void iol__h5d_closed(iol__h5_handle *handle, const iol__h5_call *call);
void iol__h5d_transferred(iol__direction direction, int64_t id, int64_t memory, int64_t space, int64_t dxpl,
                          const iol__h5_call *call);
/* Several at once: each has its part of the time. */
void iol__h5d_transferred_many(iol__direction direction, size_t n, const int64_t *ids, const int64_t *memories,
                               const int64_t *spaces, int64_t dxpl, const iol__h5_call *call);
/* A chunk as it is in the file; `size` is asked for if it is not known (-1). */
void iol__h5d_chunk(iol__direction direction, int64_t id, const uint64_t *offset, int64_t size, int64_t dxpl,
                    const iol__h5_call *call);

#endif
