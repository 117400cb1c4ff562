! SPDX-License-Identifier: BSD-3-Clause
! All work makes the message, or needs it, but element by element: pipeline in blocks.
program blocks
  use frame
  implicit none
  real(real_kind), allocatable :: in(:), out(:)
  integer :: step
#ifdef CHANGED
  integer, parameter :: parts = 4
  integer :: requests(2 * parts), part, first, count
#else
  integer :: requests(2)
#endif
  call begin_run()
  allocate (in(message), out(message))
  call fill(in, rank)
  do step = 1, steps
#ifdef CHANGED
    count = message / parts
    do part = 1, parts
      first = 1 + (part - 1) * count
      call MPI_Irecv(in(first), count, MPI_DOUBLE_PRECISION, other, part, MPI_COMM_WORLD, requests(part), ierror)
    end do
    do part = 1, parts
      first = 1 + (part - 1) * count
      call produce(out(first), count, step)
      call MPI_Isend(out(first), count, MPI_DOUBLE_PRECISION, other, part, MPI_COMM_WORLD, &
        requests(parts + part), ierror)
    end do
    call MPI_Waitall(2 * parts, requests, MPI_STATUSES_IGNORE, ierror)
    call consume(out, in, message)
#else
    call produce(out, message, step)
    call MPI_Irecv(in, message, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_Isend(out, message, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, requests(2), ierror)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
    call consume(out, in, message)
#endif
  end do
  call end_run(out, message)
contains
  subroutine produce(field, count, step)
    integer, intent(in) :: count, step
    real(real_kind), intent(inout) :: field(count)
    integer :: i, k
    do i = 1, count
      do k = 1, cells / message
        field(i) = mix(field(i), 1d0 + 0.01d0 * mod(step + rank, 5), 1d0)
      end do
    end do
  end subroutine produce

  subroutine consume(field, came, count)
    integer, intent(in) :: count
    real(real_kind), intent(inout) :: field(count)
    real(real_kind), intent(in) :: came(count)
    integer :: i
    do i = 1, count
      field(i) = mix(field(i), came(i), 1d0)
    end do
  end subroutine consume
end program blocks
