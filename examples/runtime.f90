! SPDX-License-Identifier: BSD-3-Clause
! The one-sided runtime in Fortran: a put with a signal to the next rank, an aggregate of small gets, and a
! counter of all ranks. Every call returns a code; 0 is success. A program that uses MPI gives its communicator
! to stretto_runtime_create; this one knows no MPI.
program runtime
  use stretto
  implicit none
  integer, parameter :: count = 1000, every = 10
  integer(c_size_t), parameter :: flag = 8 * count, counter = flag + 8
  type(c_ptr) :: world, region, handle, gets, address
  integer(c_int) :: communicator, me, ranks, right, left
  integer(c_size_t) :: size_bytes
  integer(c_int64_t) :: ticket
  real(c_double), asynchronous :: row(count), some(count / every)
  real(c_double), pointer :: mine(:)
  real(c_double) :: total
  logical :: holds
  integer :: i

  call check(stretto_mpi_start(communicator))
  call check(stretto_runtime_create(communicator, runtime=world))
  me = stretto_rank(world)
  ranks = stretto_size(world)
  right = mod(me + 1, ranks)
  left = mod(me + ranks - 1, ranks)
  call check(stretto_region_create(world, counter + 8, region))

  ! The flag is raised at the target once the data is there.
  row = [(1000.0d0 * me + i, i = 1, count)]
  call check(stretto_nonblocking_put_signal(region, right, 0_c_size_t, row, 8_c_size_t * count, flag, 1_c_int64_t, &
                                            STRETTO_FLAG_ADD, handle))
  total = sum(row) ! computes while the data moves
  call check(stretto_wait(world, handle)) ! row may be changed now
  call check(stretto_wait_signal(region, flag, 1_c_int64_t))
  call check(stretto_region_local(region, address, size_bytes))
  call c_f_pointer(address, mine, [count])
  holds = mine(count) == 1000.0d0 * left + count .and. total == 1000.0d0 * count * me + 500500
  call check(stretto_barrier(world))

  ! Many small gets leave as one request when they are waited for.
  call check(stretto_aggregate_create(world, gets))
  do i = 1, count / every
    call check(stretto_aggregate_get(gets, region, right, 8_c_size_t * every * (i - 1), some(i:i), 8_c_size_t))
  end do
  call check(stretto_aggregate_wait(world, gets))
  call check(stretto_aggregate_free(gets))
  holds = holds .and. all(some == [(1000.0d0 * me + every * (i - 1) + 1, i = 1, count / every)])

  ! Every rank draws a number from the first rank's counter.
  call check(stretto_fetch_add_int64(region, 0_c_int, counter, 1_c_int64_t, ticket))
  holds = holds .and. ticket >= 0 .and. ticket < ranks
  call check(stretto_barrier(world)) ! no rank needs the region any more
  call check(stretto_region_free(region))
  call check(stretto_runtime_free(world))
  call check(stretto_mpi_end())
  if (.not. holds) error stop "WRONG"
  if (me == 0) print "(a)", "runtime (Fortran): puts, gets and the counter agree"

contains

  !> Ends the program with the message of an error.
  subroutine check(code)
    integer(c_int), intent(in) :: code
    if (code /= STRETTO_SUCCESS) error stop stretto_text(stretto_error_message())
  end subroutine

end program
