! Flushes a text after each line.
! FINDS posix.small.write
! REPAIRED
program flushed_lines
  implicit none
  integer :: i
  character(8) :: word
  call get_command_argument(1, word)
  open (10, file='lines.txt')
  do i = 1, 300000
    write (10, *) i, 2 * i
    if (word /= 'repaired') flush (10) ! HERE
  end do
end program
