C     MPI-IO by the old interface of Fortran (mpif.h): collective opens,
C     five rounds of a MiB for each rank, written, read back, compared.
      program fortran77
      implicit none
      include 'mpif.h'
      integer words, rounds
      parameter (words = 262144, rounds = 5)
      integer ierror, rank, ranks, file, round, i
      integer status(MPI_STATUS_SIZE)
      integer data(words)
      integer(kind=MPI_OFFSET_KIND) at
      character*4000 directory
      character*4096 path
      call getarg(1, directory)
      path = trim(directory)//'/fortran77'
      call MPI_INIT(ierror)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierror)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, ierror)
      call MPI_FILE_OPEN(MPI_COMM_WORLD, trim(path),
     &     MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, ierror)
      if (ierror .ne. MPI_SUCCESS) call MPI_ABORT(MPI_COMM_WORLD, 1, i)
      do 10 round = 0, rounds - 1
        do 20 i = 1, words
          data(i) = rank * 1000 + round
   20   continue
        at = words
        at = 4 * at * (round * ranks + rank)
        call MPI_FILE_WRITE_AT_ALL(file, at, data, words, MPI_INTEGER,
     &       status, ierror)
        call MPI_FILE_READ_AT_ALL(file, at, data, words, MPI_INTEGER,
     &       status, ierror)
        if (data(words) .ne. rank * 1000 + round) then
          call MPI_ABORT(MPI_COMM_WORLD, 1, ierror)
        end if
   10 continue
      call MPI_FILE_CLOSE(file, ierror)
      call tell(directory, path, rank, ranks, rounds, words)
      call MPI_FINALIZE(ierror)
      end

      subroutine tell(directory, path, rank, ranks, rounds, words)
      implicit none
      character*(*) directory, path
      integer rank, ranks, rounds, words
      character*12 number
      character*1 tab
      character*5 how
      tab = char(9)
      how = 'COLL'
      if (ranks .eq. 1) how = 'INDEP'
      write(number, '(i0)') rank
      open(10, file=trim(directory)//'/expected.'//trim(number))
      call line(path, 'MPIIO_'//trim(how)//'_OPENS', 1)
      call line(path, 'MPIIO_COLL_WRITES', rounds)
      call line(path, 'MPIIO_COLL_READS', rounds)
      call line(path, 'MPIIO_BYTES_WRITTEN', 4 * words * rounds)
      call line(path, 'MPIIO_RW_SWITCHES', 2 * rounds - 1)
      write(10, '(a)') 'above'//tab//'POSIX'//tab//trim(path)//tab//
     &     'POSIX_OPENS'
      close(10)
      end

      subroutine line(path, counter, value)
      implicit none
      character*(*) path, counter
      integer value
      character*12 number
      character*1 tab
      tab = char(9)
      write(number, '(i0)') value
      write(10, '(a)') 'count'//tab//'MPI-IO'//tab//trim(path)//tab//
     &     counter//tab//trim(number)
      end
