! As much of MPI's Fortran module as the snippets of advice use.
module mpi
  implicit none
  integer, parameter :: MPI_OFFSET_KIND = 8, MPI_MODE_CREATE = 1, MPI_MODE_WRONLY = 4, MPI_DOUBLE_PRECISION = 17
  integer :: MPI_STATUS_IGNORE(6)
  external :: MPI_Info_create, MPI_Info_set, MPI_Info_free, MPI_File_open, MPI_File_close, MPI_File_write_at_all
end module
