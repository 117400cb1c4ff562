! SPDX-License-Identifier: BSD-3-Clause
! An unmodified application in Fortran: every interposed collective operation, through `use mpi` and through
! `use mpi_f08`, with known results. Prints `right` and the number of ranks.
subroutine check(ok, what)
  use mpi
  implicit none
  logical, intent(in) :: ok
  character(*), intent(in) :: what
  integer :: error
  if (ok) return
  print '(a,a)', 'wrong: ', what
  call MPI_Abort(MPI_COMM_WORLD, 3, error)
end subroutine check

subroutine through_mpi(rank, ranks)
  use mpi
  implicit none
  integer, intent(in) :: rank, ranks
  integer :: error, i, own(3), sums(3)
  integer, allocatable :: all(:), ids(:)
  allocate (all(3 * ranks), ids(ranks))
  ids = [(i, i = 0, ranks - 1)]
  own = rank + [0, 100, 200]
  call MPI_Allgather(own, 3, MPI_INTEGER, all, 3, MPI_INTEGER, MPI_COMM_WORLD, error)
  call check(all(3 * ranks) == ranks - 1 + 200 .and. all(1) == 0, 'allgather')
  sums = own
  call MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  call check(sums(2) == sum(ids) + 100 * ranks, 'allreduce')
  call MPI_Reduce(own, sums, 3, MPI_INTEGER, MPI_MAX, ranks - 1, MPI_COMM_WORLD, error)
  if (rank == ranks - 1) call check(sums(3) == ranks + 199, 'reduce')
  own = rank
  call MPI_Bcast(own, 3, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD, error)
  call check(own(1) == ranks - 1, 'bcast')
  if (rank == 0) then
    all(1:3) = -1
    call MPI_Gather(MPI_IN_PLACE, 3, MPI_INTEGER, all, 3, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
    call check(all(1) == -1 .and. all(3 * ranks) == ranks - 1, 'gather')
    all = [(i, i = 1, 3 * ranks)]
  else
    own = rank
    call MPI_Gather(own, 3, MPI_INTEGER, all, 3, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
  end if
  call MPI_Scatter(all, 3, MPI_INTEGER, own, 3, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
  call check(own(1) == 3 * rank + 1, 'scatter')
end subroutine through_mpi

subroutine through_mpi_f08(rank, ranks)
  use mpi_f08
  implicit none
  integer, intent(in) :: rank, ranks
  integer :: i, mine
  integer, allocatable :: leaving(:), arriving(:), counts(:), places(:)
  allocate (leaving(ranks), arriving(ranks), counts(ranks), places(ranks))
  leaving = 1000 * rank + [(i, i = 0, ranks - 1)]
  call MPI_Alltoall(leaving, 1, MPI_INTEGER, arriving, 1, MPI_INTEGER, MPI_COMM_WORLD)
  call check(all(arriving == rank + 1000 * [(i, i = 0, ranks - 1)]), 'alltoall')
  call MPI_Reduce_scatter_block(leaving, mine, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call check(mine == rank * ranks + 500 * ranks * (ranks - 1), 'reduce_scatter_block')
  counts = 1
  places = [(ranks - 1 - i, i = 0, ranks - 1)]
  call MPI_Reduce_scatter(leaving, mine, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call check(mine == rank * ranks + 500 * ranks * (ranks - 1), 'reduce_scatter')
  call MPI_Allgatherv(rank, 1, MPI_INTEGER, arriving, counts, places, MPI_INTEGER, MPI_COMM_WORLD)
  call check(arriving(1) == ranks - 1, 'allgatherv')
  call MPI_Allreduce(MPI_IN_PLACE, mine, 1, MPI_INTEGER, MPI_MIN, MPI_COMM_WORLD)
  call check(mine == 500 * ranks * (ranks - 1), 'allreduce')
end subroutine through_mpi_f08

program collectives
  use mpi
  implicit none
  integer :: error, rank, ranks
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  call through_mpi(rank, ranks)
  call through_mpi_f08(rank, ranks)
  if (rank == 0) print '(a,i0)', 'right ', ranks
  call MPI_Finalize(error)
end program collectives
