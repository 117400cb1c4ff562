! SPDX-License-Identifier: BSD-3-Clause
! An in-place stencil: each row needs its element of the message, and each element the one before it. To split
! the loop is wrong; rows can be exchanged in blocks.
program gauss_seidel
  use frame
  implicit none
  real(real_kind), allocatable :: in(:), out(:), u(:, :)
  integer :: step, columns
#ifdef CHANGED
  integer, parameter :: parts = 4
  integer :: part, first, count, receives(parts), sends(parts)
#else
  integer :: requests(2)
#endif
  call begin_run()
  columns = cells / message
  allocate (in(message), out(message), u(columns, message))
  call fill(in, rank)
  do step = 1, message
    call fill(u(:, step), rank + step)
  end do
  out = u(columns, :)
#ifdef CHANGED
  count = message / parts
  do step = 1, steps
    do part = 1, parts
      first = 1 + (part - 1) * count
      call MPI_Irecv(in(first), count, MPI_DOUBLE_PRECISION, other, part, MPI_COMM_WORLD, receives(part), ierror)
      if (step == 1) call MPI_Isend(out(first), count, MPI_DOUBLE_PRECISION, other, part, MPI_COMM_WORLD, &
        sends(part), ierror)
    end do
    do part = 1, parts
      first = 1 + (part - 1) * count
      call MPI_Wait(receives(part), MPI_STATUS_IGNORE, ierror)
      call MPI_Wait(sends(part), MPI_STATUS_IGNORE, ierror)
      call sweep(u(1, first), in(first), out(first), columns, count)
      if (step < steps) call MPI_Isend(out(first), count, MPI_DOUBLE_PRECISION, other, part, MPI_COMM_WORLD, &
        sends(part), ierror)
    end do
  end do
#else
  do step = 1, steps
    call MPI_Irecv(in, message, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_Isend(out, message, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, requests(2), ierror)
#ifdef TEMPTING
    if (columns > 2) call inner(u, columns, message)
#endif
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
#ifdef TEMPTING
    call sweep(u, in, out, 2, message)
#else
    call sweep(u, in, out, columns, message)
#endif
  end do
#endif
  call end_run(u, columns * message)
contains
  subroutine sweep(field, left, right, width, rows)
    integer, intent(in) :: width, rows
    real(real_kind), intent(inout) :: field(columns, rows), right(rows)
    real(real_kind), intent(in) :: left(rows)
    integer :: i, j
    do j = 1, rows
      field(1, j) = mix(field(1, j), left(j), 1d0)
      do i = 2, width
        field(i, j) = mix(field(i, j), field(i - 1, j), 1d0)
      end do
      right(j) = field(columns, j)
    end do
  end subroutine sweep
#ifdef TEMPTING
  subroutine inner(field, width, rows)
    integer, intent(in) :: width, rows
    real(real_kind), intent(inout) :: field(width, rows)
    integer :: i, j
    do j = 1, rows
      do i = 3, width
        field(i, j) = mix(field(i, j), field(i - 1, j), 1d0)
      end do
    end do
  end subroutine inner
#endif
end program gauss_seidel
