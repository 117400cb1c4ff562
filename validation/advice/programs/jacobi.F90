! SPDX-License-Identifier: BSD-3-Clause
! One loop computes the columns that need what came, and those that do not: split the loop.
program jacobi
  use frame
  implicit none
  real(real_kind), allocatable :: u(:, :), v(:, :)
  integer :: requests(4), columns, step
  call begin_run()
  columns = cells / message
  allocate (u(message, 0:columns + 1), v(message, 0:columns + 1))
  call fill_all(u)
  call fill_all(v)
  do step = 1, steps / 2
    call advance(v, u, columns)
    call advance(u, v, columns)
  end do
  call end_run(u(:, 1:columns), message * columns)
contains
  subroutine fill_all(field)
    real(real_kind), intent(out) :: field(message, 0:columns + 1)
    integer :: j
    do j = 0, columns + 1
      call fill(field(:, j), rank + j)
    end do
  end subroutine fill_all

  subroutine advance(to, from, last)
    integer, intent(in) :: last
    real(real_kind), intent(inout) :: to(message, 0:last + 1), from(message, 0:last + 1)
    call MPI_Irecv(from(1, 0), message, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_Irecv(from(1, last + 1), message, MPI_DOUBLE_PRECISION, other, 2, MPI_COMM_WORLD, requests(2), ierror)
    call MPI_Isend(from(1, last), message, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, requests(3), ierror)
    call MPI_Isend(from(1, 1), message, MPI_DOUBLE_PRECISION, other, 2, MPI_COMM_WORLD, requests(4), ierror)
#ifdef CHANGED
    call stencil(to, from, last, 2, last - 1)
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, ierror)
    call stencil(to, from, last, 1, 1)
    call stencil(to, from, last, last, last)
#else
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, ierror)
    call stencil(to, from, last, 1, last)
#endif
  end subroutine advance

  subroutine stencil(to, from, last, first_column, last_column)
    integer, intent(in) :: last, first_column, last_column
    real(real_kind), intent(inout) :: to(message, 0:last + 1)
    real(real_kind), intent(in) :: from(message, 0:last + 1)
    integer :: i, j
    do j = first_column, last_column
      do i = 1, message
        to(i, j) = mix(from(i, j), from(i, j - 1), from(i, j + 1))
      end do
    end do
  end subroutine stencil
end program jacobi
