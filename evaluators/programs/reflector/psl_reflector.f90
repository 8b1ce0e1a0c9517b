! Resource reflectors for Fortran: what psl-reflector.h has, psl-reflector(3). Texts end by C_NULL_CHAR.
!
!   use psl_reflector
!   if (psl_reflect_begin('multiply'//C_NULL_CHAR, 'gemm.f90'//C_NULL_CHAR, 42, 0, 1, [real(n, c_double)]) /= 0) then
!     c = matmul(a, b)
!     unused = psl_reflect_end()
!   end if
module psl_reflector
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    integer(c_int) function psl_reflecting() bind(c)
      import
    end function
    real(c_double) function psl_clock() bind(c)
      import
    end function
    integer(c_int) function psl_reflect_begin(resource, file, line, skips, count, amounts) bind(c)
      import
      character(kind=c_char), intent(in) :: resource(*), file(*)
      integer(c_int), value :: line, skips, count
      real(c_double), intent(in) :: amounts(*)
    end function
    integer(c_int) function psl_reflect_end() bind(c)
      import
    end function
    real(c_double) function psl_reflect_seconds() bind(c)
      import
    end function
    real(c_double) function psl_figure(name, file, line, otherwise, count, amounts) bind(c)
      import
      character(kind=c_char), intent(in) :: name(*), file(*)
      integer(c_int), value :: line, count
      real(c_double), value :: otherwise
      real(c_double), intent(in) :: amounts(*)
    end function
    subroutine psl_sensor(name, value) bind(c)
      import
      character(kind=c_char), intent(in) :: name(*)
      real(c_double), value :: value
    end subroutine
    subroutine psl_actuator(name, value, low, high) bind(c)
      import
      character(kind=c_char), intent(in) :: name(*)
      real(c_double), intent(inout), target :: value
      real(c_double), value :: low, high
    end subroutine
    subroutine psl_actuator_int(name, value, low, high) bind(c)
      import
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), intent(inout), target :: value
      integer(c_int), value :: low, high
    end subroutine
    subroutine psl_actuator_drop(name) bind(c)
      import
      character(kind=c_char), intent(in) :: name(*)
    end subroutine
    integer(c_int) function psl_poll() bind(c)
      import
    end function
  end interface
end module
