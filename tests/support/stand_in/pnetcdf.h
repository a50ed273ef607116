/* As much of PnetCDF as the snippets of advice use. */
#ifndef IOL_TESTS_STAND_IN_PNETCDF_H
#define IOL_TESTS_STAND_IN_PNETCDF_H

#include <mpi.h>

#define NC_NOERR 0
#define NC_NOFILL 0x100

int ncmpi_set_fill(int ncid, int mode, int *old);
int ncmpi_iput_vara_double(int ncid, int varid, const MPI_Offset *start, const MPI_Offset *count, const double *data,
                           int *request);
int ncmpi_wait_all(int ncid, int count, int *requests, int *statuses);

#endif
