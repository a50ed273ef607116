! MPI-IO by the module mpi of Fortran 90.
program fortran90
  use mpi
  implicit none
  integer :: file, requests(4)
  include 'io_fortran90.inc'
end program
