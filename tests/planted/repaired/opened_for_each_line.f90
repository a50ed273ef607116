! Opens a text for each line that it appends.
! FINDS posix.open.repeat
! REPAIRED
program opened_for_each_line
  implicit none
  integer :: i
  character(8) :: word
  call get_command_argument(1, word)
  if (word == 'repaired') open (10, file='lines.txt')
  do i = 1, 40000
    if (word /= 'repaired') open (10, file='lines.txt', position='append') ! HERE
    write (10, *) i, 2 * i
    if (word /= 'repaired') close (10) ! HERE
  end do
end program
