! SPDX-License-Identifier: BSD-3-Clause
! The Fortran version of scripted_pattern.cpp: produces parts in order, consumes them in reverse order, and
! logs the times. Arguments: LOG, doubles per part, us between parts, us of independent work.
program scripted_pattern
  use iso_c_binding, only: c_intptr_t, c_loc
  implicit none
  include 'mpif.h'
  integer, parameter :: parts = 8, rounds = 5, i8 = selected_int_kind(18), dp = kind(1d0)
  integer :: error, rank, round, per_part, log
  integer(i8) :: period_ns, independent_ns, rate
  real(dp), allocatable, target :: storage(:)
  real(dp), pointer :: data(:)
  integer(c_intptr_t) :: beyond
  real(dp) :: total
  character(len=4096) :: path
  character(len=8) :: suffix

  call mpi_init(error)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  call system_clock(count_rate=rate)
  if (rate /= 1000000000_i8) call mpi_abort(MPI_COMM_WORLD, 2, error)
  call get_command_argument(1, path)
  per_part = int(number(2))
  period_ns = 1000 * number(3)
  independent_ns = 1000 * number(4)
  write (suffix, '(a,i0)') '.', rank
  open (newunit=log, file=trim(path) // trim(suffix), status='replace')
  ! A page-aligned buffer of this length.
  allocate (storage(parts * per_part + 1024))
  beyond = mod(transfer(c_loc(storage), beyond), 4096_c_intptr_t) / 8
  data => storage(513 - beyond:512 - beyond + parts * per_part)
  total = 0
  do round = 0, rounds - 1
    if (rank == 0) then
      call produce(round)
      call note('sent', 0)
      call mpi_send(data, parts * per_part, MPI_DOUBLE_PRECISION, 1, 0, MPI_COMM_WORLD, error)
    else if (rank == 1) then
      call mpi_recv(data, parts * per_part, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
      call note('received', 0)
      call consume()
    end if
  end do
  write (log, '(a,i0)') 'sum 0 0 ', int(total, i8)
  close (log)
  call mpi_finalize(error)

contains

  integer(i8) function number(position)
    integer, intent(in) :: position
    character(len=32) :: text
    call get_command_argument(position, text)
    read (text, *) number
  end function number

  integer(i8) function now_ns()
    call system_clock(now_ns)
  end function now_ns

  subroutine spin(ns)
    integer(i8), intent(in) :: ns
    integer(i8) :: until
    until = now_ns() + ns
    do while (now_ns() < until)
    end do
  end subroutine spin

  subroutine note(what, part)
    character(len=*), intent(in) :: what
    integer, intent(in) :: part
    write (log, '(a,1x,i0,1x,i0,1x,i0)') what, round, part, now_ns()
  end subroutine note

  subroutine produce(turn)
    integer, intent(in) :: turn
    integer :: part, i
    do part = 0, parts - 1
      call spin(period_ns)
      do i = 1, per_part
        data(part * per_part + i) = turn + i
      end do
      call note('produced', part)
    end do
    call spin(independent_ns)
  end subroutine produce

  subroutine consume()
    integer :: part, i
    call spin(independent_ns)
    do part = parts - 1, 0, -1
      call spin(period_ns)
      call note('consumed', part)
      do i = 1, per_part
        total = total + data(part * per_part + i)
      end do
    end do
  end subroutine consume

end program scripted_pattern
