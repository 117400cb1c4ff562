! SPDX-License-Identifier: BSD-3-Clause
! What libstretto_progress.so must leave alone in a Fortran program, with mpi_f08 (-DF08) or mpi: the thread level, the
! results of every way to complete requests, and optional error arguments. Prints `ok` on rank 0.
program progressed
#ifdef F08
  use mpi_f08
#else
  use mpi
#endif
  implicit none
  integer, parameter :: count = 5
  integer :: rank, ranks, right, left, i, way, provided, queried, place, done, indices(2 * count)
  integer :: sent(count), received(count), total
  logical :: flag
#ifdef F08
  type(MPI_Request) :: requests(2 * count), one
#else
  integer :: requests(2 * count), one, error
#endif

  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided ERROR)
  call MPI_Query_thread(queried ERROR)
  if (provided /= MPI_THREAD_SERIALIZED .or. queried /= provided) error stop 'the level is not what was asked for'
  call MPI_Comm_rank(MPI_COMM_WORLD, rank ERROR)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks ERROR)
  right = mod(rank + 1, ranks)
  left = mod(rank + ranks - 1, ranks)
  do way = 1, 5
    do i = 1, count
      sent(i) = 100 * rank + i
      call MPI_Irecv(received(i), 1, MPI_INTEGER, left, i, MPI_COMM_WORLD, requests(i) ERROR)
      call MPI_Isend(sent(i), 1, MPI_INTEGER, right, i, MPI_COMM_WORLD, requests(count + i) ERROR)
    end do
    select case (way)
    case (1)
      call MPI_Waitall(2 * count, requests, MPI_STATUSES_IGNORE ERROR)
    case (2)
      do i = 1, 2 * count
        call MPI_Wait(requests(i), MPI_STATUS_IGNORE ERROR)
      end do
    case (3)
      flag = .false.
      do while (.not. flag)
        call MPI_Testall(2 * count, requests, flag, MPI_STATUSES_IGNORE ERROR)
      end do
    case (4)
      place = 0
      do while (place /= MPI_UNDEFINED)
        call MPI_Waitany(2 * count, requests, place, MPI_STATUS_IGNORE ERROR)
      end do
    case default
      done = 0
      do while (done /= MPI_UNDEFINED)
        call MPI_Waitsome(2 * count, requests, done, indices, MPI_STATUSES_IGNORE ERROR)
      end do
    end select
    do i = 1, count
      if (received(i) /= 100 * left + i) error stop 'wrong number'
    end do
  end do
  call MPI_Iallreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, one ERROR)
  call MPI_Wait(one, MPI_STATUS_IGNORE ERROR)
  if (total /= ranks * (ranks - 1) / 2) error stop 'wrong sum'
  if (rank == 0) print '(a)', 'ok'
#ifdef F08
  call MPI_Finalize()
#else
  call MPI_Finalize(error)
#endif
end program progressed
