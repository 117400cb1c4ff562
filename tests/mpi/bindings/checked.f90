! SPDX-License-Identifier: BSD-3-Clause
! What the tests of the Fortran module share.
module checked
  use stretto
  implicit none
  integer :: failures = 0
  integer(c_int) :: me, ranks, right, left
  type(c_ptr) :: runtime = c_null_ptr
  integer(c_size_t), parameter :: zero = 0, eight = 8
  integer(c_int64_t), parameter :: one = 1

contains

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    failures = failures + 1
    print "(3a,i0)", "does not hold: ", what, " on rank ", me
  end subroutine

  subroutine done(code)
    integer(c_int), intent(in) :: code
    call check(code == STRETTO_SUCCESS, stretto_text(stretto_error_message()))
  end subroutine

  subroutine refused(code, expected)
    integer(c_int), intent(in) :: code, expected
    call check(code == expected, "the error is " // stretto_text(stretto_error_name(expected)))
    call check(len(stretto_text(stretto_error_message())) > 0, "an error has a message")
  end subroutine

  function new_region(numbers) result(region)
    integer, intent(in) :: numbers
    type(c_ptr) :: region
    region = c_null_ptr
    call done(stretto_region_create(runtime, eight * numbers, region))
  end function

  subroutine free_region(region)
    type(c_ptr), intent(inout) :: region
    call done(stretto_barrier(runtime))
    call done(stretto_region_free(region))
    call check(.not. c_associated(region), "a freed region is null")
  end subroutine

  function part(region, numbers) result(mine)
    type(c_ptr), intent(in) :: region
    integer, intent(in) :: numbers
    real(c_double), pointer :: mine(:)
    type(c_ptr) :: address
    integer(c_size_t) :: size_bytes
    address = c_null_ptr
    call done(stretto_region_local(region, address, size_bytes))
    call check(size_bytes == eight * numbers, "a part is as large as was asked for")
    call c_f_pointer(address, mine, [numbers])
  end function

end module
