/* The functions of HDF5 that programs call. Each calls the real one, and if that succeeded, tells what it did. A call
   that HDF5 makes to itself inside of another one counts with that one. */
#include <errno.h>

#include "runtime/hdf5/hdf5.h"
#include "runtime/lazy/lazy.h"

typedef struct wrappers_visit {
    iol__h5_call call;
    bool seen;
} wrappers_visit;

/* Where on its stack this thread has entered HDF5, 0 if it has not. A call from deeper down is inside; a call that
   was left by longjmp is not in the way of the next one. */
static __thread uintptr_t inside;

static inline __attribute__((always_inline)) wrappers_visit enter(void) {
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    wrappers_visit v = {.seen = (inside == 0 || here >= inside) && iol__awake()};
    if (!v.seen) return v;
    inside = here;
    v.call.begin = iol__now();
    return v;
}

#define LEAVE(v, succeeded, what)  \
    do {                           \
        if (!(v).seen) break;      \
        const int saved = errno;   \
        (v).call.end = iol__now(); \
        if (succeeded) what;       \
        inside = 0;                \
        errno = saved;             \
    } while (0)

void iol__hdf5_reset(void) {
    iol__h5_handles_reset();
    inside = 0;
}

/* The program may have more than one claim to a handle, and give back one. */
static void closed(int64_t id, const iol__h5_call *call) {
    iol__h5_handle *handle = iol__h5_handle_find(id);
    if (!handle) return;
    if (handle->is_file)
        iol__h5f_closed(handle, call);
    else
        iol__h5d_closed(handle, call);
    if (!iol__h5_is_open(id)) iol__h5_handle_drop(id);
}

/* Files ------------------------------------------------------------------------------------------------------------ */

IOL_LAZY int64_t H5Fcreate(const char *path, unsigned flags, int64_t fcpl, int64_t fapl) {
    wrappers_visit v = enter();
    const int64_t id = lazy(H5Fcreate)(path, flags, fcpl, fapl);
    LEAVE(v, id >= 0, iol__h5f_opened(id, path, fapl, &v.call));
    return id;
}

IOL_LAZY int64_t H5Fopen(const char *path, unsigned flags, int64_t fapl) {
    wrappers_visit v = enter();
    const int64_t id = lazy(H5Fopen)(path, flags, fapl);
    LEAVE(v, id >= 0, iol__h5f_opened(id, path, fapl, &v.call));
    return id;
}

IOL_LAZY int64_t H5Freopen(int64_t file) {
    wrappers_visit v = enter();
    const int64_t id = lazy(H5Freopen)(file);
    LEAVE(v, id >= 0, iol__h5f_reopened(id, file, &v.call));
    return id;
}

IOL_LAZY int H5Fflush(int64_t object, int scope) {
    wrappers_visit v = enter();
    const int result = lazy(H5Fflush)(object, scope);
    LEAVE(v, result >= 0, iol__h5f_flushed(object, &v.call));
    return result;
}

IOL_LAZY int H5Fclose(int64_t file) {
    wrappers_visit v = enter();
    const int result = lazy(H5Fclose)(file);
    LEAVE(v, result >= 0, closed(file, &v.call));
    return result;
}

/* Datasets --------------------------------------------------------------------------------------------------------- */

IOL_LAZY int64_t H5Dcreate1(int64_t place, const char *name, int64_t type, int64_t space, int64_t dcpl) {
    wrappers_visit v = enter();
    const int64_t id = lazy(H5Dcreate1)(place, name, type, space, dcpl);
    LEAVE(v, id >= 0, iol__h5d_opened(id, place, name, dcpl, true, &v.call));
    return id;
}

IOL_LAZY int64_t H5Dcreate2(int64_t place, const char *name, int64_t type, int64_t space, int64_t lcpl, int64_t dcpl,
                            int64_t dapl) {
    wrappers_visit v = enter();
    const int64_t id = lazy(H5Dcreate2)(place, name, type, space, lcpl, dcpl, dapl);
    LEAVE(v, id >= 0, iol__h5d_opened(id, place, name, dcpl, false, &v.call));
    return id;
}

IOL_LAZY int64_t H5Dopen1(int64_t place, const char *name) {
    wrappers_visit v = enter();
    const int64_t id = lazy(H5Dopen1)(place, name);
    LEAVE(v, id >= 0, iol__h5d_opened(id, place, name, IOL_H5_NOT_MADE, true, &v.call));
    return id;
}

IOL_LAZY int64_t H5Dopen2(int64_t place, const char *name, int64_t dapl) {
    wrappers_visit v = enter();
    const int64_t id = lazy(H5Dopen2)(place, name, dapl);
    LEAVE(v, id >= 0, iol__h5d_opened(id, place, name, IOL_H5_NOT_MADE, false, &v.call));
    return id;
}

IOL_LAZY int H5Dflush(int64_t dataset) {
    wrappers_visit v = enter();
    const int result = lazy(H5Dflush)(dataset);
    LEAVE(v, result >= 0, iol__h5d_flushed(dataset, &v.call));
    return result;
}

IOL_LAZY int H5Dclose(int64_t dataset) {
    wrappers_visit v = enter();
    const int result = lazy(H5Dclose)(dataset);
    LEAVE(v, result >= 0, closed(dataset, &v.call));
    return result;
}

/* Objects, which may be datasets ----------------------------------------------------------------------------------- */

static void object_opened(int64_t id, int64_t place, const char *name, const iol__h5_call *call) {
    if (iol__h5_is_dataset(id)) iol__h5d_opened(id, place, name, IOL_H5_NOT_MADE, false, call);
}

IOL_LAZY int64_t H5Oopen(int64_t place, const char *name, int64_t lapl) {
    wrappers_visit v = enter();
    const int64_t id = lazy(H5Oopen)(place, name, lapl);
    LEAVE(v, id >= 0, object_opened(id, place, name, &v.call));
    return id;
}

IOL_LAZY int64_t H5Oopen_by_addr(int64_t place, uint64_t address) {
    wrappers_visit v = enter();
    const int64_t id = lazy(H5Oopen_by_addr)(place, address);
    LEAVE(v, id >= 0, object_opened(id, place, NULL, &v.call));
    return id;
}

IOL_LAZY int64_t H5Oopen_by_idx(int64_t place, const char *group, int index, int order, uint64_t n, int64_t lapl) {
    wrappers_visit v = enter();
    const int64_t id = lazy(H5Oopen_by_idx)(place, group, index, order, n, lapl);
    LEAVE(v, id >= 0, object_opened(id, place, NULL, &v.call));
    return id;
}

IOL_LAZY int64_t H5Oopen_by_token(int64_t place, uint64_t token, uint64_t token_end) {
    wrappers_visit v = enter();
    const int64_t id = lazy(H5Oopen_by_token)(place, token, token_end);
    LEAVE(v, id >= 0, object_opened(id, place, NULL, &v.call));
    return id;
}

IOL_LAZY int H5Oclose(int64_t object) {
    wrappers_visit v = enter();
    const int result = lazy(H5Oclose)(object);
    LEAVE(v, result >= 0, closed(object, &v.call));
    return result;
}

/* How Python closes. */
IOL_LAZY int H5Idec_ref(int64_t object) {
    wrappers_visit v = enter();
    const int left = lazy(H5Idec_ref)(object);
    LEAVE(v, left == 0, closed(object, &v.call));
    return left;
}

/* Transfers -------------------------------------------------------------------------------------------------------- */

IOL_LAZY int H5Dread(int64_t dataset, int64_t type, int64_t memory, int64_t space, int64_t dxpl, void *to) {
    wrappers_visit v = enter();
    const int result = lazy(H5Dread)(dataset, type, memory, space, dxpl, to);
    LEAVE(v, result >= 0, iol__h5d_transferred(IOL_READ, dataset, memory, space, dxpl, &v.call));
    return result;
}

IOL_LAZY int H5Dwrite(int64_t dataset, int64_t type, int64_t memory, int64_t space, int64_t dxpl, const void *from) {
    wrappers_visit v = enter();
    const int result = lazy(H5Dwrite)(dataset, type, memory, space, dxpl, from);
    LEAVE(v, result >= 0, iol__h5d_transferred(IOL_WRITE, dataset, memory, space, dxpl, &v.call));
    return result;
}

IOL_LAZY int H5Dread_multi(size_t n, int64_t *datasets, int64_t *types, int64_t *memories, int64_t *spaces,
                           int64_t dxpl, void **to) {
    wrappers_visit v = enter();
    const int result = lazy(H5Dread_multi)(n, datasets, types, memories, spaces, dxpl, to);
    LEAVE(v, result >= 0, iol__h5d_transferred_many(IOL_READ, n, datasets, memories, spaces, dxpl, &v.call));
    return result;
}

IOL_LAZY int H5Dwrite_multi(size_t n, int64_t *datasets, int64_t *types, int64_t *memories, int64_t *spaces,
                            int64_t dxpl, const void **from) {
    wrappers_visit v = enter();
    const int result = lazy(H5Dwrite_multi)(n, datasets, types, memories, spaces, dxpl, from);
    LEAVE(v, result >= 0, iol__h5d_transferred_many(IOL_WRITE, n, datasets, memories, spaces, dxpl, &v.call));
    return result;
}

IOL_LAZY int H5Dread_chunk(int64_t dataset, int64_t dxpl, const uint64_t *offset, uint32_t *filters, void *to) {
    wrappers_visit v = enter();
    const int result = lazy(H5Dread_chunk)(dataset, dxpl, offset, filters, to);
    LEAVE(v, result >= 0, iol__h5d_chunk(IOL_READ, dataset, offset, -1, dxpl, &v.call));
    return result;
}

IOL_LAZY int H5Dread_chunk1(int64_t dataset, int64_t dxpl, const uint64_t *offset, uint32_t *filters, void *to) {
    wrappers_visit v = enter();
    const int result = lazy(H5Dread_chunk1)(dataset, dxpl, offset, filters, to);
    LEAVE(v, result >= 0, iol__h5d_chunk(IOL_READ, dataset, offset, -1, dxpl, &v.call));
    return result;
}

/* Without a place to read to it only tells the size. */
IOL_LAZY int H5Dread_chunk2(int64_t dataset, int64_t dxpl, const uint64_t *offset, uint32_t *filters, void *to,
                            size_t *size) {
    wrappers_visit v = enter();
    const int result = lazy(H5Dread_chunk2)(dataset, dxpl, offset, filters, to, size);
    LEAVE(v, result >= 0 && to, iol__h5d_chunk(IOL_READ, dataset, offset, -1, dxpl, &v.call));
    return result;
}

IOL_LAZY int H5Dwrite_chunk(int64_t dataset, int64_t dxpl, uint32_t filters, const uint64_t *offset, size_t size,
                            const void *from) {
    wrappers_visit v = enter();
    const int result = lazy(H5Dwrite_chunk)(dataset, dxpl, filters, offset, size, from);
    LEAVE(v, result >= 0, iol__h5d_chunk(IOL_WRITE, dataset, offset, (int64_t)size, dxpl, &v.call));
    return result;
}
