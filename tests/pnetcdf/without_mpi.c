/* A library with the names of PnetCDF and no MPI: its functions are called as if Iolite were not there. */
const char *ncmpi_inq_libvers(void);
int ncmpi_close(int file);
int ncmpi_put_var_int(int file, int variable, const int *memory);

const char *ncmpi_inq_libvers(void) { return "a library without MPI"; }
int ncmpi_close(int file) { return file + 1; }
int ncmpi_put_var_int(int file, int variable, const int *memory) { return file + variable + *memory; }
