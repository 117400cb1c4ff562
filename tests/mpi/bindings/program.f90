! SPDX-License-Identifier: BSD-3-Clause
! Every function of the module, from Fortran, on one path between nodes. What they do is tested further in C.
program calls
  use checked
  use collectives, only: test_collectives, test_memory_and_functions
  use completions
  use kernels
  use transfers
  implicit none
  type(stretto_options) :: options
  integer(c_int) :: communicator

  call done(stretto_mpi_start(communicator))
  call done(stretto_options_init(options))
  options%node_ranks = 1
  options%progress = STRETTO_PROGRESS_POLL
  call done(stretto_runtime_create(communicator, options, runtime))
  me = stretto_rank(runtime)
  ranks = stretto_size(runtime)
  right = mod(me + 1, ranks)
  left = mod(me + ranks - 1, ranks)
  call done(stretto_options_effective(runtime, options))
  call check(options%node_ranks == 1 .and. options%outstanding > 0, "the effective options")
  call done(stretto_communicator(runtime, communicator))
  call check(len(stretto_text(stretto_version())) >= 5, "a version")
  call test_teams()
  call test_regions()
  call test_transfers()
  call test_aggregates()
  call test_handles()
  call test_updates()
  call test_completion()
  call test_flags()
  call test_values()
  call test_collectives()
  call test_transforms()
  call test_products()
  call test_memory_and_functions()
  call done(stretto_barrier(runtime))
  call done(stretto_runtime_free(runtime))
  call done(stretto_mpi_end())
  if (failures > 0) error stop 1
  if (me == 0) print "(a,i0)", "Fortran has called everything on ", ranks

contains

  subroutine test_teams()
    type(c_ptr) :: team, region
    integer(c_int) :: rank, list(ranks)
    integer :: i
    team = c_null_ptr
    region = c_null_ptr
    call done(stretto_team_world(runtime, team))
    call check(stretto_team_size(team) == ranks, "the size of all")
    call done(stretto_team_free(team))
    list = [(ranks - i, i = 1, ranks)]
    call done(stretto_team_create(runtime, ranks, list, team))
    call check(stretto_team_rank(team) == ranks - 1 - me, "the rank in a team")
    call done(stretto_team_runtime_rank(team, 0, rank))
    call check(rank == ranks - 1, "the rank in the runtime")
    call done(stretto_team_rank_of(team, me, rank))
    call check(rank == stretto_team_rank(team), "the rank of a rank")
    call done(stretto_team_node(team, 0, rank))
    call check(rank == ranks - 1, "each rank is a node")
    call done(stretto_team_communicator(team, rank))
    call done(stretto_region_create_on(team, eight, region))
    call done(stretto_team_barrier(team))
    call done(stretto_region_free(region))
    call done(stretto_team_free(team))
  end subroutine

  subroutine test_regions()
    type(c_ptr) :: region, team, address
    integer(c_size_t) :: size_bytes
    type(stretto_counters) :: counters
    real(c_double) :: value(1)
    team = c_null_ptr
    address = c_null_ptr
    region = new_region(me + 1)
    call check(stretto_region_rank(region) == me .and. stretto_region_size(region) == ranks, "ranks of a region")
    call done(stretto_region_size_bytes(region, right, size_bytes))
    call check(size_bytes == eight * (right + 1), "the size of another part")
    call done(stretto_region_node_local(region, right, address))
    call done(stretto_region_team(region, team))
    call done(stretto_team_free(team))
    call done(stretto_counters_reset(runtime))
    value = 1
    call done(stretto_put(region, right, zero, value, eight))
    call done(stretto_counters_of(runtime, right, counters))
    call check(counters%direct%bytes + counters%rma%bytes + counters%message%bytes == 8, "counted bytes")
    call done(stretto_counters_all(runtime, counters))
    call check(counters%direct%operations + counters%rma%operations + counters%message%operations == 1, "counted")
    call refused(stretto_put(region, ranks, zero, value, eight), STRETTO_ERROR_ARGUMENT)
    call free_region(region)
  end subroutine

  subroutine test_updates()
    type(c_ptr) :: region, handle, mutexes
    integer(c_int64_t) :: before, sent, received, seen
    integer(c_int32_t) :: before32
    integer(c_int) :: raised
    real(c_double), asynchronous :: row(4)
    real(c_double), pointer :: mine(:)
    integer(c_size_t), parameter :: counts(2) = [16, 2], here(1) = [16], flag = 80
    region = new_region(12)
    mine => part(region, 12)
    row = me + 1
    handle = c_null_ptr
    mutexes = c_null_ptr
    call done(stretto_put_signal(region, right, zero, row, 4 * eight, flag, one, STRETTO_FLAG_ADD))
    call done(stretto_put_signal_strided(region, right, zero, row, 1, counts, here, here, flag, one, STRETTO_FLAG_ADD))
    call done(stretto_wait_signal(region, flag, 2 * one, seen))
    call check(seen == 2 .and. all(mine(1:4) == left + 1), "data with a signal")
    call done(stretto_reset_signal(region, flag, 0 * one))
    call done(stretto_barrier(runtime))
    call done(stretto_nonblocking_put_signal(region, right, zero, row, 4 * eight, flag, one, STRETTO_FLAG_ADD, handle))
    call done(stretto_wait(runtime, handle))
    call done(stretto_nonblocking_put_signal_strided(region, right, zero, row, 1, counts, here, here, flag, one, &
                                                     STRETTO_FLAG_ADD, handle))
    call done(stretto_wait(runtime, handle))
    raised = 0
    do while (raised == 0)
      call done(stretto_test_signal(region, flag, 2 * one, raised))
    end do
    call done(stretto_barrier(runtime))
    call done(stretto_notify(runtime, right, sent))
    call done(stretto_wait_notify(runtime, left, received))
    call check(sent == received, "notifications")
    call done(stretto_poll(runtime))

    call done(stretto_fetch_add_int64(region, right, 5 * eight, 3 * one, before))
    call check(before == 0, "fetch and add")
    call done(stretto_swap_int64(region, right, 5 * eight, 4 * one, before))
    call check(before == 3, "swap")
    call done(stretto_compare_swap_int64(region, right, 5 * eight, 4 * one, 5 * one, before))
    call check(before == 4, "compare and swap")
    call done(stretto_fetch_add_int32(region, right, 6 * eight, 3, before32))
    call done(stretto_swap_int32(region, right, 6 * eight, 4, before32))
    call check(before32 == 3, "swap of 32 bits")
    call done(stretto_compare_swap_int32(region, right, 6 * eight, 4, 5, before32))
    call check(before32 == 4, "compare and swap of 32 bits")

    call done(stretto_mutexes_create(runtime, 1_c_size_t, mutexes))
    call done(stretto_mutexes_lock(mutexes, 0, zero))
    call refused(stretto_mutexes_lock(mutexes, 0, zero), STRETTO_ERROR_ARGUMENT)
    call done(stretto_mutexes_unlock(mutexes, 0, zero))
    call done(stretto_barrier(runtime))
    call done(stretto_mutexes_free(mutexes))
    call free_region(region)
  end subroutine

end program
