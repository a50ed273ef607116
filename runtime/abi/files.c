/* MPI-IO. A wrapper calls the real function and tells the core how many bytes were asked for, where and when. Calls
   that fail, calls inside of other calls, and files that are not recorded leave nothing. What is asked of MPI in
   between is asked of objects that a call has just accepted, so that it cannot fail and run into an error handler of
   the program; and positions are asked for only where a trace needs them. */
#include <string.h>

#include "runtime/abi/requests.h"

#define io (iol__core_calls->mpiio)

enum { HINT_BYTES = 8192 };

/* On the way of every transfer, where registers that are saved for a call cost more than the call does. */
#define INLINE static inline __attribute__((always_inline))

typedef struct files_call {
    iol__mpiio_file *file;
    MPI_Offset position; /* in the view, -1 if it is not wanted */
    bool positioned;     /* the file is traced, and has positions */
    double begin;
} files_call;

INLINE void start(files_call *c) {
    iol__abi_enter();
    c->begin = iol__core_calls->now();
}

INLINE double stop(void) {
    const double end = iol__core_calls->now();
    iol__abi_leave();
    return end;
}

/* Where they begin ------------------------------------------------------------------------------------------------- */

INLINE bool known(files_call *c, MPI_File fh) {
    if (!iol__abi_outermost()) return false;
    c->file = io->find(iol__number_of_MPI_File(fh));
    return c->file != NULL;
}

INLINE bool enter(files_call *c, MPI_File fh) {
    if (!known(c, fh)) return false;
    c->position = -1;
    c->positioned = ((const iol__mpiio_seen *)(const void *)c->file)->positioned;
    start(c);
    return true;
}

#define enter_SHARED enter

INLINE bool enter_OWN(files_call *c, MPI_File fh) {
    if (!known(c, fh)) return false;
    c->position = -1;
    c->positioned = ((const iol__mpiio_seen *)(const void *)c->file)->positioned;
    if (c->positioned && mpi(File_get_position)(fh, &c->position) != MPI_SUCCESS) c->position = -1;
    start(c);
    return true;
}

INLINE bool enter_at(files_call *c, MPI_File fh, MPI_Offset offset) {
    if (!enter(c, fh)) return false;
    c->position = offset;
    return true;
}

/* What they did ---------------------------------------------------------------------------------------------------- */

/* MPICH can tell the place of any position; what Open MPI says is not to be relied on. */
static int64_t offset_of(const files_call *c, MPI_File fh) {
    if (!c->positioned || c->position < 0) return IOL_MPIIO_NOWHERE;
    const int64_t offset = io->offset(c->file, c->position);
#ifndef OPEN_MPI
    MPI_Offset at;
    if (offset == IOL_MPIIO_NOWHERE && mpi(File_get_byte_offset)(fh, c->position, &at) == MPI_SUCCESS) return at;
#else
    (void)fh;
#endif
    return offset;
}

INLINE bool describe(const files_call *c, iol__mpiio_transfer *t, int result, MPI_File fh, MPI_Count count,
                     MPI_Datatype type) {
    t->begin = c->begin;
    t->end = stop();
    if (result != MPI_SUCCESS) return false;
    t->bytes = iol__abi_bytes(count, type);
    t->offset = offset_of(c, fh);
    return true;
}

enum { READ = false, WRITE = true };
#define KIND(kind) IOL_MPIIO_##kind

INLINE int moved(const files_call *c, int result, MPI_File fh, MPI_Count count, MPI_Datatype type, bool write,
                 iol__mpiio_kind kind) {
    iol__mpiio_transfer t = {.write = write, .kind = kind};
    if (describe(c, &t, result, fh, count, type)) io->transfer(c->file, &t);
    return result;
}

static int begun(const files_call *c, int result, MPI_File fh, MPI_Count count, MPI_Datatype type, bool write) {
    iol__mpiio_transfer t = {.write = write, .kind = IOL_MPIIO_SPLIT};
    if (describe(c, &t, result, fh, count, type)) io->split_begun(c->file, &t);
    return result;
}

static int started(const files_call *c, int result, MPI_File fh, MPI_Count count, MPI_Datatype type, bool write,
                   const MPI_Request *request) {
    iol__mpiio_transfer t = {.write = write, .kind = IOL_MPIIO_NONBLOCKING};
    if (describe(c, &t, result, fh, count, type)) iol__io_begun(c->file, *request, &t);
    return result;
}

static int ended(const files_call *c, int result) {
    const double end = stop();
    if (result == MPI_SUCCESS) io->split_ended(c->file, c->begin, end);
    return result;
}

/* The functions ---------------------------------------------------------------------------------------------------- */

typedef void *READ_buffer;
typedef const void *WRITE_buffer;

#define CALL(name, direction, kind, pointer)                                                                   \
    int NAME(wrap_File_##name)(MPI_File fh, direction##_buffer buffer, COUNT count, MPI_Datatype type,         \
                               MPI_Status * status) {                                                          \
        files_call c;                                                                                          \
        if (!enter_##pointer(&c, fh)) return iol__abi_inside(REAL(name)(fh, buffer, count, type, status));     \
        return moved(&c, REAL(name)(fh, buffer, count, type, status), fh, count, type, direction, KIND(kind)); \
    }
#define CALL_AT(name, direction, kind)                                                                                 \
    int NAME(wrap_File_##name)(MPI_File fh, MPI_Offset offset, direction##_buffer buffer, COUNT count,                 \
                               MPI_Datatype type, MPI_Status * status) {                                               \
        files_call c;                                                                                                  \
        if (!enter_at(&c, fh, offset)) return iol__abi_inside(REAL(name)(fh, offset, buffer, count, type, status));    \
        return moved(&c, REAL(name)(fh, offset, buffer, count, type, status), fh, count, type, direction, KIND(kind)); \
    }
#define BEGIN(name, direction, pointer)                                                                  \
    int NAME(wrap_File_##name)(MPI_File fh, direction##_buffer buffer, COUNT count, MPI_Datatype type) { \
        files_call c;                                                                                    \
        if (!enter_##pointer(&c, fh)) return iol__abi_inside(REAL(name)(fh, buffer, count, type));       \
        return begun(&c, REAL(name)(fh, buffer, count, type), fh, count, type, direction);               \
    }
#define BEGIN_AT(name, direction)                                                                           \
    int NAME(wrap_File_##name)(MPI_File fh, MPI_Offset offset, direction##_buffer buffer, COUNT count,      \
                               MPI_Datatype type) {                                                         \
        files_call c;                                                                                       \
        if (!enter_at(&c, fh, offset)) return iol__abi_inside(REAL(name)(fh, offset, buffer, count, type)); \
        return begun(&c, REAL(name)(fh, offset, buffer, count, type), fh, count, type, direction);          \
    }
#define START(name, direction, pointer)                                                                        \
    int NAME(wrap_File_##name)(MPI_File fh, direction##_buffer buffer, COUNT count, MPI_Datatype type,         \
                               MPI_Request * request) {                                                        \
        files_call c;                                                                                          \
        if (!enter_##pointer(&c, fh)) return iol__abi_inside(REAL(name)(fh, buffer, count, type, request));    \
        return started(&c, REAL(name)(fh, buffer, count, type, request), fh, count, type, direction, request); \
    }
#define START_AT(name, direction)                                                                                      \
    int NAME(wrap_File_##name)(MPI_File fh, MPI_Offset offset, direction##_buffer buffer, COUNT count,                 \
                               MPI_Datatype type, MPI_Request * request) {                                             \
        files_call c;                                                                                                  \
        if (!enter_at(&c, fh, offset)) return iol__abi_inside(REAL(name)(fh, offset, buffer, count, type, request));   \
        return started(&c, REAL(name)(fh, offset, buffer, count, type, request), fh, count, type, direction, request); \
    }

#if IOL_MPI_4
#define NAME(name) name##_c
#define REAL(name) mpi(File_##name##_c)
#define COUNT MPI_Count
#include "runtime/abi/transfers.def"
#undef NAME
#undef REAL
#undef COUNT
#endif

#define END(name, direction)                                                                  \
    int NAME(wrap_File_##name)(MPI_File fh, direction##_buffer buffer, MPI_Status * status) { \
        files_call c;                                                                         \
        if (!known(&c, fh)) return iol__abi_inside(REAL(name)(fh, buffer, status));           \
        start(&c);                                                                            \
        return ended(&c, REAL(name)(fh, buffer, status));                                     \
    }
#define NAME(name) name
#define REAL(name) mpi(File_##name)
#define COUNT int
#include "runtime/abi/transfers.def"

/* Files ------------------------------------------------------------------------------------------------------------ */

/* Keys and values, one after the other; what does not fit is left out. */
static size_t add_pair(char *pairs, size_t used, MPI_Info info, int number) {
    char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
    int there = 0;
    if (mpi(Info_get_nthkey)(info, number, key) != MPI_SUCCESS ||
        mpi(Info_get)(info, key, MPI_MAX_INFO_VAL, value, &there) != MPI_SUCCESS || !there)
        return used;
    const size_t key_bytes = strlen(key) + 1, value_bytes = strlen(value) + 1;
    if (key_bytes + value_bytes > HINT_BYTES - used) return used;
    memcpy(pairs + used, key, key_bytes);
    memcpy(pairs + used + key_bytes, value, value_bytes);
    return used + key_bytes + value_bytes;
}

static size_t add_pairs(char *pairs, MPI_Info info) {
    int keys = 0;
    size_t used = 0;
    if (mpi(Info_get_nkeys)(info, &keys) != MPI_SUCCESS) keys = 0;
    for (int i = 0; i < keys; i++) used = add_pair(pairs, used, info, i);
    return used;
}

/* What hints come from: what the program gave, how many processes open the file, and how. */
static uint64_t origin_of_hints(MPI_Info given, int processes, int mode) {
    char pairs[HINT_BYTES];
    uint64_t number = (uint64_t)(unsigned)processes << 32 | (unsigned)mode;
    const size_t length = given == MPI_INFO_NULL ? 0 : add_pairs(pairs, given);
    for (size_t i = 0; i < length; i++) number = (number ^ (unsigned char)pairs[i]) * UINT64_C(0x100000001b3);
    return number | UINT64_C(1) << 63;
}

/* Those that MPI goes by, given or not. One process of those that opened the file does this for all. Reading them takes
   longer than opening a file, so that they are read again only where they can be others. */
static void tell_hints(iol__mpiio_file *file, MPI_Comm comm, MPI_File fh, uint64_t from) {
    char pairs[HINT_BYTES];
    MPI_Info info;
    int rank = 0;
    if (mpi(Comm_rank)(comm, &rank) != MPI_SUCCESS || rank != 0 || !io->hints_wanted(file, from)) return;
    if (mpi(File_get_info)(fh, &info) != MPI_SUCCESS || info == MPI_INFO_NULL) return;
    const size_t used = add_pairs(pairs, info);
    mpi(Info_free)(&info);
    io->hints(file, pairs, used);
}

int wrap_File_open(MPI_Comm comm, const char *path, int mode, MPI_Info info, MPI_File *fh) {
    files_call c = {0};
    if (!iol__abi_outermost() || !iol__core_calls->awake())
        return iol__abi_inside(mpi(File_open)(comm, path, mode, info, fh));
    start(&c);
    const int result = mpi(File_open)(comm, path, mode, info, fh);
    const double end = stop();
    int processes = 1;
    if (result != MPI_SUCCESS || mpi(Comm_size)(comm, &processes) != MPI_SUCCESS) return result;
    const iol__mpiio_opening opening = {.mode = mode,
                                        .collective = processes > 1,
                                        .hinted = info != MPI_INFO_NULL,
                                        .sequential = (mode & MPI_MODE_SEQUENTIAL) != 0,
                                        .begin = c.begin,
                                        .end = end};
    iol__mpiio_file *file = io->opened(iol__number_of_MPI_File(*fh), path, &opening);
    if (file) tell_hints(file, comm, *fh, origin_of_hints(info, processes, mode));
    return result;
}

int wrap_File_close(MPI_File *fh) {
    files_call c = {0};
    c.file = fh && iol__abi_outermost() ? io->closing(iol__number_of_MPI_File(*fh)) : NULL;
    if (!c.file) return iol__abi_inside(mpi(File_close)(fh));
    start(&c);
    const int result = mpi(File_close)(fh);
    io->closed(c.file, result != MPI_SUCCESS, c.begin, stop());
    return result;
}

/* Its pieces are in one: as long as the type is, from its first to its last byte. */
static iol__mpiio_view view_of(MPI_Offset displacement, MPI_Datatype unit, MPI_Datatype tile, const char *data) {
    MPI_Count bytes = 0, unit_bytes = 0, lower = 0, extent = 0, first = 0, true_extent = 0;
    if (displacement < 0 || strcmp(data, "native") != 0 || mpi(Type_size_x)(unit, &unit_bytes) != MPI_SUCCESS ||
        mpi(Type_size_x)(tile, &bytes) != MPI_SUCCESS || mpi(Type_get_extent_x)(tile, &lower, &extent) != MPI_SUCCESS ||
        mpi(Type_get_true_extent_x)(tile, &first, &true_extent) != MPI_SUCCESS || true_extent != bytes)
        return (iol__mpiio_view){0};
    return (iol__mpiio_view){displacement, unit_bytes, bytes, first, extent};
}

int wrap_File_set_view(MPI_File fh, MPI_Offset displacement, MPI_Datatype unit, MPI_Datatype tile, const char *data,
                       MPI_Info info) {
    files_call c;
    if (!enter(&c, fh)) return iol__abi_inside(mpi(File_set_view)(fh, displacement, unit, tile, data, info));
    const int result = mpi(File_set_view)(fh, displacement, unit, tile, data, info);
    const double end = stop();
    if (result != MPI_SUCCESS) return result;
    iol__mpiio_view view = {0};
    if (c.positioned) view = view_of(displacement, unit, tile, data);
    io->viewed(c.file, &view, info != MPI_INFO_NULL, c.begin, end);
    return result;
}

int wrap_File_sync(MPI_File fh) {
    files_call c;
    if (!enter(&c, fh)) return iol__abi_inside(mpi(File_sync)(fh));
    const int result = mpi(File_sync)(fh);
    const double end = stop();
    if (result == MPI_SUCCESS) io->synced(c.file, c.begin, end);
    return result;
}
