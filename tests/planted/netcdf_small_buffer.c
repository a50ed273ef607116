/* A netCDF classic file without fill values, but with the buffer that the library takes by itself, a few KiB.
   SET level.least_seconds=0
   FINDS posix.small.write
   LIBRARY netcdf.h netcdf */
#include "tests/planted/netcdf_file.h"

int main(void) { return write_files(NC_CLOBBER | NC_64BIT_OFFSET, 0, NC_NOFILL); }
