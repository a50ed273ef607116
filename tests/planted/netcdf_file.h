/* Files of 32 MiB as a model writes them, one per step, by netCDF: with fill values, or without. */
#ifndef IOL_TESTS_PLANTED_NETCDF_FILE_H
#define IOL_TESTS_PLANTED_NETCDF_FILE_H

#include <netcdf.h>

#include "tests/planted/planted.h"

enum { LEVELS = 4, CELLS = 1024 * 1024 };

/* `buffer`: bytes that the library collects before it calls the system, for the classic format; 0 is its own choice. */
static inline void write_file(const char *path, int mode, size_t buffer, int fill) {
    static double field[CELLS];
    int file, dimensions[2], variable, old;
    NEED(nc__create(path, mode, 0, &buffer, &file) == NC_NOERR && nc_set_fill(file, fill, &old) == NC_NOERR);
    NEED(nc_def_dim(file, "level", LEVELS, &dimensions[0]) == NC_NOERR);
    NEED(nc_def_dim(file, "cell", CELLS, &dimensions[1]) == NC_NOERR);
    NEED(nc_def_var(file, "temperature", NC_DOUBLE, 2, dimensions, &variable) == NC_NOERR);
    NEED(nc_enddef(file) == NC_NOERR); /* HERE */
    const size_t count[] = {1, CELLS};
    for (size_t level = 0; level < LEVELS; level++)
        NEED(nc_put_vara_double(file, variable, (size_t[]){level, 0}, count, field) == NC_NOERR); /* HERE */
    NEED(nc_close(file) == NC_NOERR);
}

/* A step's file goes when the next one is there, so that the disk is not filled. */
static inline int write_files(int mode, size_t buffer, int fill) {
    char path[32], before[32] = "";
    for (int step = 0; more(8); step++) {
        snprintf(path, sizeof path, "step-%d.nc", step);
        write_file(path, mode, buffer, fill);
        if (*before) NEED(unlink(before) == 0);
        memcpy(before, path, sizeof before);
    }
    return 0;
}

#endif
