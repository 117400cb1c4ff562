! SPDX-License-Identifier: BSD-3-Clause
! Completion, flags, protocols and updates of any type from Fortran.
module completions
  use checked
  implicit none

contains

  subroutine test_completion()
    type(c_ptr) :: region, handle, fences(ranks), reason
    integer(c_int) :: complete, protocol
    integer(c_size_t) :: started
    integer(c_int64_t) :: number
    real(c_double), asynchronous :: row(4)
    real(c_double), pointer :: mine(:)
    integer :: way
    region = new_region(4)
    mine => part(region, 4)
    handle = c_null_ptr
    fences = c_null_ptr
    do way = 1, 4
      row = 10 * me + way
      call done(stretto_nonblocking_put(region, right, zero, row, 4 * eight, handle))
      select case (way)
      case (1)
        call done(stretto_wait_source(handle))
        call done(stretto_test_source(handle, complete))
        call check(complete == 1, "the source is complete")
        call done(stretto_wait_remote(handle))
      case (2)
        complete = 0
        do while (complete == 0)
          call done(stretto_test_remote(handle, complete))
        end do
      case (3)
        call done(stretto_nonblocking_fence(runtime, right, fences(1)))
        call done(stretto_wait(runtime, fences(1)))
        call done(stretto_wait(runtime, handle))
      case (4)
        call done(stretto_nonblocking_fence_all(runtime, started, fences))
        call done(stretto_wait_all(runtime, started, fences))
        call done(stretto_wait(runtime, handle))
      end select
      call check(.not. c_associated(handle), "a handle that was waited for is null")
      call done(stretto_notify(runtime, right, number))
      call done(stretto_wait_notify(runtime, left, number))
      call check(all(mine == 10 * left + way), "what is complete remotely is there")
      call done(stretto_barrier(runtime))
    end do
    reason = c_null_ptr
    call done(stretto_check_in_waits(c_null_funptr, c_null_ptr))
    call done(stretto_protocol_of(region, STRETTO_OPERATION_PUT_SIGNAL, right, eight, zero, protocol, reason))
    call check(protocol >= STRETTO_PROTOCOL_DIRECT .and. len(stretto_text(reason)) > 10, "a protocol and its reason")
    call free_region(region)
  end subroutine

  subroutine test_flags()
    type(c_ptr) :: region, handle
    integer(c_size_t) :: index, found, indices(2)
    type(stretto_signal_condition) :: conditions(2)
    region = new_region(4)
    handle = c_null_ptr
    call done(stretto_raise_signal(region, right, zero, 3 * one, STRETTO_FLAG_ADD))
    call done(stretto_nonblocking_raise_signal(region, right, eight, 10 * one, STRETTO_FLAG_SET, handle))
    call done(stretto_wait(runtime, handle))
    conditions(1) = stretto_signal_condition(eight, 9 * one, STRETTO_GREATER)
    conditions(2) = stretto_signal_condition(zero, 3 * one, STRETTO_EQUAL)
    call done(stretto_wait_all_signals(region, 2_c_size_t, conditions))
    conditions(1) = stretto_signal_condition(3 * eight, one, STRETTO_GREATER_EQUAL)
    call done(stretto_wait_any_signal(region, 2_c_size_t, conditions, index))
    call check(index == 1, "the index of a condition counts from 0")
    call done(stretto_wait_some_signals(region, 2_c_size_t, conditions, found, indices))
    call check(found == 1 .and. indices(1) == 1, "the conditions that hold")
    call done(stretto_test_any_signal(region, 1_c_size_t, conditions, index))
    call check(index == 1, "no condition holds")
    call free_region(region)
  end subroutine

  subroutine test_values()
    type(c_ptr) :: region, handle
    real(c_double) :: half, before
    integer(c_int64_t), asynchronous :: word, expected, fetched
    region = new_region(4)
    handle = c_null_ptr
    half = 0.5d0
    call done(stretto_atomic(region, right, zero, STRETTO_FLOAT64, STRETTO_ATOMIC_ADD, half))
    call done(stretto_atomic(region, right, zero, STRETTO_FLOAT64, STRETTO_ATOMIC_FETCH, fetched=before))
    call check(before == 0.5d0, "what was added is fetched")
    word = 12
    call done(stretto_nonblocking_atomic(region, right, eight, STRETTO_INT64, STRETTO_ATOMIC_OR, word, fetched, handle))
    call done(stretto_wait(runtime, handle))
    call check(fetched == 0, "the value before")
    expected = 12
    word = 7
    call done(stretto_nonblocking_compare_swap(region, right, eight, STRETTO_INT64, expected, word, fetched, handle))
    call done(stretto_wait(runtime, handle))
    call check(fetched == 12, "the value that was compared")
    call done(stretto_atomic(region, right, eight, STRETTO_INT64, STRETTO_ATOMIC_FETCH, fetched=fetched))
    call check(fetched == 7, "the value that was stored")
    call refused(stretto_atomic(region, right, zero, STRETTO_FLOAT64, STRETTO_ATOMIC_XOR, half), STRETTO_ERROR_ARGUMENT)
    call free_region(region)
  end subroutine

end module
