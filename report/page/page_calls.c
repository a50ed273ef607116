/* Operations: how often each kind of call was made, by layer; and how much of the access was in order. */
#include <string.h>

#include "base/count.h"
#include "report/page/page_internal.h"

enum { SAME = 2 };

/* One bar of the chart: counters to add up, numbered from 1 so that 0 ends the list. */
typedef struct page_calls_operation {
    const char *layer, *name;
    int slot;
    int16_t counters[SAME];
} page_calls_operation;

#define OP(layer, name, slot, ...)                    \
    {                                                 \
        layer, name, IOL_SLOT_##slot, { __VA_ARGS__ } \
    }
#define C(counter) (IOL_##counter + 1)
static const page_calls_operation operations[] = {
    OP("POSIX", "read", POSIX, C(POSIX_READS)),
    OP("POSIX", "write", POSIX, C(POSIX_WRITES)),
    OP("POSIX", "open", POSIX, C(POSIX_OPENS)),
    OP("POSIX", "stat", POSIX, C(POSIX_STATS)),
    OP("POSIX", "seek", POSIX, C(POSIX_SEEKS)),
    OP("POSIX", "mmap", POSIX, C(POSIX_MMAPS)),
    OP("POSIX", "fsync", POSIX, C(POSIX_FSYNCS), C(POSIX_FDSYNCS)),
    OP("MPI-IO", "independent read", MPIIO, C(MPIIO_INDEP_READS)),
    OP("MPI-IO", "independent write", MPIIO, C(MPIIO_INDEP_WRITES)),
    OP("MPI-IO", "independent open", MPIIO, C(MPIIO_INDEP_OPENS)),
    OP("MPI-IO", "collective read", MPIIO, C(MPIIO_COLL_READS)),
    OP("MPI-IO", "collective write", MPIIO, C(MPIIO_COLL_WRITES)),
    OP("MPI-IO", "collective open", MPIIO, C(MPIIO_COLL_OPENS)),
    OP("MPI-IO", "split read", MPIIO, C(MPIIO_SPLIT_READS)),
    OP("MPI-IO", "split write", MPIIO, C(MPIIO_SPLIT_WRITES)),
    OP("MPI-IO", "nonblocking read", MPIIO, C(MPIIO_NB_READS)),
    OP("MPI-IO", "nonblocking write", MPIIO, C(MPIIO_NB_WRITES)),
    OP("MPI-IO", "sync", MPIIO, C(MPIIO_SYNCS)),
    OP("STDIO", "read", STDIO, C(STDIO_READS)),
    OP("STDIO", "write", STDIO, C(STDIO_WRITES)),
    OP("STDIO", "open", STDIO, C(STDIO_OPENS)),
    OP("STDIO", "seek", STDIO, C(STDIO_SEEKS)),
    OP("STDIO", "flush", STDIO, C(STDIO_FLUSHES)),
    OP("HDF5", "dataset read", H5D, C(H5D_READS)),
    OP("HDF5", "dataset write", H5D, C(H5D_WRITES)),
    OP("HDF5", "dataset open", H5D, C(H5D_OPENS)),
    OP("HDF5", "dataset flush", H5D, C(H5D_FLUSHES)),
    OP("HDF5", "file open", H5F, C(H5F_OPENS)),
    OP("HDF5", "file flush", H5F, C(H5F_FLUSHES)),
    OP("PNETCDF", "independent read", PNETCDF_VAR, C(PNETCDF_VAR_INDEP_READS)),
    OP("PNETCDF", "independent write", PNETCDF_VAR, C(PNETCDF_VAR_INDEP_WRITES)),
    OP("PNETCDF", "variable open", PNETCDF_VAR, C(PNETCDF_VAR_OPENS)),
    OP("PNETCDF", "collective read", PNETCDF_VAR, C(PNETCDF_VAR_COLL_READS)),
    OP("PNETCDF", "collective write", PNETCDF_VAR, C(PNETCDF_VAR_COLL_WRITES)),
    OP("PNETCDF", "nonblocking read", PNETCDF_VAR, C(PNETCDF_VAR_NB_READS)),
    OP("PNETCDF", "nonblocking write", PNETCDF_VAR, C(PNETCDF_VAR_NB_WRITES)),
    OP("PNETCDF", "file open", PNETCDF_FILE, C(PNETCDF_FILE_OPENS), C(PNETCDF_FILE_CREATES)),
    OP("PNETCDF", "sync", PNETCDF_FILE, C(PNETCDF_FILE_SYNCS)),
    OP("PNETCDF", "independent wait", PNETCDF_FILE, C(PNETCDF_FILE_INDEP_WAITS)),
    OP("PNETCDF", "collective wait", PNETCDF_FILE, C(PNETCDF_FILE_COLL_WAITS)),
    OP("DFS", "read", DFS, C(DFS_READS)),
    OP("DFS", "readx", DFS, C(DFS_READXS)),
    OP("DFS", "write", DFS, C(DFS_WRITES)),
    OP("DFS", "writex", DFS, C(DFS_WRITEXS)),
    OP("DFS", "open", DFS, C(DFS_OPENS)),
    OP("DFS", "global open", DFS, C(DFS_GLOBAL_OPENS)),
    OP("DFS", "lookup", DFS, C(DFS_LOOKUPS)),
    OP("DFS", "get size", DFS, C(DFS_GET_SIZES)),
    OP("DFS", "punch", DFS, C(DFS_PUNCHES)),
    OP("DFS", "remove", DFS, C(DFS_REMOVES)),
    OP("DFS", "stat", DFS, C(DFS_STATS)),
    OP("DAOS", "object fetch", DAOS, C(DAOS_OBJ_FETCHES)),
    OP("DAOS", "object update", DAOS, C(DAOS_OBJ_UPDATES)),
    OP("DAOS", "object open", DAOS, C(DAOS_OBJ_OPENS)),
    OP("DAOS", "object punch", DAOS, C(DAOS_OBJ_PUNCHES)),
    OP("DAOS", "dkey punch", DAOS, C(DAOS_OBJ_DKEY_PUNCHES)),
    OP("DAOS", "akey punch", DAOS, C(DAOS_OBJ_AKEY_PUNCHES)),
    OP("DAOS", "dkey list", DAOS, C(DAOS_OBJ_DKEY_LISTS)),
    OP("DAOS", "akey list", DAOS, C(DAOS_OBJ_AKEY_LISTS)),
    OP("DAOS", "recx list", DAOS, C(DAOS_OBJ_RECX_LISTS)),
    OP("DAOS", "array read", DAOS, C(DAOS_ARRAY_READS)),
    OP("DAOS", "array write", DAOS, C(DAOS_ARRAY_WRITES)),
    OP("DAOS", "array open", DAOS, C(DAOS_ARRAY_OPENS)),
    OP("DAOS", "array get size", DAOS, C(DAOS_ARRAY_GET_SIZES)),
    OP("DAOS", "array set size", DAOS, C(DAOS_ARRAY_SET_SIZES)),
    OP("DAOS", "array stat", DAOS, C(DAOS_ARRAY_STATS)),
    OP("DAOS", "array punch", DAOS, C(DAOS_ARRAY_PUNCHES)),
    OP("DAOS", "array destroy", DAOS, C(DAOS_ARRAY_DESTROYS)),
    OP("DAOS", "key get", DAOS, C(DAOS_KV_GETS)),
    OP("DAOS", "key put", DAOS, C(DAOS_KV_PUTS)),
    OP("DAOS", "key open", DAOS, C(DAOS_KV_OPENS)),
    OP("DAOS", "key remove", DAOS, C(DAOS_KV_REMOVES)),
    OP("DAOS", "key list", DAOS, C(DAOS_KV_LISTS)),
    OP("DAOS", "key destroy", DAOS, C(DAOS_KV_DESTROYS)),
};
enum { OPERATIONS = IOL_COUNT(operations) };

static bool page_calls_present(const iol__page *page, const char *layer) {
    for (int i = 0; i < OPERATIONS; i++)
        if (strcmp(operations[i].layer, layer) == 0 && page->facts->modules[operations[i].slot].all.records)
            return true;
    return false;
}

static void write_operation(iol__json *json, const iol__page *page, const page_calls_operation *op) {
    const int64_t *ints = page->facts->modules[op->slot].all.ints;
    int64_t count = 0;
    for (int i = 0; i < SAME && op->counters[i]; i++) count = iol__facts_plus(count, ints[op->counters[i] - 1]);
    iol__json_open(json, '{');
    iol__json_put_text(json, "name", op->name);
    iol__json_put_i64(json, "count", count);
    iol__json_close(json, '}');
}

static void write_operations(iol__json *json, const iol__page *page) {
    iol__json_put_open(json, "operations", '[');
    for (int i = 0; i < OPERATIONS;) {
        const char *layer = operations[i].layer;
        bool shown = page_calls_present(page, layer);
        if (shown) {
            iol__json_open(json, '{');
            iol__json_put_text(json, "module", layer);
            iol__json_put_open(json, "ops", '[');
        }
        for (; i < OPERATIONS && strcmp(operations[i].layer, layer) == 0; i++)
            if (shown) write_operation(json, page, &operations[i]);
        if (!shown) continue;
        iol__json_close(json, ']');
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

static void write_order(iol__json *json, const char *key, int64_t total, int64_t sequential, int64_t consecutive) {
    iol__json_put_open(json, key, '{');
    iol__json_put_i64(json, "total", total);
    iol__json_put_i64(json, "sequential", sequential);
    iol__json_put_i64(json, "consecutive", consecutive);
    iol__json_close(json, '}');
}

static void write_pattern(iol__json *json, const iol__page *page) {
    const iol__facts_sums *posix = &page->facts->modules[IOL_SLOT_POSIX].all;
    const int64_t *ints = posix->ints;
    iol__json_put_open(json, "pattern", '[');
    if (posix->records) {
        iol__json_open(json, '{');
        iol__json_put_text(json, "module", "POSIX");
        write_order(json, "reads", ints[IOL_POSIX_READS], ints[IOL_POSIX_SEQ_READS], ints[IOL_POSIX_CONSEC_READS]);
        write_order(json, "writes", ints[IOL_POSIX_WRITES], ints[IOL_POSIX_SEQ_WRITES], ints[IOL_POSIX_CONSEC_WRITES]);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

void iol__page_calls_write(iol__json *json, const iol__page *page) {
    write_operations(json, page);
    write_pattern(json, page);
}
