/* Rows of all ranks in turn, each an independent put; afterwards they are collected and written together.
   RANKS 4
   LIBRARY pnetcdf
   FINDS pnetcdf.indep */
#include <pnetcdf.h>

#include "tests/pairs/pair.h"

#define NC(call) CHECK((call) == NC_NOERR)

enum { WIDTH = 512, ROWS = 500 };

static void work(void) {
    double *rows = bytes_of(sizeof *rows * WIDTH * ROWS);
    int file, dimensions[2], variable, request, requests[ROWS], states[ROWS];
    NC(ncmpi_create(MPI_COMM_WORLD, path_of("rows.nc"), NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &file));
    NC(ncmpi_def_dim(file, "row", (MPI_Offset)ranks * ROWS, &dimensions[0]));
    NC(ncmpi_def_dim(file, "column", WIDTH, &dimensions[1]));
    NC(ncmpi_def_var(file, "v", NC_DOUBLE, 2, dimensions, &variable));
    NC(ncmpi_enddef(file));
    if (!fixed) NC(ncmpi_begin_indep_data(file));
    for (int i = 0; i < ROWS; i++) {
        const MPI_Offset start[] = {(MPI_Offset)i * ranks + rank, 0}, count[] = {1, WIDTH};
        if (fixed)
            NC(ncmpi_iput_vara_double(file, variable, start, count, rows + (size_t)i * WIDTH, &request));
        else
            NC(ncmpi_put_vara_double(file, variable, start, count, rows + (size_t)i * WIDTH));
        if (fixed) requests[i] = request;
    }
    if (fixed) NC(ncmpi_wait_all(file, ROWS, requests, states));
    if (!fixed) NC(ncmpi_end_indep_data(file));
    NC(ncmpi_close(file));
    free(rows);
}
