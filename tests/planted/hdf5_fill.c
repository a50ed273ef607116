/* An HDF5 file whose dataset is filled when its space is allocated, and then written in full.
   SET level.least_seconds=0
   FINDS hdf5.fill
   LIBRARY hdf5.h hdf5_serial hdf5 */
#include "tests/planted/hdf5_file.h"

int main(void) { return write_files(H5D_FILL_TIME_ALLOC); }
