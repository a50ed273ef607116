! MPI-IO by the module mpi_f08 of Fortran 2008, whose handles have types.
program fortran08
  use mpi_f08
  implicit none
  type(MPI_File) :: file
  type(MPI_Request) :: requests(4)
  include 'io_fortran90.inc'
end program
