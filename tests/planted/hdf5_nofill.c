/* The same without filling: every byte is written once.
   INNOCENT
   LIBRARY hdf5.h hdf5_serial hdf5 */
#include "tests/planted/hdf5_file.h"

int main(void) { return write_files(H5D_FILL_TIME_NEVER); }
