! SPDX-License-Identifier: BSD-3-Clause
! A wait and a test for two requests each, with statuses.
program waits
  use mpi
  implicit none
  integer :: requests(2), statuses(MPI_STATUS_SIZE, 2), error, numbers(2), turn
  logical :: done
  call MPI_Init(error)
  do turn = 1, 2
    call MPI_Irecv(numbers(2), 1, MPI_INTEGER, 0, turn, MPI_COMM_SELF, requests(1), error)
    numbers(1) = turn
    call MPI_Isend(numbers(1), 1, MPI_INTEGER, 0, turn, MPI_COMM_SELF, requests(2), error)
    done = .false.
    if (turn == 1) then
      call MPI_Waitall(2, requests, statuses, error)
    else
      do while (.not. done)
        call MPI_Testall(2, requests, done, statuses, error)
      end do
    end if
    print '(3i3)', numbers(2), statuses(MPI_TAG, 1), error
  end do
  call MPI_Finalize(error)
end program waits
