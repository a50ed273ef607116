! Units of Fortran: stream, sequential and direct access, formatted and not.
program units
    implicit none
    integer :: i, unit, number
    real(8) :: values(1000), again(1000)
    values = 1.5d0
    open (newunit=unit, file='stream', form='unformatted', access='stream', status='replace')
    do i = 1, 20
        write (unit) values
    end do
    close (unit)
    open (newunit=unit, file='stream', form='unformatted', access='stream', status='old')
    read (unit) again
    close (unit)
    open (newunit=unit, file='text', status='replace')
    do i = 1, 500
        write (unit, '(i8, f12.4)') i, values(i)
    end do
    rewind (unit)
    do i = 1, 500
        read (unit, *) number
    end do
    close (unit)
    open (newunit=unit, file='direct', form='unformatted', access='direct', recl=8000, status='replace')
    do i = 10, 1, -1
        write (unit, rec=i) values
    end do
    flush (unit)
    close (unit, status='delete')
    print *, number, sum(again)
end program
