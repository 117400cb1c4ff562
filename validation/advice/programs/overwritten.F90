! SPDX-License-Identifier: BSD-3-Clause
! The work after the exchange reads nothing that came, and stores to what the work on the message has read
! before: it may not run first.
program overwritten
  use frame
  implicit none
  real(real_kind), allocatable :: in(:), out(:), u(:), w(:)
  integer :: requests(2), step
  call begin_run()
  allocate (in(message), out(message), u(cells), w(message))
  call fill(u, rank)
  call fill(w, 0)
  do step = 1, steps
    out = u(cells - message + 1:cells)
    call MPI_Irecv(in, message, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_Isend(out, message, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, requests(2), ierror)
#ifdef TEMPTING
    call update(u, cells)
#endif
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
    call gather(w, u, in, message, cells / message)
#ifndef TEMPTING
    call update(u, cells)
#endif
  end do
  call end_run(w, message)
contains
  subroutine gather(to, field, came, count, stride)
    integer, intent(in) :: count, stride
    real(real_kind), intent(inout) :: to(count)
    real(real_kind), intent(in) :: field(stride, count), came(count)
    integer :: i
    do i = 1, count
      to(i) = mix(to(i), came(i), field(1, i))
    end do
  end subroutine gather

  subroutine update(field, count)
    integer, intent(in) :: count
    real(real_kind), intent(inout) :: field(count)
    integer :: i
    do i = 1, count
      field(i) = mix(field(i), 1d0, 1.1d0)
    end do
  end subroutine update
end program overwritten
