! Marks in a Fortran program, for Iolite to show: what it read and wrote while it was busy with what.
!
!     use iolite
!     call iolite_region_begin("checkpoint")
!     ...
!     call iolite_region_end("checkpoint")
!
! Compile this file with the program; there is nothing to link. Without Iolite in the process the calls do nothing.
! iolite.h says what regions may be.
module iolite
    use, intrinsic :: iso_c_binding
    implicit none
    private
    public :: iolite_region_begin, iolite_region_end

    ! The beginning of iolite_functions in iolite.h.
    type, bind(C) :: functions
        integer(c_size_t) :: bytes
        type(c_funptr) :: region_begin, region_end
    end type functions

    abstract interface
        function get_functions() bind(C)
            import :: c_ptr
            type(c_ptr) :: get_functions
        end function get_functions
        subroutine mark(name) bind(C)
            import :: c_char
            character(kind=c_char), intent(in) :: name(*)
        end subroutine mark
    end interface

    ! Programs do not link to Iolite: it may be put before them when they start.
    interface
        function dlsym(handle, name) bind(C, name="dlsym")
            import :: c_ptr, c_funptr, c_char
            type(c_ptr), value :: handle
            character(kind=c_char), intent(in) :: name(*)
            type(c_funptr) :: dlsym
        end function dlsym
    end interface

    logical, save :: asked = .false.
    type(functions), pointer, save :: found => null()

contains

    subroutine find()
        type(c_funptr) :: where
        procedure(get_functions), pointer :: get
        type(c_ptr) :: table
        if (asked) return
        where = dlsym(c_null_ptr, "iolite_interface"//c_null_char)
        if (c_associated(where)) then
            call c_f_procpointer(where, get)
            table = get()
            if (c_associated(table)) call c_f_pointer(table, found)
        end if
        asked = .true.
    end subroutine find

    subroutine iolite_region_begin(name)
        character(len=*), intent(in) :: name
        procedure(mark), pointer :: begin
        call find()
        if (.not. associated(found)) return
        call c_f_procpointer(found%region_begin, begin)
        call begin(trim(name)//c_null_char)
    end subroutine iolite_region_begin

    subroutine iolite_region_end(name)
        character(len=*), intent(in) :: name
        procedure(mark), pointer :: finish
        call find()
        if (.not. associated(found)) return
        call c_f_procpointer(found%region_end, finish)
        call finish(trim(name)//c_null_char)
    end subroutine iolite_region_end

end module iolite
