! The same in Fortran, by the module of choice: its bindings call one or the other name of MPI's functions.
program ranks
#ifdef F08
    use mpi_f08
    implicit none
    type(MPI_File) :: file
#else
    use mpi
    implicit none
    integer :: file
#endif
    integer :: rank, error, numbers(1024)
    integer(kind=MPI_OFFSET_KIND) :: place
    character(len=8) :: name
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    numbers = rank
    place = 4096 * rank
    call MPI_File_open(MPI_COMM_WORLD, "shared", MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, file, error)
    call MPI_File_write_at_all(file, place, numbers, 1024, MPI_INTEGER, MPI_STATUS_IGNORE, error)
    call MPI_File_close(file, error)
    write (name, '(A,I0)') "rank.", rank
    open (unit=10, file=trim(name), form="unformatted", access="stream")
    write (10) numbers
    close (10)
    call MPI_Finalize(error)
end program ranks
