! SPDX-License-Identifier: BSD-3-Clause
! Collectives of a team, memory of the program and active messages from Fortran.
module collectives
  use checked
  implicit none
  integer :: calls = 0
  integer(c_int64_t) :: last = -1

contains

  subroutine finish(request, how)
    type(c_ptr), intent(inout) :: request
    integer, intent(in) :: how
    integer(c_int) :: complete
    complete = 0
    if (how == 0) call done(stretto_request_wait(request))
    do while (how == 1 .and. complete == 0)
      call done(stretto_request_test(request, complete))
    end do
    call check(.not. c_associated(request), "a request that was waited for is null")
  end subroutine

  subroutine test_collectives()
    type(c_ptr) :: world, team, request
    integer(c_int) :: rank, size
    integer(c_int32_t), asynchronous :: word(1), mine(1), every(ranks), blocks(ranks), received(ranks)
    real(c_double), asynchronous :: values(2), sums(2)
    integer :: i
    world = c_null_ptr
    team = c_null_ptr
    request = c_null_ptr
    call done(stretto_team_world(runtime, world))
    call done(stretto_team_split(world, 0, -me, team))
    size = stretto_team_size(team)
    call check(size == ranks .and. stretto_team_rank(team) == ranks - 1 - me, "a team in the order of its keys")
    call done(stretto_team_translate(team, 0, world, rank))
    call check(rank == ranks - 1, "a translated rank")
    rank = stretto_team_rank(team)
    word = merge(5, 0, rank == 0)
    mine = rank
    values = [1.0d0, real(rank, c_double)]
    blocks = [(100 * rank + i, i = 0, size - 1)]
    call done(stretto_team_broadcast(team, word, 4_c_size_t, 0))
    call done(stretto_team_reduce(team, values, sums, 2_c_size_t, STRETTO_FLOAT64, STRETTO_SUM, 0))
    if (rank == 0) call check(all(sums == [real(size, c_double), size * (size - 1) / 2.0d0]), "a reduction")
    call done(stretto_team_allreduce(team, values, sums, 2_c_size_t, STRETTO_FLOAT64, STRETTO_MAX))
    call check(word(1) == 5 .and. all(sums == [1, size - 1]), "a broadcast and the largest")
    call done(stretto_team_allgather(team, mine, 4_c_size_t, every))
    call done(stretto_team_alltoall(team, blocks, 4_c_size_t, received))
    call check(all(every == [(i, i = 0, size - 1)]), "what all have")
    call check(all(received == [(100 * i + rank, i = 0, size - 1)]), "a block from each")
    word = merge(6, 0, rank == 0)
    call done(stretto_nonblocking_team_broadcast(team, word, 4_c_size_t, 0, request))
    call finish(request, 0)
    call done(stretto_nonblocking_team_reduce(team, mine, every, 1_c_size_t, STRETTO_INT32, STRETTO_SUM, 0, request))
    call finish(request, 1)
    call done(stretto_nonblocking_team_allreduce(team, mine, every, 1_c_size_t, STRETTO_INT32, STRETTO_MAX, request))
    call finish(request, 0)
    call check(word(1) == 6 .and. every(1) == size - 1, "nonblocking collectives")
    call done(stretto_nonblocking_team_allgather(team, mine, 4_c_size_t, every, request))
    call finish(request, 1)
    call done(stretto_nonblocking_team_alltoall(team, blocks, 4_c_size_t, received, request))
    call finish(request, 0)
    call done(stretto_nonblocking_team_barrier(team, request))
    call finish(request, 1)
    call check(every(size) == size - 1 .and. received(1) == rank, "nonblocking exchanges")
    call done(stretto_team_free(team))
    call done(stretto_team_free(world))
  end subroutine

  subroutine receive(source, payload, size_bytes, context) bind(c)
    integer(c_int), value :: source
    type(c_ptr), value :: payload, context
    integer(c_size_t), value :: size_bytes
    integer(c_int64_t), pointer :: number
    call c_f_pointer(payload, number)
    if (source == left .and. size_bytes == 8 .and. .not. c_associated(context)) calls = calls + 1
    last = number
  end subroutine

  subroutine test_memory_and_functions()
    type(c_ptr) :: region, world, remote
    integer(c_int64_t), target, asynchronous :: memory(4), value(1)
    integer(c_size_t) :: most
    integer :: i
    region = c_null_ptr
    world = c_null_ptr
    remote = c_null_ptr
    memory = 0
    value = 1000 + me
    call done(stretto_region_create_over(runtime, memory, 4 * eight, region))
    call done(stretto_put(region, right, eight, value, eight))
    call done(stretto_barrier(runtime))
    call check(memory(2) == 1000 + left, "a put into an array of the program")
    call free_region(region)
    call done(stretto_team_world(runtime, world))
    call done(stretto_region_create_over_on(world, memory, eight, region))
    call done(stretto_put(region, right, zero, value, eight))
    call done(stretto_barrier(runtime))
    call check(memory(1) == 1000 + left, "a put into an array of a team")
    call free_region(region)
    call done(stretto_team_free(world))

    call done(stretto_remote_function_create(runtime, c_funloc(receive), c_null_ptr, remote))
    call done(stretto_remote_function_most_bytes(remote, most))
    call check(most >= 256, "the size of a payload")
    do i = 1, 10
      value = i
      call done(stretto_remote_function_call(remote, right, value, eight))
    end do
    call done(stretto_barrier(runtime))
    call check(calls == 10 .and. last == 10, "calls in their order")
    call done(stretto_remote_function_free(remote))
  end subroutine

end module
