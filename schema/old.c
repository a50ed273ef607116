/* The tables of old.h, made from the .def files. */
#include "schema/old.h"

#define ROW(name, since, posix, mpiio, how) {#name, since, IOL_OLD_TOTAL_##how, IOL_##posix, IOL_##mpiio},
#define OLD_INT(name, since, posix, mpiio, total) ROW(name, since, posix, mpiio, total)
#define OLD_REAL(name, since, posix, mpiio, total)
const iol__old_counter iol__old_ints[IOL_OLD_INTS] = {
#include "schema/old_counters.def"
};
#undef OLD_INT
#undef OLD_REAL
#define OLD_INT(name, since, posix, mpiio, total)
#define OLD_REAL(name, since, posix, mpiio, total) ROW(name, since, posix, mpiio, total)
const iol__old_counter iol__old_reals[IOL_OLD_REALS] = {
#include "schema/old_counters.def"
};
#undef OLD_INT
#undef OLD_REAL

_Static_assert(IOL_OLD_INTS == 144 && IOL_OLD_REALS == 18, "a record of 2.x");
#define OLD_VERSION(text, generation, knows, job, metadata, area, record, ints, reals, suffix, limits) \
    _Static_assert((record) == 32 + 8 * ((ints) + (reals)), text);
#include "schema/old_versions.def"
#undef OLD_VERSION

const iol__old_version iol__old_versions[] = {
#define OLD_VERSION(text, generation, knows, job, metadata, area, record, ints, reals, suffix, limits) \
    {text, generation, knows, job, metadata, area, record, ints, reals, suffix, limits},
#include "schema/old_versions.def"
#undef OLD_VERSION
};
const size_t iol__old_versions_count = sizeof iol__old_versions / sizeof *iol__old_versions;

const iol__old_limit iol__old_limits[] = {
#define OLD_LIMIT(letter, text) {letter, text},
#include "schema/old_limits.def"
#undef OLD_LIMIT
};
const size_t iol__old_limits_count = sizeof iol__old_limits / sizeof *iol__old_limits;
