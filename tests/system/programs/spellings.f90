! SPDX-License-Identifier: BSD-3-Clause
! Two collectives through mpif.h; the compiler's options determine the spelling of their names. Prints `right`.
! They are not in place, because Open MPI has that constant in one spelling only.
program spellings
  implicit none
  include 'mpif.h'
  integer :: error, rank, ranks, value, total
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  value = rank
  call MPI_Bcast(value, 1, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD, error)
  call MPI_Allreduce(value, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  if (rank == 0 .and. total == ranks * (ranks - 1)) print '(a)', 'right'
  call MPI_Finalize(error)
end program spellings
