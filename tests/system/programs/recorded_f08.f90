! SPDX-License-Identifier: BSD-3-Clause
! Calls through `use mpi_f08` for test_recorded_calls.py: a ring with and without statuses, with and without
! error arguments, and collectives in place. Prints `right`.
program recorded_f08
  use mpi_f08
  implicit none
  integer, parameter :: dp = kind(1d0)
  integer :: rank, ranks, right, left, one, total, error, received
  type(MPI_Comm) :: copy
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: statuses(2)
  real(dp) :: out(100), in(100)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  right = mod(rank + 1, ranks)
  left = mod(rank + ranks - 1, ranks)
  out = rank
  call MPI_Comm_dup(MPI_COMM_WORLD, copy, error)
  call MPI_Irecv(in, 100, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 5, copy, requests(1))
  call MPI_Isend(out, 50, MPI_DOUBLE_PRECISION, right, 5, copy, requests(2), error)
  call MPI_Waitall(2, requests, statuses)
  call MPI_Get_count(statuses(1), MPI_DOUBLE_PRECISION, received)
  call MPI_Irecv(in, 100, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 6, copy, requests(1))
  call MPI_Send(out, 25, MPI_DOUBLE_PRECISION, right, 6, copy)
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
  call MPI_Comm_free(copy)
  one = 1
  call MPI_Allreduce(one, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call MPI_Allreduce(MPI_IN_PLACE, one, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (statuses(1)%MPI_SOURCE /= left .or. received /= 50) call MPI_Abort(MPI_COMM_WORLD, 1)
  if (rank == 0 .and. total == ranks .and. one == ranks) print '(a)', 'right'
  call MPI_Finalize()
end program recorded_f08
