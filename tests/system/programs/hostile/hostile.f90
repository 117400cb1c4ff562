! SPDX-License-Identifier: BSD-3-Clause
! Fortran that nobody would plan: arrays of any kind and shape, numbers below zero, what is left out, two runtimes.
! `hostile [PATH]`. Each rank prints "holds".
module hostile
  use stretto
  implicit none
  type :: particle
    real(c_double) :: place(3)
    integer(c_int) :: kind
  end type
  integer :: failures = 0
  integer(c_int) :: me, ranks, right, left
  type(c_ptr) :: runtime = c_null_ptr
  type(stretto_options) :: options
  integer(c_size_t), parameter :: zero = 0, eight = 8, below = -1

contains

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    failures = failures + 1
    print "(3a,i0,2a)", "does not hold: ", what, " on rank ", me, ": ", stretto_text(stretto_error_message())
  end subroutine

  subroutine done(code, what)
    integer(c_int), intent(in) :: code
    character(*), intent(in) :: what
    call check(code == STRETTO_SUCCESS, what)
  end subroutine

  subroutine refused(code, expected, what)
    integer(c_int), intent(in) :: code, expected
    character(*), intent(in) :: what
    call check(code == expected, what)
  end subroutine

  !> Sections with a stride, and backwards, are passed as copies: blocking calls may have them.
  subroutine arrays_of_any_kind()
    type(c_ptr) :: region, address
    integer(c_size_t) :: bytes
    real(c_double) :: matrix(4, 6), back(6), nothing(0)
    real(c_double), pointer :: mine(:)
    type(particle) :: particles(2), returned(2)
    character(16) :: words(2)
    complex(c_double) :: one
    logical(c_bool) :: flags(8)
    integer :: i
    region = c_null_ptr
    address = c_null_ptr
    call done(stretto_region_create(runtime, 1024_c_size_t, region), "a region")
    call done(stretto_region_local(region, address, bytes), "its address")
    call c_f_pointer(address, mine, [128])
    do i = 1, 6
      matrix(:, i) = [10, 20, 30, 40] + i + 100 * me
    end do
    call done(stretto_put(region, right, zero, matrix(3, :), 6 * eight), "a row")
    call done(stretto_put(region, right, 6 * eight, matrix(2, 6:1:-1), 6 * eight), "a row backwards")
    call done(stretto_barrier(runtime), "a barrier")
    call check(all(mine(1:6) == [(30d0 + i + 100 * left, i = 1, 6)]), "the row")
    call check(all(mine(7:12) == [(20d0 + i + 100 * left, i = 6, 1, -1)]), "the row backwards")
    call done(stretto_get(region, right, zero, back(6:1:-1), 6 * eight), "into a section")
    call check(all(back == [(30d0 + i + 100 * me, i = 6, 1, -1)]), "what comes into a section")
    call done(stretto_barrier(runtime), "a barrier")
    call done(stretto_put(region, right, zero, nothing, zero), "no element")
    call done(stretto_put(region, right, zero, 2 * matrix(:, 1), 4 * eight), "an expression")
    one = (1, 2)
    call done(stretto_put(region, right, 32 * eight, [one], 2 * eight), "a complex number")
    particles = particle([1, 2, 3], me)
    call done(stretto_put(region, right, 64 * eight, particles, storage_size(particles) / 8_c_size_t * 2), "a type")
    words = ["first           ", "second          "]
    call done(stretto_put(region, right, 100 * eight, words, 32_c_size_t), "characters")
    flags = .true._c_bool
    call done(stretto_put(region, right, 120 * eight, flags, 8_c_size_t), "truth values")
    call done(stretto_barrier(runtime), "a barrier")
    call done(stretto_get(region, me, 64 * eight, returned, storage_size(particles) / 8_c_size_t * 2), "a type back")
    call check(all(returned%kind == left) .and. returned(2)%place(3) == 3, "the type")
    call check(mine(33) == 1 .and. mine(34) == 2, "the complex number")
    call done(stretto_barrier(runtime), "a barrier")
    call done(stretto_region_free(region), "the end of a region")
    call refused(stretto_region_free(region), STRETTO_ERROR_ARGUMENT, "freed twice")
    call refused(stretto_put(region, right, zero, back, eight), STRETTO_ERROR_ARGUMENT, "a put to a freed region")
  end subroutine

  !> Offsets and sizes below zero are unsigned to C. Nothing moves.
  subroutine pieces_of_nowhere()
    type(c_ptr) :: region, handle
    real(c_double), target :: row(4)
    type(stretto_put_piece) :: piece(1)
    region = c_null_ptr
    handle = c_null_ptr
    row = 1
    call refused(stretto_region_create(runtime, below, region), STRETTO_ERROR_ARGUMENT, "a region below zero")
    call done(stretto_region_create(runtime, 4 * eight, region), "a region")
    piece = [stretto_put_piece(c_loc(row), -eight, eight)]
    call refused(stretto_put_vector(region, right, 1_c_size_t, piece), STRETTO_ERROR_ARGUMENT, "a piece before it")
    piece = [stretto_put_piece(c_null_ptr, zero, eight)]
    call refused(stretto_nonblocking_put_vector(region, right, 1_c_size_t, piece, handle), STRETTO_ERROR_ARGUMENT, &
                 "a piece from nowhere")
    call refused(stretto_wait_signal(region, 4_c_size_t, 1_c_int64_t), STRETTO_ERROR_ARGUMENT, "a flag between two")
    call check(.not. c_associated(handle), "no handle of what is refused")
    call done(stretto_barrier(runtime), "a barrier")
    call done(stretto_region_free(region), "the end of a region")
  end subroutine

  !> The same calls of two runtimes, interleaved, and flags whose unsigned values are below zero here.
  subroutine two_runtimes(world)
    integer, intent(in) :: world
    type(c_ptr) :: both(2), regions(2), none(1), handle
    integer(c_int64_t) :: seen
    integer(c_size_t) :: index
    real(c_double), asynchronous :: row(1000)
    integer :: i
    both = c_null_ptr
    regions = c_null_ptr
    none = c_null_ptr
    handle = c_null_ptr
    do i = 1, 2
      call done(stretto_runtime_create(world, options, both(i)), "a runtime")
      call done(stretto_region_create(both(i), 8008_c_size_t, regions(i)), "a region")
    end do
    do i = 1, 2
      row = i
      call done(stretto_nonblocking_put_signal(regions(i), right, zero, row, 8000_c_size_t, 8000_c_size_t, &
                                               -5_c_int64_t, STRETTO_FLAG_SET, handle), "a put")
      if (c_associated(handle)) call refused(stretto_wait(runtime, handle), STRETTO_ERROR_HANDLE, "another runtime's")
      call done(stretto_wait(both(i), handle), "the wait for it")
      call done(stretto_wait_signal(regions(i), 8000_c_size_t, -5_c_int64_t, seen), "its flag")
      call check(seen == -5, "the flag's value")
    end do
    call refused(stretto_wait_any(both(1), 1_c_size_t, none, index), STRETTO_ERROR_HANDLE, "none is pending")
    do i = 2, 1, -1
      call done(stretto_barrier(both(i)), "a barrier")
      call done(stretto_region_free(regions(i)), "the end of a region")
      call done(stretto_runtime_free(both(i)), "the end of a runtime")
      call refused(stretto_runtime_free(both(i)), STRETTO_ERROR_ARGUMENT, "ended twice")
      call refused(stretto_barrier(both(i)), STRETTO_ERROR_ARGUMENT, "a barrier of none")
    end do
  end subroutine

end module

program main
  use hostile
  implicit none
  integer(c_int) :: world
  character(16) :: path
  call get_command_argument(1, path)
  call done(stretto_mpi_start(world), "MPI")
  call done(stretto_options_init(options), "the options")
  if (path == "rma") options%path = STRETTO_PATH_RMA
  if (path == "message") options%path = STRETTO_PATH_MESSAGE
  if (path /= "") options%node_ranks = 1
  call done(stretto_runtime_create(world, options, runtime), "a runtime")
  me = stretto_rank(runtime)
  ranks = stretto_size(runtime)
  right = modulo(me + 1, ranks)
  left = modulo(me - 1, ranks)
  call arrays_of_any_kind()
  call pieces_of_nowhere()
  call two_runtimes(world)
  call done(stretto_barrier(runtime), "the last barrier")
  call done(stretto_runtime_free(runtime), "the runtime's end")
  call done(stretto_mpi_end(), "MPI's end")
  if (failures > 0) error stop
  print "(a)", "holds"
end program
