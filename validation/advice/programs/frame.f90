! SPDX-License-Identifier: BSD-3-Clause
! What the programs in Fortran share: as frame.h.
module frame
  use mpi
  implicit none
  integer, parameter :: real_kind = kind(1d0)
  integer :: rank, other, ierror
  integer :: message = 4096, cells = 262144, steps = 20
  double precision :: begin_s
contains
  subroutine begin_run()
    integer :: ranks
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
    if (ranks /= 2) call MPI_Abort(MPI_COMM_WORLD, 2, ierror)
    other = 1 - rank
    call take(1, message)
    call take(2, cells)
    call take(3, steps)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    begin_s = MPI_Wtime()
  end subroutine begin_run

  subroutine take(number, value)
    integer, intent(in) :: number
    integer, intent(inout) :: value
    character(len=16) :: text
    if (command_argument_count() < number) return
    call get_command_argument(number, text)
    read (text, *) value
  end subroutine take

  subroutine end_run(field, count)
    integer, intent(in) :: count
    real(real_kind), intent(in) :: field(count)
    real(real_kind) :: mine(2), longest_s, total
    integer :: i
    mine = [MPI_Wtime() - begin_s, 0d0]
    do i = 1, count
      mine(2) = mine(2) + field(i) * (mod(i, 7) + 1)
    end do
    call MPI_Reduce(mine(1), longest_s, 1, MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD, ierror)
    call MPI_Reduce(mine(2), total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierror)
    if (rank == 0) print '(a,f0.6,a,es24.16)', 'seconds ', longest_s, ' sum ', total
    call MPI_Finalize(ierror)
  end subroutine end_run

  subroutine fill(field, phase)
    real(real_kind), intent(out) :: field(:)
    integer, intent(in) :: phase
    integer :: i
    do i = 1, size(field)
      field(i) = 1 + 0.5d0 * sin(dble(phase + i))
    end do
  end subroutine fill

  ! Stays between the values that it is given.
  elemental real(real_kind) function mix(a, b, c)
    real(real_kind), intent(in) :: a, b, c
    mix = sqrt((a * a + b * b + c * c) / 3) / (1 + 0.001d0 * a * b)
  end function mix
end module frame
