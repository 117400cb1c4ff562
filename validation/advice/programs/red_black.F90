! SPDX-License-Identifier: BSD-3-Clause
! Relaxation in two colours, in place: each colour reads the other one's columns. Split the sweep's loop.
program red_black
  use frame
  implicit none
  real(real_kind), allocatable :: u(:, :)
  integer :: requests(4), columns, step, j
  call begin_run()
  columns = cells / message
  allocate (u(message, 0:columns + 1))
  do j = 0, columns + 1
    call fill(u(:, j), rank + j)
  end do
  do step = 1, steps / 2
    call half_step(u, columns, 0)
    call half_step(u, columns, 1)
  end do
  call end_run(u(:, 1:columns), message * columns)
contains
  subroutine half_step(field, last, colour)
    integer, intent(in) :: last, colour
    real(real_kind), intent(inout) :: field(message, 0:last + 1)
    call MPI_Irecv(field(1, 0), message, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_Irecv(field(1, last + 1), message, MPI_DOUBLE_PRECISION, other, 2, MPI_COMM_WORLD, requests(2), ierror)
    call MPI_Isend(field(1, last), message, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, requests(3), ierror)
    call MPI_Isend(field(1, 1), message, MPI_DOUBLE_PRECISION, other, 2, MPI_COMM_WORLD, requests(4), ierror)
#ifdef CHANGED
    call relax(field, last, 2, last - 1, colour)
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, ierror)
    call relax(field, last, 1, 1, colour)
    call relax(field, last, last, last, colour)
#else
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, ierror)
    call relax(field, last, 1, last, colour)
#endif
  end subroutine half_step

  subroutine relax(field, last, first_column, last_column, colour)
    integer, intent(in) :: last, first_column, last_column, colour
    real(real_kind), intent(inout) :: field(message, 0:last + 1)
    integer :: i, column
    do column = first_column, last_column
      do i = 1 + mod(column + colour, 2), message, 2
        field(i, column) = mix(field(i, column), field(i, column - 1), field(i, column + 1))
      end do
    end do
  end subroutine relax
end program red_black
