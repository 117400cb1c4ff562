! SPDX-License-Identifier: BSD-3-Clause
! The program of docs/tutorial.md: a grid in strips, one per rank, whose edge columns are exchanged in every sweep.
program halo
  use mpi
  implicit none
  integer, parameter :: rows = 64, points = 16384, sweeps = 50
  double precision :: grid(points, 0:rows + 1), next(points, 0:rows + 1), total
  integer :: rank, ranks, up, down, sweep, i, j, error, requests(4)
  logical :: overlap
  character(8) :: word

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  call get_command_argument(1, word)
  overlap = word == 'overlap'
  up = merge(rank - 1, MPI_PROC_NULL, rank > 0)
  down = merge(rank + 1, MPI_PROC_NULL, rank < ranks - 1)
  grid = 0; next = 0
  do i = 1, rows
    grid(:, i) = [(mod(rank * rows + i, 7) + mod(j, 5), j = 0, points - 1)]
  end do

  do sweep = 1, sweeps
    call MPI_Irecv(grid(1, 0), points, MPI_DOUBLE_PRECISION, up, 0, MPI_COMM_WORLD, requests(1), error)
    call MPI_Irecv(grid(1, rows + 1), points, MPI_DOUBLE_PRECISION, down, 1, MPI_COMM_WORLD, requests(2), error)
    call MPI_Isend(grid(1, 1), points, MPI_DOUBLE_PRECISION, up, 1, MPI_COMM_WORLD, requests(3), error)
    call MPI_Isend(grid(1, rows), points, MPI_DOUBLE_PRECISION, down, 0, MPI_COMM_WORLD, requests(4), error)
    if (overlap) call relax(2, rows - 1)  ! the inner rows need no row of another rank
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, error)
    if (overlap) then
      call relax(1, 1)
      call relax(rows, rows)
    else
      call relax(1, rows)
    end if
    grid(:, 1:rows) = next(:, 1:rows)
  end do

  call MPI_Reduce(sum(grid(:, 1:rows)), total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, error)
  if (rank == 0) print '(a, es17.10)', 'halo: ', total
  call MPI_Finalize(error)

contains

  subroutine relax(first, last)
    integer, intent(in) :: first, last
    integer :: row
    do row = first, last
      next(2:points - 1, row) = 0.25d0 * (grid(2:points - 1, row - 1) + grid(2:points - 1, row + 1) &
                                          + grid(1:points - 2, row) + grid(3:points, row))
    end do
  end subroutine relax
end program halo
