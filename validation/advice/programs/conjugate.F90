! SPDX-License-Identifier: BSD-3-Clause
! Conjugate gradients on columns: the product needs a halo, both sums are reduced. Split the product's loop.
program conjugate
  use frame
  implicit none
  real(real_kind), allocatable :: x(:, :), r(:, :), p(:, :), q(:, :)
  real(real_kind) :: mine, all, alpha, beta, before
  integer :: requests(4), columns, step, j
  call begin_run()
  columns = cells / message
  allocate (x(message, columns), r(message, columns), p(message, 0:columns + 1), q(message, columns))
  do j = 1, columns
    call fill(r(:, j), rank + j)
  end do
  x = 0
  p = 0
  p(:, 1:columns) = r
  mine = sum(r * r)
  call MPI_Allreduce(mine, before, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
  do step = 1, steps
    call MPI_Irecv(p(1, 0), message, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_Irecv(p(1, columns + 1), message, MPI_DOUBLE_PRECISION, other, 2, MPI_COMM_WORLD, requests(2), ierror)
    call MPI_Isend(p(1, columns), message, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, requests(3), ierror)
    call MPI_Isend(p(1, 1), message, MPI_DOUBLE_PRECISION, other, 2, MPI_COMM_WORLD, requests(4), ierror)
#ifdef CHANGED
    call product_of(q, p, columns, 2, columns - 1)
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, ierror)
    call product_of(q, p, columns, 1, 1)
    call product_of(q, p, columns, columns, columns)
#else
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, ierror)
    call product_of(q, p, columns, 1, columns)
#endif
    mine = sum(p(:, 1:columns) * q)
    call MPI_Allreduce(mine, all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
    alpha = before / all
    do j = 1, columns
      r(:, j) = r(:, j) - alpha * q(:, j)
    end do
    mine = sum(r * r)
    call MPI_Allreduce(mine, all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
    beta = all / before
    before = all
    do j = 1, columns
      x(:, j) = x(:, j) + alpha * p(:, j)
    end do
    do j = 1, columns
      p(:, j) = r(:, j) + beta * p(:, j)
    end do
  end do
  call end_run(x, message * columns)
contains
  subroutine product_of(to, from, last, first_column, last_column)
    integer, intent(in) :: last, first_column, last_column
    real(real_kind), intent(inout) :: to(message, last)
    real(real_kind), intent(in) :: from(message, 0:last + 1)
    integer :: i, column
    do column = first_column, last_column
      do i = 1, message
        to(i, column) = 3 * from(i, column) - from(i, column - 1) - from(i, column + 1)
      end do
    end do
  end subroutine product_of
end program conjugate
