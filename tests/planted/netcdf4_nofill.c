/* The same without filling: every byte is written once.
   INNOCENT
   LIBRARY netcdf.h netcdf */
#include "tests/planted/netcdf_file.h"

int main(void) { return write_files(NC_CLOBBER | NC_NETCDF4, 0, NC_NOFILL); }
