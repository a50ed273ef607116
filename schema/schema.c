/* The tables of schema.h, made from the .def files. No code here decides anything about a single counter. */
#include "schema/schema.h"

#include <string.h>
#include <strings.h>

#define R_NONE IOL_REDUCE_NONE, -1
#define R_SUM IOL_REDUCE_SUM, -1
#define R_SUM_M1 IOL_REDUCE_SUM_M1, -1
#define R_MIN_NZ IOL_REDUCE_MIN_NZ, -1
#define R_MAX IOL_REDUCE_MAX, -1
#define R_MAX_WITH(counter) IOL_REDUCE_MAX_WITH, IOL_##counter
#define R_ONE_SIDE IOL_REDUCE_ONE_SIDE, -1
#define R_OR IOL_REDUCE_OR, -1
#define R_COMMON4 IOL_REDUCE_COMMON4, -1
#define R_FASTEST IOL_REDUCE_FASTEST, -1
#define R_SLOWEST IOL_REDUCE_SLOWEST, -1
#define R_VARIANCE IOL_REDUCE_VARIANCE, -1
#define R_DISTINCT IOL_REDUCE_DISTINCT, -1
#define R_PER_RANK IOL_REDUCE_PER_RANK, -1
#define R_BLADE_AVERAGE IOL_REDUCE_BLADE_AVERAGE, -1

#define ROW(name, unit, kind, since, reduce) ROW_(name, unit, kind, since, reduce)
#define ROW_(name, unit, kind, since, how, with) {#name, unit, sizeof #name - 1, kind, how, since, with},
#define INT(name, unit, reduce, since, meaning) ROW(name, unit, IOL_KIND_INT, since, R_##reduce)
#define UINT(name, unit, reduce, since, meaning) ROW(name, unit, IOL_KIND_UINT, since, R_##reduce)
#define REAL(name, unit, reduce, since, meaning) ROW(name, unit, IOL_KIND_REAL, since, R_##reduce)

static const iol__counter counters_NULL[] = {
#include "schema/null.def"
};
static const iol__counter counters_POSIX[] = {
#include "schema/posix.def"
};
static const iol__counter counters_MPIIO[] = {
#include "schema/mpiio.def"
};
static const iol__counter counters_H5F[] = {
#include "schema/h5f.def"
};
static const iol__counter counters_H5D[] = {
#include "schema/h5d.def"
};
static const iol__counter counters_PNETCDF_FILE[] = {
#include "schema/pnetcdf_file.def"
};
static const iol__counter counters_PNETCDF_VAR[] = {
#include "schema/pnetcdf_var.def"
};
static const iol__counter counters_BGQ[] = {
#include "schema/bgq.def"
};
static const iol__counter counters_STDIO[] = {
#include "schema/stdio.def"
};
static const iol__counter counters_MDHIM[] = {
#include "schema/mdhim.def"
};
static const iol__counter counters_APXC[] = {
#include "schema/apxc.def"
};
static const iol__counter counters_APMPI[] = {
#include "schema/apmpi.def"
};
static const iol__counter counters_DFS[] = {
#include "schema/dfs.def"
};
static const iol__counter counters_DAOS[] = {
#include "schema/daos.def"
};
const iol__counter iol__lustre_component[] = {
#include "schema/lustre_component.def"
};

_Static_assert(IOL_POSIX_INTS == 69 && IOL_POSIX_REALS == 17, "POSIX 4");
_Static_assert(IOL_MPIIO_INTS == 51 && IOL_MPIIO_REALS == 17, "MPI-IO 3");
_Static_assert(IOL_H5D_INTS == 94 && IOL_PNETCDF_VAR_INTS == 120, "slab tables");
_Static_assert(IOL_APMPI_INTS == 396 && IOL_APMPI_REALS == IOL_APMPI_TIMES + IOL_APMPI_SYNCS + 2, "APMPI 1");
_Static_assert(IOL_APXC_INTS == 392, "APXC 1");

/* Modules whose records have no counter arrays of one layout. */
#define counters_LUSTRE NULL
#define counters_DXT_POSIX NULL
#define counters_DXT_MPIIO NULL
#define counters_HEATMAP NULL

enum {
    IOL_DXT_POSIX_INTS = 0,
    IOL_DXT_POSIX_REALS = 0,
    IOL_DXT_MPIIO_INTS = 0,
    IOL_DXT_MPIIO_REALS = 0,
    IOL_HEATMAP_INTS = 0,
    IOL_HEATMAP_REALS = 0,
    IOL_LUSTRE_INTS = 0,
};

#define TRAFFIC(p) .traffic = true,                                                                     \
    .bytes_read = IOL_##p##_BYTES_READ, .bytes_written = IOL_##p##_BYTES_WRITTEN,       \
    .read_time = IOL_##p##_F_READ_TIME, .write_time = IOL_##p##_F_WRITE_TIME,           \
    .meta_time = IOL_##p##_F_META_TIME, .fastest_rank = IOL_##p##_FASTEST_RANK,         \
    .fastest_bytes = IOL_##p##_FASTEST_RANK_BYTES, .slowest_rank = IOL_##p##_SLOWEST_RANK, \
    .slowest_bytes = IOL_##p##_SLOWEST_RANK_BYTES, .fastest_time = IOL_##p##_F_FASTEST_RANK_TIME, \
    .slowest_time = IOL_##p##_F_SLOWEST_RANK_TIME
#define BUCKETS(p, suffix) .read_buckets = IOL_##p##_SIZE_READ_##suffix, .write_buckets = IOL_##p##_SIZE_WRITE_##suffix
#define OFFSETS(p) .max_byte_read = IOL_##p##_MAX_BYTE_READ, .max_byte_written = IOL_##p##_MAX_BYTE_WRITTEN
#define NO_OFFSETS .max_byte_read = -1, .max_byte_written = -1
#define VARIANCES(p) .variance_time = IOL_##p##_F_VARIANCE_RANK_TIME, .variance_bytes = IOL_##p##_F_VARIANCE_RANK_BYTES
#define NO_VARIANCES .variance_time = -1, .variance_bytes = -1
#define ACCESSES(p) {IOL_##p##_ACCESS1_ACCESS, 1, IOL_##p##_ACCESS1_COUNT}
#define STRIDES(p) {IOL_##p##_STRIDE1_STRIDE, 1, IOL_##p##_STRIDE1_COUNT}
#define SLABS(p) {IOL_##p##_ACCESS1_ACCESS, 11, IOL_##p##_ACCESS1_COUNT}
#define NO_TABLE {-1, 0, -1}

static const iol__roles roles_of[IOL_SLOTS_KNOWN] = {
    [IOL_SLOT_POSIX] = {.estimated = true, TRAFFIC(POSIX), OFFSETS(POSIX), BUCKETS(POSIX, 0_100), VARIANCES(POSIX),
                        .common = {STRIDES(POSIX), ACCESSES(POSIX)}},
    [IOL_SLOT_MPIIO] = {.estimated = true, TRAFFIC(MPIIO), NO_OFFSETS, BUCKETS(MPIIO, AGG_0_100), VARIANCES(MPIIO),
                        .common = {ACCESSES(MPIIO), NO_TABLE}},
    [IOL_SLOT_STDIO] = {.estimated = true, TRAFFIC(STDIO), OFFSETS(STDIO), .read_buckets = -1, .write_buckets = -1,
                        VARIANCES(STDIO), .common = {NO_TABLE, NO_TABLE}},
    [IOL_SLOT_H5D] = {TRAFFIC(H5D), NO_OFFSETS, BUCKETS(H5D, AGG_0_100), VARIANCES(H5D),
                      .common = {SLABS(H5D), NO_TABLE}},
    [IOL_SLOT_PNETCDF_VAR] = {TRAFFIC(PNETCDF_VAR), NO_OFFSETS, BUCKETS(PNETCDF_VAR, AGG_0_100),
                              VARIANCES(PNETCDF_VAR), .common = {SLABS(PNETCDF_VAR), NO_TABLE}},
    [IOL_SLOT_DFS] = {.estimated = true, TRAFFIC(DFS), NO_OFFSETS, BUCKETS(DFS, 0_100), NO_VARIANCES,
                      .common = {ACCESSES(DFS), NO_TABLE}},
    [IOL_SLOT_DAOS] = {.estimated = true, TRAFFIC(DAOS), NO_OFFSETS, BUCKETS(DAOS, 0_100), NO_VARIANCES,
                       .common = {ACCESSES(DAOS), NO_TABLE}},
};

#define MODULE(slot, ident, name, key, form, current, slot20, slot00, former, named)                     \
    [slot] = {name, key, sizeof name - 1, IOL_FORM_##form, current, slot20, slot00, IOL_##ident##_INTS,  \
              IOL_##ident##_REALS, counters_##ident, former, named, &roles_of[slot]},
const iol__module iol__modules[IOL_SLOTS_KNOWN] = {
#include "schema/modules.def"
};
#undef MODULE

#define VERSION(ident, version, bytes, size, counters_at, ints, reals, release, note) \
    {IOL_SLOT_##ident, version, bytes, counters_at, ints, reals, size, release, note},
const iol__version iol__versions[] = {
#include "schema/versions.def"
};
#undef VERSION
const size_t iol__versions_count = sizeof iol__versions / sizeof *iol__versions;

#define UPGRADE(ident, from, edit, position, count, value) \
    {IOL_SLOT_##ident, from, IOL_EDIT_##edit, position, count, value},
const iol__upgrade iol__upgrades[] = {
#include "schema/upgrades.def"
};
#undef UPGRADE
const size_t iol__upgrades_count = sizeof iol__upgrades / sizeof *iol__upgrades;

#define SETTING(ident, env, alias, key, type, value, help) {#ident, env, alias, key, IOL_SETTING_##type, value, help},
const iol__setting iol__settings[IOL_SETTINGS] = {
#include "schema/settings.def"
};
#undef SETTING

const iol__version *iol__version_find(int slot, unsigned version) {
    for (size_t i = 0; i < iol__versions_count; i++)
        if (iol__versions[i].slot == slot && iol__versions[i].version == version) return &iol__versions[i];
    return NULL;
}

int iol__module_find(const char *name) {
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++)
        if (strcasecmp(name, iol__modules[slot].name) == 0 || strcasecmp(name, iol__modules[slot].key) == 0) return slot;
    return -1;
}

const char *iol__reduce_name(unsigned reduce) {
    static const char *const names[] = {
        [IOL_REDUCE_NONE] = "none",
        [IOL_REDUCE_SUM] = "sum",
        [IOL_REDUCE_SUM_M1] = "sum_m1",
        [IOL_REDUCE_MIN_NZ] = "min_nz",
        [IOL_REDUCE_MAX] = "max",
        [IOL_REDUCE_MAX_WITH] = "max_with",
        [IOL_REDUCE_ONE_SIDE] = "one_side",
        [IOL_REDUCE_OR] = "or",
        [IOL_REDUCE_COMMON4] = "common4",
        [IOL_REDUCE_FASTEST] = "fastest",
        [IOL_REDUCE_SLOWEST] = "slowest",
        [IOL_REDUCE_VARIANCE] = "variance",
        [IOL_REDUCE_DISTINCT] = "distinct",
        [IOL_REDUCE_PER_RANK] = "none (one record per rank)",
        [IOL_REDUCE_BLADE_AVERAGE] = "average over the ranks of one blade",
    };
    return names[reduce];
}
