/* As much of netCDF as the snippets of advice use. */
#ifndef IOL_TESTS_STAND_IN_NETCDF_H
#define IOL_TESTS_STAND_IN_NETCDF_H

#include <stddef.h>

#define NC_WRITE 1

int nc__open(const char *path, int mode, size_t *buffer, int *ncid);

#endif
