! SPDX-License-Identifier: BSD-3-Clause
! Transforms and sparse products from Fortran.
module kernels
  use checked
  implicit none
  integer, save :: planes = 0

contains

  subroutine count_plane(plane, context) bind(c)
    integer(c_size_t), value :: plane
    type(c_ptr), value :: context
    if (plane >= 0 .and. .not. c_associated(context)) planes = planes + 1
  end subroutine

  subroutine test_transforms()
    type(stretto_fft_settings) :: settings
    character(kind=c_char, len=6), target :: schedule
    type(c_ptr) :: plan
    plan = c_null_ptr
    call done(stretto_fft_settings_init(settings))
    call refused(stretto_fft_create(runtime, settings, plan), STRETTO_ERROR_ARGUMENT)
    settings%size = [8, 6, 4]
    settings%effort = STRETTO_FFT_ESTIMATE
    schedule = "slabs" // c_null_char
    settings%schedule = c_loc(schedule)
    call done(stretto_fft_create(runtime, settings, plan))
    call check_plan(plan)
    call done(stretto_fft_free(plan))
    call done(stretto_fft_create_tuned(runtime, settings, c_null_ptr, plan))
    call check_plan(plan)
    call done(stretto_fft_free(plan))
  end subroutine

  subroutine check_plan(plan)
    type(c_ptr), intent(in) :: plan
    integer(c_size_t) :: first(3), count(3), other(3), copy_bytes, memory_bytes, n
    complex(c_double), allocatable :: in(:), out(:)
    type(stretto_fft_settings) :: settings
    type(stretto_timers) :: timers
    integer(c_int64_t) :: messages
    type(c_ptr) :: storage
    call done(stretto_fft_input(plan, first, count))
    call done(stretto_fft_spectrum(plan, first, other))
    allocate(in(product(count)), out(product(other)))
    in = (1, 2)
    call done(stretto_fft_forward(plan, in, product(count), out, product(other)))
    if (all(first == 0)) call check(abs(out(1) - 192 * (1, 2)) < 1d-9, "the mean is the first coefficient")
    call done(stretto_fft_inverse(plan, out, product(other), in, product(count)))
    call check(all(abs(in - 192 * (1, 2)) < 1d-9), "inverse after forward")
    planes = 0
    call done(stretto_fft_forward_by_planes(plan, in, product(count), out, product(other), c_funloc(count_plane), &
                                            c_null_ptr))
    call check(planes == count(1), "each plane is counted")
    call done(stretto_fft_inverse_by_planes(plan, out, product(other), in, product(count), c_null_funptr, c_null_ptr))
    call done(stretto_fft_settings_of(plan, settings))
    call check(all(settings%size == [8, 6, 4]) .and. len(stretto_text(settings%schedule)) > 0, "settings of a plan")
    storage = c_null_ptr
    call done(stretto_fft_storage(plan, storage, n))
    call check(c_associated(storage) .eqv. n > 0, "storage")
    call done(stretto_fft_memory(plan, copy_bytes, memory_bytes))
    call check(memory_bytes >= copy_bytes .and. copy_bytes > 0, "memory")
    call done(stretto_fft_messages(plan, messages))
    call check(messages > 0 .eqv. ranks > 1, "messages")
    call done(stretto_fft_reset_timers(plan))
    call done(stretto_fft_timers(plan, timers))
    call check(timers%work_s == 0, "timers start at 0")
  end subroutine

  !> Row i of the matrix has 2 at i and -1 at the next one, cyclically.
  subroutine test_products()
    integer, parameter :: rows = 4
    integer(c_int64_t) :: start(rows + 1), messages
    integer(c_int32_t) :: column(2 * rows)
    real(c_double) :: value(2 * rows), x(rows), y(rows)
    integer(c_size_t) :: elements, needed_ranks
    type(stretto_spmv_settings) :: settings
    type(stretto_timers) :: timers
    type(c_ptr) :: plan
    integer :: i, row
    plan = c_null_ptr
    do i = 1, rows
      row = rows * me + i - 1
      start(i) = 2 * (i - 1)
      column(2 * i - 1:2 * i) = [row, mod(row + 1, rows * ranks)]
      value(2 * i - 1:2 * i) = [2, -1]
      x(i) = row
    end do
    start(rows + 1) = 2 * rows
    call done(stretto_spmv_settings_init(settings))
    settings%exchange = STRETTO_SPMV_AGGREGATE
    call done(stretto_spmv_create(runtime, 4_c_size_t, start, column, value, 4_c_size_t, settings, plan))
    call done(stretto_spmv_multiply(plan, x, 4_c_size_t, y, 4_c_size_t))
    call check(all(y == 2 * x - column(2::2)), "a product")
    call done(stretto_spmv_needed(plan, elements, needed_ranks))
    call check(elements == merge(1, 0, ranks > 1) .and. needed_ranks == elements, "needed elements")
    call done(stretto_spmv_messages(plan, messages))
    call check(messages > 0 .eqv. ranks > 1, "messages of products")
    call done(stretto_spmv_reset_timers(plan))
    call done(stretto_spmv_timers(plan, timers))
    call check(timers%work_s == 0, "timers of products start at 0")
    call done(stretto_spmv_settings_of(plan, settings))
    call check(settings%exchange == STRETTO_SPMV_AGGREGATE, "settings of products")
    call done(stretto_barrier(runtime))
    call done(stretto_spmv_free(plan))
    call done(stretto_spmv_create_tuned(runtime, 4_c_size_t, start, column, value, 4_c_size_t, plan))
    call done(stretto_spmv_multiply(plan, x, 4_c_size_t, y, 4_c_size_t))
    call check(all(y == 2 * x - column(2::2)), "a tuned product")
    call done(stretto_barrier(runtime))
    call done(stretto_spmv_free(plan))
  end subroutine

end module
