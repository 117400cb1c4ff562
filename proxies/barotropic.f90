! SPDX-License-Identifier: BSD-3-Clause
! The barotropic solver of an ocean model, after the manner of HYCOM and POP, as a proxy: halos of three fields and
! a sum over all ranks in every step. Who produces and consumes what when is in docs/proxies.md. Waves in a shallow
! channel that closes on itself; each rank has some of its columns.
module channel
  use mpi
  implicit none

  integer, parameter :: wide = kind(1.0d0)
  real(wide), parameter :: gravity = 0.1_wide, depth = 1.0_wide
  integer :: rows = 256, columns = 64, steps = 200
  logical :: overlap = .false.
  integer :: rank, ranks, left, right
  ! Columns 1 to `columns` are this rank's own, 0 and columns + 1 those of its neighbours.
  real(wide), allocatable :: pbavg(:, :), ubavg(:, :), vbavg(:, :)

contains

  subroutine fail(said, code)
    character(*), intent(in) :: said
    integer, intent(in) :: code
    integer :: error
    if (rank == 0) write (0, '(2a)') 'barotropic: ', said
    call MPI_Finalize(error)
    call exit(code)  ! STOP would print the number, too
  end subroutine fail

  subroutine read_arguments()
    character(32) :: word
    integer :: i
    i = 1
    do while (i <= command_argument_count())
      call get_command_argument(i, word)
      select case (word)
      case ('--overlap')
        overlap = .true.
        i = i + 1
        cycle
      case ('--rows')
        rows = number_after(i)
      case ('--columns')
        columns = number_after(i)
      case ('--steps')
        steps = number_after(i)
      case default
        call fail('options: --rows N --columns N (of a rank) --steps N --overlap', 2)
      end select
      i = i + 2
    end do
  end subroutine read_arguments

  integer function number_after(i)
    integer, intent(in) :: i
    character(32) :: word
    integer :: status
    number_after = 0
    call get_command_argument(i + 1, word)
    read (word, *, iostat=status) number_after
    if (status /= 0 .or. number_after < 3) call fail('give a number of at least 3 after each option', 2)
  end function number_after

  subroutine set_up()
    integer :: i, j, place
    allocate (pbavg(rows, 0:columns + 1), ubavg(rows, 0:columns + 1), vbavg(rows, 0:columns + 1))
    ubavg = 0
    vbavg = 0
    do j = 0, columns + 1
      place = modulo(rank * columns + j - 1, ranks * columns)
      do i = 1, rows
        pbavg(i, j) = sin(6.283185307179586_wide * (real(i, wide) / rows + real(place, wide) / (ranks * columns)))
      end do
    end do
  end subroutine set_up

  ! Both halo columns of a field start to travel; requests are complete when they are there.
  subroutine start_exchange(field, tag, requests)
    real(wide), intent(inout), asynchronous :: field(rows, 0:columns + 1)
    integer, intent(in) :: tag
    integer, intent(out) :: requests(4)
    integer :: error
    call MPI_Irecv(field(1, 0), rows, MPI_DOUBLE_PRECISION, left, tag, MPI_COMM_WORLD, requests(1), error)
    call MPI_Irecv(field(1, columns + 1), rows, MPI_DOUBLE_PRECISION, right, tag + 1, MPI_COMM_WORLD, &
                   requests(2), error)
    call MPI_Isend(field(1, columns), rows, MPI_DOUBLE_PRECISION, right, tag, MPI_COMM_WORLD, requests(3), error)
    call MPI_Isend(field(1, 1), rows, MPI_DOUBLE_PRECISION, left, tag + 1, MPI_COMM_WORLD, requests(4), error)
  end subroutine start_exchange

  subroutine finish(requests)
    integer, intent(inout) :: requests(:)
    integer :: error
    call MPI_Waitall(size(requests), requests, MPI_STATUSES_IGNORE, error)
  end subroutine finish

  ! Needs the velocities of the adjacent columns.
  subroutine continuity(first, last)
    integer, intent(in) :: first, last
    integer :: i, j, above, below
    do j = first, last
      do i = 1, rows
        above = modulo(i - 2, rows) + 1
        below = modulo(i, rows) + 1
        pbavg(i, j) = pbavg(i, j) - 0.5_wide * depth &
                      * (ubavg(i, j + 1) - ubavg(i, j - 1) + vbavg(below, j) - vbavg(above, j))
      end do
    end do
  end subroutine continuity

  ! Needs the pressure of the adjacent columns.
  subroutine momentum(first, last)
    integer, intent(in) :: first, last
    integer :: i, j, above, below
    do j = first, last
      do i = 1, rows
        above = modulo(i - 2, rows) + 1
        below = modulo(i, rows) + 1
        ubavg(i, j) = ubavg(i, j) - 0.5_wide * gravity * (pbavg(i, j + 1) - pbavg(i, j - 1))
        vbavg(i, j) = vbavg(i, j) - 0.5_wide * gravity * (pbavg(below, j) - pbavg(above, j))
      end do
    end do
  end subroutine momentum

  real(wide) function own_energy()
    own_energy = 0.5_wide * sum(gravity * pbavg(:, 1:columns)**2 + ubavg(:, 1:columns)**2 + vbavg(:, 1:columns)**2)
  end function own_energy

  ! Each exchange is waited for at once, and so is the sum.
  subroutine plain_step(energy)
    real(wide), intent(out) :: energy
    integer :: requests(8), error
    call start_exchange(ubavg, 1, requests(1:4))
    call start_exchange(vbavg, 3, requests(5:8))
    call finish(requests)
    call continuity(1, columns)
    call start_exchange(pbavg, 5, requests(1:4))
    call finish(requests(1:4))
    call momentum(1, columns)
    call MPI_Allreduce(own_energy(), energy, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  end subroutine plain_step

  ! The inner columns are computed while those at the edge travel, and the sum of a step during the next one.
  subroutine overlapped_step(own, energy, summing)
    real(wide), intent(inout), asynchronous :: own, energy
    integer, intent(inout) :: summing
    integer :: requests(8), error
    call start_exchange(ubavg, 1, requests(1:4))
    call start_exchange(vbavg, 3, requests(5:8))
    call continuity(2, columns - 1)
    call finish(requests)
    call continuity(1, 1)
    call continuity(columns, columns)
    call start_exchange(pbavg, 5, requests(1:4))
    call momentum(2, columns - 1)
    call finish(requests(1:4))
    call momentum(1, 1)
    call momentum(columns, columns)
    call MPI_Wait(summing, MPI_STATUS_IGNORE, error)
    own = own_energy()
    call MPI_Iallreduce(own, energy, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, summing, error)
  end subroutine overlapped_step

end module channel

program barotropic
  use channel
  implicit none
  integer :: error, step, summing
  real(wide) :: own, energy, begin_s, own_s, time_s

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  call read_arguments()
  left = modulo(rank - 1, ranks)
  right = modulo(rank + 1, ranks)
  call set_up()
  summing = MPI_REQUEST_NULL
  call MPI_Barrier(MPI_COMM_WORLD, error)
  begin_s = MPI_Wtime()
  do step = 1, steps
    if (overlap) then
      call overlapped_step(own, energy, summing)
    else
      call plain_step(energy)
    end if
  end do
  call MPI_Wait(summing, MPI_STATUS_IGNORE, error)
  own_s = MPI_Wtime() - begin_s
  call MPI_Reduce(own_s, time_s, 1, MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD, error)
  if (rank == 0) print '(a,f0.9,a,es22.15)', 'barotropic time_s ', time_s, ' sum ', energy
  call MPI_Finalize(error)
end program barotropic
