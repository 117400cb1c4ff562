! SPDX-License-Identifier: BSD-3-Clause
! Puts, gets, accumulates and aggregates of every shape and completion from Fortran.
module transfers
  use checked
  implicit none
  ! Two blocks of two numbers, which lie three apart at the target.
  integer(c_size_t), parameter :: counts(2) = [16, 2], here(1) = [16], there(1) = [24]
  real(c_double), target, asynchronous :: row(4), back(4)
  type(stretto_put_piece) :: out(2)
  type(stretto_get_piece) :: in(2)

contains

  !> Of kind 1 to 9, in place 5 * kind of the target's part: contiguous, strided and a vector, each plain,
  !> nonblocking and implicit.
  subroutine start_put(region, kind, handle)
    type(c_ptr), intent(in) :: region
    integer, intent(in) :: kind
    type(c_ptr), intent(inout) :: handle
    integer(c_size_t) :: offset
    integer(c_int) :: code
    offset = 40_c_size_t * kind
    out = [stretto_put_piece(c_loc(row(1)), offset, 16), stretto_put_piece(c_loc(row(3)), offset + 24, 16)]
    code = -1
    select case (kind)
    case (1); code = stretto_put(region, right, offset, row, 4 * eight)
    case (2); code = stretto_nonblocking_put(region, right, offset, row, 4 * eight, handle)
    case (3); code = stretto_implicit_put(region, right, offset, row, 4 * eight)
    case (4); code = stretto_put_strided(region, right, offset, row, 1, counts, here, there)
    case (5); code = stretto_nonblocking_put_strided(region, right, offset, row, 1, counts, here, there, handle)
    case (6); code = stretto_implicit_put_strided(region, right, offset, row, 1, counts, here, there)
    case (7); code = stretto_put_vector(region, right, 2_c_size_t, out)
    case (8); code = stretto_nonblocking_put_vector(region, right, 2_c_size_t, out, handle)
    case (9); code = stretto_implicit_put_vector(region, right, 2_c_size_t, out)
    end select
    call done(code)
  end subroutine

  subroutine start_get(region, kind, handle)
    type(c_ptr), intent(in) :: region
    integer, intent(in) :: kind
    type(c_ptr), intent(inout) :: handle
    integer(c_size_t) :: offset
    integer(c_int) :: code
    offset = 40_c_size_t * kind
    in = [stretto_get_piece(c_loc(back(1)), offset, 16), stretto_get_piece(c_loc(back(3)), offset + 24, 16)]
    code = -1
    select case (kind)
    case (1); code = stretto_get(region, right, offset, back, 4 * eight)
    case (2); code = stretto_nonblocking_get(region, right, offset, back, 4 * eight, handle)
    case (3); code = stretto_implicit_get(region, right, offset, back, 4 * eight)
    case (4); code = stretto_get_strided(region, right, offset, back, 1, counts, here, there)
    case (5); code = stretto_nonblocking_get_strided(region, right, offset, back, 1, counts, here, there, handle)
    case (6); code = stretto_implicit_get_strided(region, right, offset, back, 1, counts, here, there)
    case (7); code = stretto_get_vector(region, right, 2_c_size_t, in)
    case (8); code = stretto_nonblocking_get_vector(region, right, 2_c_size_t, in, handle)
    case (9); code = stretto_implicit_get_vector(region, right, 2_c_size_t, in)
    end select
    call done(code)
  end subroutine

  subroutine start_accumulate(region, kind, handle)
    type(c_ptr), intent(in) :: region
    integer, intent(in) :: kind
    type(c_ptr), intent(inout) :: handle
    integer(c_size_t) :: offset
    integer(c_int) :: code
    integer(c_int), parameter :: type = STRETTO_FLOAT64
    real(c_double), parameter :: two = 2
    offset = 40_c_size_t * kind
    out = [stretto_put_piece(c_loc(row(1)), offset, 16), stretto_put_piece(c_loc(row(3)), offset + 24, 16)]
    code = -1
    select case (kind)
    case (1); code = stretto_accumulate(region, right, offset, row, 4 * eight, type, two)
    case (2); code = stretto_nonblocking_accumulate(region, right, offset, row, 4 * eight, type, two, handle)
    case (3); code = stretto_implicit_accumulate(region, right, offset, row, 4 * eight, type, two)
    case (4); code = stretto_accumulate_strided(region, right, offset, row, 1, counts, here, there, type, two)
    case (5)
      code = stretto_nonblocking_accumulate_strided(region, right, offset, row, 1, counts, here, there, type, two, handle)
    case (6)
      code = stretto_implicit_accumulate_strided(region, right, offset, row, 1, counts, here, there, type, two)
    case (7); code = stretto_accumulate_vector(region, right, 2_c_size_t, out, type, two)
    case (8); code = stretto_nonblocking_accumulate_vector(region, right, 2_c_size_t, out, type, two, handle)
    case (9); code = stretto_implicit_accumulate_vector(region, right, 2_c_size_t, out, type, two)
    end select
    call done(code)
  end subroutine

  subroutine finish(handle)
    type(c_ptr), intent(inout) :: handle
    call done(stretto_wait(runtime, handle))
    call done(stretto_wait_implicit(runtime, right))
    call done(stretto_wait_implicit_all(runtime))
    call done(stretto_fence(runtime, right))
    call done(stretto_fence_all(runtime))
  end subroutine

  subroutine test_transfers()
    type(c_ptr) :: region, handle
    real(c_double), pointer :: mine(:)
    integer :: kind, i
    region = new_region(60)
    mine => part(region, 60)
    handle = c_null_ptr
    do kind = 1, 9
      row = [(100.0d0 * me + 10 * kind + i, i = 1, 4)]
      call start_put(region, kind, handle)
      call finish(handle)
      back = 0
      call start_get(region, kind, handle)
      call finish(handle)
      call check(all(back == row), "what is put is what is got")
      call start_accumulate(region, kind, handle)
      call finish(handle)
    end do
    call done(stretto_barrier(runtime))
    do kind = 1, 9
      row = 3 * [(100.0d0 * left + 10 * kind + i, i = 1, 4)]
      i = 5 * kind
      call check(all(mine(i + 1:i + 2) == row(1:2)), "three times the values are there")
      if (kind > 3) i = i + 1
      call check(all(mine(i + 3:i + 4) == row(3:4)), "three times the values are there")
    end do
    call free_region(region)
  end subroutine

  subroutine test_aggregates()
    type(c_ptr) :: region, aggregate
    integer(c_int) :: flag
    real(c_double), pointer :: mine(:)
    region = new_region(20)
    mine => part(region, 20)
    aggregate = c_null_ptr
    call done(stretto_aggregate_create(runtime, aggregate))
    row = [1, 2, 3, 4] + 10 * me
    out = [stretto_put_piece(c_loc(row(1)), 96_c_size_t, 16), stretto_put_piece(c_loc(row(3)), 120_c_size_t, 16)]
    call done(stretto_aggregate_put(aggregate, region, right, zero, row, 4 * eight))
    call done(stretto_aggregate_put_strided(aggregate, region, right, 4 * eight, row, 1, counts, here, there))
    call done(stretto_aggregate_put_vector(aggregate, region, right, 2_c_size_t, out))
    call done(stretto_aggregate_pending(aggregate, flag))
    call check(flag == 1, "an aggregate is pending")
    call refused(stretto_aggregate_free(aggregate), STRETTO_ERROR_HANDLE)
    call done(stretto_aggregate_wait(runtime, aggregate))
    call done(stretto_barrier(runtime))
    call check(all(mine(1:4) == [1, 2, 3, 4] + 10 * left), "a contiguous put of an aggregate")
    call check(all(mine(8:9) == [3, 4] + 10 * left), "a strided put of an aggregate")
    call check(all(mine(16:17) == [3, 4] + 10 * left), "a vector of an aggregate")
    in = [stretto_get_piece(c_loc(back(1)), 96_c_size_t, 16), stretto_get_piece(c_loc(back(3)), 120_c_size_t, 16)]
    call done(stretto_aggregate_get(aggregate, region, right, zero, back, 4 * eight))
    call done(stretto_aggregate_get_strided(aggregate, region, right, 4 * eight, back, 1, counts, here, there))
    call done(stretto_aggregate_get_vector(aggregate, region, right, 2_c_size_t, in))
    flag = 0
    do while (flag == 0)
      call done(stretto_aggregate_test(runtime, aggregate, flag))
    end do
    call check(all(back == row), "what an aggregate gets")
    call done(stretto_aggregate_free(aggregate))
    call free_region(region)
  end subroutine

  subroutine test_handles()
    type(c_ptr) :: region, handles(3)
    integer(c_size_t) :: index
    integer(c_int) :: complete
    integer :: i
    region = new_region(4)
    handles = c_null_ptr
    do i = 1, 3
      call done(stretto_nonblocking_put(region, right, eight * i, row(i:i), eight, handles(i)))
    end do
    call done(stretto_wait_any(runtime, 3_c_size_t, handles, index))
    call check(.not. c_associated(handles(index + 1)), "the handle that was waited for is null")
    complete = 0
    do while (complete == 0)
      call done(stretto_test(runtime, handles(3), complete))
    end do
    call done(stretto_wait_all(runtime, 3_c_size_t, handles))
    call check(.not. any([(c_associated(handles(i)), i = 1, 3)]), "all handles are null")
    call free_region(region)
  end subroutine

end module
