! SPDX-License-Identifier: BSD-3-Clause
! The surroundings of the standard's edge cases in Fortran, as standard.h has them for C. FORM is the way to MPI:
! 0 mpif.h, 1 `use mpi`, 2 `use mpi_f08`. A binding's own types are spelled once, as macros, which cases use, too.
#include "spellings.inc"

module surroundings
#if FORM == 1
  use mpi
#elif FORM == 2
  use mpi_f08
#endif
  use, intrinsic :: iso_c_binding
  implicit none
#if FORM == 0
  include 'mpif.h'
#endif

  integer, parameter :: places = 64, many = 8
  integer, parameter :: address_kind = MPI_ADDRESS_KIND
  integer :: rank, ranks, left, right, half, others ! `others`: ranks of the other half
  integer :: code, text, flag_count, position
  logical :: flag
  COMM_T :: comm, groups, ring, lone, inter
  TYPE_T :: freed_type, pair, none ! `pair`: two integers; `none`: no data
  INFO_T :: info
  REQUEST_T :: r(4), no_requests(0)
  STATUS_T :: status STATUS_SHAPE
  STATUSES_T :: statuses STATUSES_SHAPE
  integer, target, asynchronous :: out(places), in(places), shared(places)
  integer :: counts(many), mine(many), twos(many), fours(many), displs(many), bytes(many), zeros(many), which(4)
  integer(address_kind) :: spaces(many)
  TYPE_T :: types(many), nulls(many)
  ! What an ignored argument may be: addresses that nobody can read.
  integer, pointer :: nowhere, nothing
  integer, pointer, contiguous :: nowheres(:)
  TYPE_T, pointer, contiguous :: nowhere_types(:)

contains

  subroutine say(what, number)
    character(*), intent(in) :: what
    integer, intent(in), optional :: number
    if (present(number)) then
      write (text, '(a,1x,i0)') what, number
    else
      write (text, '(a)') what
    end if
    flush (text)
  end subroutine say

  subroutine say_flag(what, holds)
    character(*), intent(in) :: what
    logical, intent(in) :: holds
    call say(what, merge(1, 0, holds))
  end subroutine say_flag

  !> The class of the error that the last call returned.
  subroutine say_code(what)
    character(*), intent(in) :: what
    integer :: class, error
    class = MPI_SUCCESS
    if (code /= MPI_SUCCESS) call MPI_Error_class(code, class, error)
    call say(what, class)
    code = MPI_SUCCESS
  end subroutine say_code

  subroutine say_data(what, data)
    character(*), intent(in) :: what
    integer, intent(in) :: data(places)
    integer(c_int64_t) :: total
    integer :: i
    total = 0
    do i = 1, places
      total = mod(31 * total + data(i), 1000000007_c_int64_t)
    end do
    write (text, '(a,1x,i0)') what, total
    flush (text)
  end subroutine say_data

  !> A status without its error, which only some calls set.
  subroutine say_one(given)
    STATUS_T, intent(in) :: given STATUS_SHAPE
    integer :: count, error
    logical :: cancelled
    call MPI_Get_count(given, MPI_INTEGER, count, error)
    call MPI_Test_cancelled(given, cancelled, error)
    write (text, '(a,3(1x,i0),1x,l1)') 'status', SOURCE_OF(given), TAG_OF(given), count, cancelled
    flush (text)
  end subroutine say_one

  subroutine say_status()
    call say_one(status)
  end subroutine say_status

  subroutine say_comm(made)
    COMM_T, intent(in) :: made
    integer :: own, all, error
    if (made == MPI_COMM_NULL) then
      call say('no communicator')
      return
    end if
    call MPI_Comm_rank(made, own, error)
    call MPI_Comm_size(made, all, error)
    call say('rank in it', own)
    call say('its size', all)
  end subroutine say_comm

  subroutine free_comm(made)
    COMM_T, intent(inout) :: made
    integer :: error
    call say_comm(made)
    if (made /= MPI_COMM_NULL) call MPI_Comm_free(made, error)
  end subroutine free_comm

  !> An operation of the program.
#if FORM == 2
  subroutine add(from, into, count, type)
    type(c_ptr), value :: from, into
    integer, pointer :: given(:), sums(:)
#else
  subroutine add(given, sums, count, type)
    integer :: given(count), sums(count)
#endif
    integer :: count
    TYPE_T :: type
#if FORM == 2
    call c_f_pointer(from, given, [count])
    call c_f_pointer(into, sums, [count])
#endif
    sums = sums + given
  end subroutine add

  !> An error handler of the program.
  subroutine failed(of, error)
    COMM_T :: of
    integer :: error
    integer :: class, own
    call MPI_Error_class(error, class, own)
    call say('handled', class)
  end subroutine failed

  subroutine fill()
    integer :: i
    out = [(1000 * (rank + 1) + i, i = 0, places - 1)]
    in = [(-1 - i, i = 0, places - 1)]
    shared = [(500 * (rank + 1) + i, i = 0, places - 1)]
    r = MPI_REQUEST_NULL
    code = MPI_SUCCESS
    flag = .false.
    position = -5
    flag_count = -5
    which = -5
  end subroutine fill

  subroutine set_up()
    integer :: error, i
    COMM_T :: own
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    left = mod(rank + ranks - 1, ranks)
    right = mod(rank + 1, ranks)
    half = mod(rank, 2)
    others = ranks / 2
    info = MPI_INFO_NULL
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, error)
    call MPI_Comm_split(comm, half, rank, own, error)
    call MPI_Intercomm_create(own, 0, comm, 1 - half, 7, groups, error)
    call MPI_Comm_free(own, error)
    call MPI_Comm_split(comm, rank, 0, lone, error)
    call MPI_Cart_create(comm, 1, [ranks], [.true.], .false., ring, error)
    call MPI_Type_contiguous(2, MPI_INTEGER, pair, error)
    call MPI_Type_commit(pair, error)
    call MPI_Type_contiguous(0, MPI_INTEGER, none, error)
    call MPI_Type_commit(none, error)
    call MPI_Type_contiguous(3, MPI_INTEGER, types(1), error)
    freed_type = types(1)
    call MPI_Type_free(types(1), error)
    counts = [(1 + mod(i, 2), i = 0, many - 1)]
    mine = 1 + half
    twos = 2
    fours = 4
    zeros = 0
    displs = [(3 * i, i = 0, many - 1)]
    bytes = 4 * displs
    spaces = bytes
    types = MPI_INTEGER
    nulls = MPI_DATATYPE_NULL
    call c_f_pointer(transfer(16_c_intptr_t, c_null_ptr), nowhere)
    call c_f_pointer(transfer(16_c_intptr_t, c_null_ptr), nowheres, [many])
    call c_f_pointer(transfer(16_c_intptr_t, c_null_ptr), nowhere_types, [many])
    nullify (nothing)
  end subroutine set_up

  subroutine tear_down()
    integer :: error
    call MPI_Type_free(pair, error)
    call MPI_Type_free(none, error)
    call MPI_Comm_free(ring, error)
    call MPI_Comm_free(lone, error)
    call MPI_Comm_free(groups, error)
    call MPI_Comm_free(comm, error)
  end subroutine tear_down

  !> Errors return in the cases that make some, and end the program in all others.
  subroutine let_errors(return)
    logical, intent(in) :: return
    ERRHANDLER_T :: handler
    integer :: error
    handler = MPI_ERRORS_ARE_FATAL
    if (return) handler = MPI_ERRORS_RETURN
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler, error)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, handler, error)
    call MPI_Comm_set_errhandler(comm, handler, error)
    call MPI_Comm_set_errhandler(groups, handler, error)
    call MPI_Comm_set_errhandler(ring, handler, error)
  end subroutine let_errors

  subroutine begin_case(number, name, is_between_groups, fails)
    integer, intent(in) :: number
    character(*), intent(in) :: name
    logical, intent(in) :: is_between_groups, fails
    integer :: error
    call fill()
    call let_errors(fails)
    write (text, '(a,i0,1x,a)') 'case ', number, name
    flush (text)
    if (is_between_groups) call MPI_Comm_dup(groups, inter, error)
  end subroutine begin_case

  subroutine end_case(is_between_groups)
    logical, intent(in) :: is_between_groups
    integer :: error
    if (is_between_groups) call MPI_Comm_free(inter, error)
    call say_data('out', out)
    call say_data('in', in)
    call say_data('shared', shared)
    call MPI_Barrier(comm, error)
  end subroutine end_case

end module surroundings
