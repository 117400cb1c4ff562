! SPDX-License-Identifier: BSD-3-Clause
! The program of known_data.c as Fortran has it: array expressions and sections.
module kernels
  implicit none
  integer, parameter :: count = 16384, steps = 12
  double precision :: own(count), other(count), result(count), derived(count)
  double precision :: copies(count, 2), in(2 * count, 2), out(2 * count)
contains
  subroutine independent(to, from)
    double precision, intent(inout) :: to(count)
    double precision, intent(in) :: from(count)
    to = 0.5d0 * to + from
  end subroutine

  subroutine dependent(to, from)
    double precision, intent(inout) :: to(count)
    double precision, intent(in) :: from(count)
    to = 0.25d0 * to + from
  end subroutine

  subroutine mixed(to, came)
    double precision, intent(inout) :: to(count)
    double precision, intent(in) :: came(count)
    double precision :: term
    integer :: i
    do i = 1, count
      if (i <= count / 4) then
        term = came(i)
      else
        term = own(i)
      end if
      to(i) = 0.5d0 * to(i) + term
    end do
  end subroutine

  subroutine unpack_strided(to, from, stride)
    integer, intent(in) :: stride
    double precision, intent(out) :: to(count)
    double precision, intent(in) :: from(stride * count)
    to = from(1::stride)
  end subroutine
end module

program known_data
  use mpi
  use kernels
  implicit none
  character(len=32) :: mode
  integer :: number, now, before, rank, failed

  call MPI_Init(failed)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, failed)
  call get_command_argument(1, mode)
  own = 3d0
  out = 2d0
  do number = 0, steps - 1
    now = 1
    if (mode == 'double-buffered') now = 1 + mod(number, 2)
    before = 1 + mod(number + 1, 2)
    call exchange(in(:, now), merge(2, 1, mode == 'strided') * count)
    select case (mode)
    case ('interior')
      call independent(result, own)
    case ('boundary')
      call dependent(result, in(:, now))
    case ('packed')
      call unpack_strided(copies(:, 1), in(:, now), 1)
      call mixed(result, copies(:, 1))
    case ('strided')
      call unpack_strided(copies(:, 1), in(:, now), 2)
      call mixed(result, copies(:, 1))
    case ('double-buffered')
      call independent(result, in(:, before))
    case ('reused')
      call independent(result, derived)
      call dependent(derived, in(:, now))
    case ('copied-twice')
      copies(:, 1) = in(1:count, now)
      call unpack_strided(copies(:, 2), copies(:, 1), 1)
      call dependent(result, copies(:, 2))
      call independent(other, own)
    case ('sent')  ! by the next step
      call dependent(out(:count), own)
      call independent(other, own)
    case ('sent-packed')
      call dependent(copies(:, 1), own)
      call independent(other, own)
      call unpack_strided(out(:count), copies(:, 1), 1)
    case default
      call MPI_Abort(MPI_COMM_WORLD, 2, failed)
    end select
  end do
  call MPI_Finalize(failed)
contains
  subroutine exchange(to, length)
    double precision, intent(inout) :: to(2 * count)
    integer, intent(in) :: length
    integer :: requests(2)
    call MPI_Irecv(to, length, MPI_DOUBLE_PRECISION, 1 - rank, 0, MPI_COMM_WORLD, requests(1), failed)
    call MPI_Isend(out, length, MPI_DOUBLE_PRECISION, 1 - rank, 0, MPI_COMM_WORLD, requests(2), failed)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, failed)
  end subroutine
end program
