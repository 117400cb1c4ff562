! SPDX-License-Identifier: BSD-3-Clause
! The interior is computed between start and wait, as it should be. The message is too large to travel without
! calls of MPI: a progress thread (or MPI_Testall within the interior) moves it.
program overlapped
  use frame
  implicit none
  integer, parameter :: parts = 32
  real(real_kind), allocatable :: in(:), out(:), u(:), w(:)
  integer :: requests(2), step
#ifdef CHANGED
  integer :: part
  logical :: done
#endif
  call begin_run()
  allocate (in(message), out(message), u(message), w(cells))
  call fill(u, rank)
  call fill(w, rank)
  do step = 1, steps
    out = u
    call MPI_Irecv(in, message, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_Isend(out, message, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, requests(2), ierror)
#ifdef CHANGED
    do part = 0, parts - 1
      call interior(w(1 + part * (cells / parts)), cells / parts)
      call MPI_Testall(2, requests, done, MPI_STATUSES_IGNORE, ierror)
    end do
#else
    call interior(w, cells)
#endif
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
    call boundary(u, in, message)
  end do
  call end_run(u, message)
contains
  subroutine interior(field, count)
    integer, intent(in) :: count
    real(real_kind), intent(inout) :: field(count)
    integer :: i
    do i = 1, count
      field(i) = mix(field(i), 1d0, 1.1d0)
    end do
  end subroutine interior

  subroutine boundary(field, came, count)
    integer, intent(in) :: count
    real(real_kind), intent(inout) :: field(count)
    real(real_kind), intent(in) :: came(count)
    integer :: i
    do i = 1, count
      field(i) = mix(field(i), came(i), 1d0)
    end do
  end subroutine boundary
end program overlapped
