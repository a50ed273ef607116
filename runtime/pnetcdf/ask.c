/* Asking PnetCDF, through pointers that are found when the program first calls it. */
#include <stddef.h>

#include "runtime/lazy/lazy.h"
#include "runtime/pnetcdf/pnetcdf.h"

enum { MOST_DIMENSIONS = 1024 };

static struct {
#define ASKED(name, parameters) int(*name) parameters;
#include "runtime/pnetcdf/asked.def"
#undef ASKED
} nc;

/* Binding ---------------------------------------------------------------------------------------------------------- */

static bool leave_alone(const char *why, const char *detail) {
    if (iol__core_state.verbose) iol__say(why, detail);
    return false;
}

/* A library of these names that was built without MPI has other types in its parameters. Its own MPI is looked for by
   functions that are none of ours. */
static bool has_mpi(void) {
    return iol__library_find(IOL_LIBRARY_PNETCDF, "MPI_Type_size") ||
           iol__library_find(IOL_LIBRARY_PNETCDF, "PMPI_Type_size");
}

static bool find_functions(void) {
    static const struct {
        const char *name;
        void **to;
    } all[] = {
#define ASKED(name, parameters) {#name, (void **)(void *)&nc.name},
#include "runtime/pnetcdf/asked.def"
#undef ASKED
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        *all[i].to = iol__library_find(IOL_LIBRARY_PNETCDF, all[i].name);
        if (!*all[i].to) return leave_alone("PnetCDF is not recorded: it has no ", all[i].name);
    }
    return true;
}

bool iol__pnetcdf_bound(void) {
    if (iol__pnetcdf_file_module.off && iol__pnetcdf_var_module.off) return false;
    if (!has_mpi()) return leave_alone("PnetCDF is not recorded: it has no MPI", "");
    return find_functions();
}

/* Variables -------------------------------------------------------------------------------------------------------- */

static int64_t element_bytes(int type) {
    static const uint8_t bytes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8}; /* NC_BYTE is 1, NC_UINT64 is 11 */
    return type > 0 && (size_t)type < sizeof bytes ? bytes[type] : 0;
}

int64_t iol__nc_length(int file, int dimension) {
    long long length = 0;
    return nc.ncmpi_inq_dimlen(file, dimension, &length) == 0 ? length : 0;
}

/* Only the first dimension can be the one that grows. */
static int growing(int file, int n, const int *dimensions) {
    int unlimited = -1;
    if (n == 0 || nc.ncmpi_inq_unlimdim(file, &unlimited) != 0) return -1;
    return unlimited >= 0 && dimensions[0] == unlimited ? unlimited : -1;
}

bool iol__nc_shape_of(int file, int variable, iol__nc_shape *shape, char *name) {
    int n = 0, type = 0, dimensions[MOST_DIMENSIONS];
    dimensions[0] = -1;
    if (nc.ncmpi_inq_varndims(file, variable, &n) != 0 || n < 0) return false;
    const bool few = n <= MOST_DIMENSIONS;
    if (nc.ncmpi_inq_var(file, variable, name, &type, NULL, few ? dimensions : NULL, NULL) != 0) return false;
    *shape = (iol__nc_shape){.dimensions = n, .points = few, .element = element_bytes(type), .records = -1};
    if (!few) return true;
    shape->records = growing(file, n, dimensions);
    for (int i = shape->records < 0 ? 0 : 1; i < n; i++) shape->points *= iol__nc_length(file, dimensions[i]);
    return true;
}

/* Files ------------------------------------------------------------------------------------------------------------ */

int64_t iol__nc_bytes(int file, iol__direction direction) {
    long long bytes = 0;
    const int result =
        direction == IOL_READ ? nc.ncmpi_inq_get_size(file, &bytes) : nc.ncmpi_inq_put_size(file, &bytes);
    return result == 0 ? bytes : -1;
}
