! SPDX-License-Identifier: BSD-3-Clause
! Every function of the module armci from Fortran, over the even and the odd processes as worlds of their own.
program armci_calls
  use, intrinsic :: iso_c_binding
  use armci
  implicit none

  character(kind=c_char), parameter :: plus*2 = "+"//c_null_char, greatest*4 = "max"//c_null_char
  integer(c_int), parameter :: real_bytes = 8
  integer(c_size_t), parameter :: element = 8
  integer(c_int) :: rank, half
  integer(c_int) :: me, processes, right, left, failures(1), world
  type(c_ptr), allocatable :: memory(:)
  real(c_double), pointer :: mine(:)
  real(c_double), target :: source(8), sink(8), one = 1

  interface
    integer(c_int) function half_of_all(rank) bind(c, name="half_of_all")
      import :: c_int
      integer(c_int), intent(out) :: rank
    end function
    integer(c_int) function size_of(communicator) bind(c, name="size_of")
      import :: c_int
      integer(c_int), value :: communicator
    end function
    integer(c_int) function sum_of_all(number) bind(c, name="sum_of_all")
      import :: c_int
      integer(c_int), value :: number
    end function
  end interface

  call armci_msg_init(c_null_ptr, c_null_ptr)
  half = half_of_all(rank)
  failures = 0
  call expect(ARMCI_Init_mpi_comm(half) == 0, "ARMCI_Init_mpi_comm")
  call expect(ARMCI_Init_thread_comm(0_c_int, half) == 0, "ARMCI_Init_thread_comm")
  call expect(ARMCI_Init() == 0 .and. ARMCI_Init_thread(0_c_int) == 0, "ARMCI_Init")
  call expect(ARMCI_Init_args(c_null_ptr, c_null_ptr) == 0, "ARMCI_Init_args")
  call ARMCI_Finalize()
  call ARMCI_Finalize()
  call ARMCI_Finalize()
  call ARMCI_Finalize()
  call expect(ARMCI_Initialized() /= 0, "ARMCI_Initialized")
  me = armci_msg_me()
  processes = armci_msg_nproc()
  right = mod(me + 1, processes)
  left = mod(me + processes - 1, processes)
  allocate (memory(0:processes - 1))
  call ARMCI_Group_get_world(world)

  call use_memory()
  call expect(ARMCI_Malloc(memory, 64_c_long) == 0, "ARMCI_Malloc")
  call c_f_pointer(memory(me), mine, [8])
  call transfer_blocking()
  call transfer_nonblocking()
  call update_together()
  call expect(ARMCI_Free(memory(me)) == 0, "ARMCI_Free")
  call use_groups()
  call use_messages()
  call reduce()
  call use_places()
  call use_shapes()

  if (processes < 0) call ARMCI_Error("never"//c_null_char, 1_c_int)
  if (processes < 0) call armci_msg_abort(1_c_int)
  call ARMCI_Cleanup()
  call ARMCI_Finalize()
  failures(1) = sum_of_all(failures(1))
  if (rank == 0 .and. failures(1) == 0) print "(a)", "Fortran has called everything"
  call armci_msg_finalize()
  if (failures(1) /= 0) stop 1

contains

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    failures(1) = failures(1) + 1
    print "(a, i4, 2a)", "process ", rank, ": does not hold: ", what
  end subroutine

  !> Puts of all have arrived, and everybody may look.
  subroutine meet()
    call ARMCI_AllFence()
    call ARMCI_Barrier()
  end subroutine

  subroutine use_memory()
    type(c_ptr) :: local, place
    type(armci_meminfo_t) :: info
    real(c_double), pointer :: own(:)
    call expect(ARMCI_Malloc_group(memory, 16_c_long, world) == 0, "ARMCI_Malloc_group")
    call expect(ARMCI_Free_group(memory(me), world) == 0, "ARMCI_Free_group")
    call expect(ARMCI_Malloc_memdev(memory, 16_c_long, "none"//c_null_char) == 0, "ARMCI_Malloc_memdev")
    call ARMCI_Access_begin(memory(me))
    call ARMCI_Access_end(memory(me))
    call expect(ARMCI_Free_memdev(memory(me)) == 0, "ARMCI_Free_memdev")
    call expect(ARMCI_Malloc_group_memdev(memory, 16_c_long, world, "none"//c_null_char) == 0, "a group's memory")
    call expect(ARMCI_Free_memdev(memory(me)) == 0, "ARMCI_Free_memdev of a group's")
    local = ARMCI_Malloc_local(64_c_long)
    call c_f_pointer(local, own, [8])
    own = 3
    source = 5
    call ARMCI_Copy(c_loc(source), local, 2 * real_bytes)
    call expect(own(2) == 5 .and. own(3) == 3, "ARMCI_Copy")
    call expect(ARMCI_Free_local(local) == 0, "ARMCI_Free_local")
    call ARMCI_Set_shm_limit(1000000_c_long)
    call ARMCI_Memget(element, info, 0_c_int)
    place = ARMCI_Memat(info, 0_c_long)
    call expect(ARMCI_Put(c_loc(source), place, real_bytes, info%cpid) == 0, "a put to ARMCI_Memat's place")
    call ARMCI_Fence(info%cpid)
    call ARMCI_Memdt(info, 0_c_long)
    call ARMCI_Memctl(info)
  end subroutine

  subroutine transfer_blocking()
    integer(c_int) :: strides(1), counts(2)
    integer(c_int), pointer :: flag
    type(c_ptr), target :: here(2), there(2), back(2)
    type(armci_giov_t) :: to(1), from(1)
    type(c_ptr) :: far
    integer :: i
    far = memory(right)
    source = [(10d0 * me + i, i=1, 8)]
    strides = 16
    counts = [8, 4]
    call expect(ARMCI_Put(c_loc(source), far, 64_c_int, right) == 0, "ARMCI_Put")
    call meet()
    call expect(all(mine == [(10d0 * left + i, i=1, 8)]), "what ARMCI_Put has put")
    call ARMCI_Barrier()
    call expect(ARMCI_PutS(c_loc(source), strides, far, strides, counts, 1_c_int, right) == 0, "ARMCI_PutS")
    call expect(ARMCI_Acc(ARMCI_ACC_DBL, c_loc(one), c_loc(source), far, 8_c_int, right) == 0, "ARMCI_Acc")
    call expect(ARMCI_AccS(ARMCI_ACC_DBL, c_loc(one), c_loc(source), strides, far, strides, counts, 1_c_int, right) &
                == 0, "ARMCI_AccS")
    call meet()
    call expect(mine(1) == 3 * (10d0 * left + 1) .and. mine(3) == 2 * (10d0 * left + 3), "the accumulated")
    call expect(ARMCI_Get(far, c_loc(sink), 64_c_int, right) == 0, "ARMCI_Get")
    call expect(sink(2) == 10d0 * me + 2, "what ARMCI_Get has got")
    sink = 0
    call expect(ARMCI_GetS(far, strides, c_loc(sink), strides, counts, 1_c_int, right) == 0, "ARMCI_GetS")
    call expect(sink(3) == 2 * (10d0 * me + 3) .and. sink(2) == 0, "what ARMCI_GetS has got")
    call ARMCI_Barrier()
    here = [c_loc(source(5)), c_loc(source(7))]
    there = [armci_at(far, 0_c_size_t), armci_at(far, 2 * element)]
    back = [c_loc(sink(1)), c_loc(sink(2))]
    to = armci_giov_t(c_loc(here), c_loc(there), 2_c_int, real_bytes)
    from = armci_giov_t(c_loc(there), c_loc(back), 2_c_int, real_bytes)
    call expect(ARMCI_PutV(to, 1_c_int, right) == 0, "ARMCI_PutV")
    call expect(ARMCI_AccV(ARMCI_ACC_DBL, c_loc(one), to, 1_c_int, right) == 0, "ARMCI_AccV")
    call ARMCI_Fence(right)
    call expect(ARMCI_GetV(from, 1_c_int, right) == 0, "ARMCI_GetV")
    call expect(sink(1) == 2 * source(5) .and. sink(2) == 2 * source(7), "the vector")
    call meet()
    call expect(ARMCI_PutValueInt(7_c_int, far, right) + ARMCI_PutValueLong(8_c_long, armci_at(far, element), right) &
                + ARMCI_PutValueFloat(1.5_c_float, armci_at(far, 2 * element), right) &
                + ARMCI_PutValueDouble(2.5_c_double, armci_at(far, 3 * element), right) == 0, "the values")
    call meet()
    call expect(ARMCI_GetValueInt(far, right) == 7 .and. ARMCI_GetValueLong(armci_at(far, element), right) == 8 &
                .and. ARMCI_GetValueFloat(armci_at(far, 2 * element), right) == 1.5 &
                .and. ARMCI_GetValueDouble(armci_at(far, 3 * element), right) == 2.5, "the values again")
    call ARMCI_Barrier()
    mine = 0
    call ARMCI_Barrier()
    call c_f_pointer(armci_at(memory(me), 7 * element), flag)
    call expect(ARMCI_Put_flag(c_loc(source), far, 8_c_int, armci_at(far, 7 * element), 1_c_int, right) == 0, "a flag")
    call meet()
    call expect(flag == 1, "the flag")
    call ARMCI_Barrier()
    call expect(ARMCI_PutS_flag(c_loc(source), strides, far, strides, counts(:1), 0_c_int, armci_at(far, 7 * element), &
                                2_c_int, right) == 0, "ARMCI_PutS_flag")
    call meet()
    call expect(ARMCI_PutS_flag_dir(c_loc(source), strides, far, strides, counts(:1), 0_c_int, &
                                    armci_at(far, 7 * element), 3_c_int, right) == 0, "ARMCI_PutS_flag_dir")
    call meet()
    call expect(flag == 3, "the last flag")
    call ARMCI_Barrier()
  end subroutine

  subroutine transfer_nonblocking()
    type(armci_hdl_t) :: handle
    integer(c_int) :: strides(1), counts(2), status
    type(c_ptr), target :: here(1), there(1), back(1)
    type(armci_giov_t) :: to(1), from(1)
    type(c_ptr) :: far
    far = memory(right)
    strides = 16
    counts = [8, 2]
    here = c_loc(source(1))
    there = far
    back = c_loc(sink(4))
    to = armci_giov_t(c_loc(here), c_loc(there), 1_c_int, real_bytes)
    from = armci_giov_t(c_loc(there), c_loc(back), 1_c_int, real_bytes)
    source = 1
    mine = 0
    call ARMCI_Barrier()
    call ARMCI_INIT_HANDLE(handle)
    call expect(ARMCI_NbPut(c_loc(source), far, 64_c_int, right, handle) == 0, "ARMCI_NbPut")
    call expect(ARMCI_Wait(handle) == 0, "ARMCI_Wait")
    call expect(ARMCI_NbAcc(ARMCI_ACC_DBL, c_loc(one), c_loc(source), far, 8_c_int, right) == 0, "without a handle")
    call expect(ARMCI_NbAccS(ARMCI_ACC_DBL, c_loc(one), c_loc(source), strides, far, strides, counts, 1_c_int, right) &
                == 0, "ARMCI_NbAccS")
    call expect(ARMCI_NbAccV(ARMCI_ACC_DBL, c_loc(one), to, 1_c_int, right) == 0, "ARMCI_NbAccV")
    call expect(ARMCI_WaitProc(right) == 0 .and. ARMCI_WaitAll() == 0, "ARMCI_WaitAll")
    call ARMCI_GroupFence(world)
    call expect(ARMCI_NbGet(far, c_loc(sink), 16_c_int, right, handle) == 0, "ARMCI_NbGet")
    do
      status = ARMCI_Test(handle)
      if (status == 0) exit
    end do
    call expect(sink(1) == 4 .and. sink(2) == 1, "the sum of three")
    call meet()
    call expect(ARMCI_NbPutS(c_loc(source), strides, far, strides, counts, 1_c_int, right) == 0, "ARMCI_NbPutS")
    call expect(ARMCI_NbPutV(to, 1_c_int, right) == 0, "ARMCI_NbPutV")
    call expect(ARMCI_WaitAll() == 0, "puts")
    call ARMCI_Fence(right)
    call expect(ARMCI_NbGetS(far, strides, c_loc(sink), strides, counts, 1_c_int, right, handle) == 0, "ARMCI_NbGetS")
    call expect(ARMCI_Wait(handle) == 0, "ARMCI_Wait for ARMCI_NbGetS")
    call expect(ARMCI_NbGetV(from, 1_c_int, right, handle) == 0, "ARMCI_NbGetV")
    call expect(ARMCI_Wait(handle) == 0 .and. sink(1) == 1 .and. sink(4) == 1, "what they have got")
    call meet()
    call ARMCI_SET_AGGREGATE_HANDLE(handle)
    call expect(ARMCI_NbPutValueInt(1_c_int, far, right, handle) == 0, "ARMCI_NbPutValueInt")
    call expect(ARMCI_NbPutValueLong(2_c_long, armci_at(far, element), right, handle) == 0, "ARMCI_NbPutValueLong")
    call expect(ARMCI_NbPutValueFloat(3.0, armci_at(far, 2 * element), right, handle) == 0, "ARMCI_NbPutValueFloat")
    call expect(ARMCI_NbPutValueDouble(4d0, armci_at(far, 3 * element), right, handle) == 0, "ARMCI_NbPutValueDouble")
    call expect(ARMCI_Wait(handle) == 0, "the aggregate")
    call ARMCI_UNSET_AGGREGATE_HANDLE(handle)
    call meet()
    call expect(mine(4) == 4d0, "the last of the aggregate")
    call ARMCI_Barrier()
  end subroutine

  subroutine update_together()
    integer(c_int), target :: before
    integer(c_int) :: times
    type(c_ptr) :: mutexes
    mine = 0
    call ARMCI_Barrier()
    call expect(ARMCI_Rmw(ARMCI_FETCH_AND_ADD, c_loc(before), memory(0), 1_c_int, 0_c_int) == 0, "ARMCI_Rmw")
    call expect(before >= 0 .and. before < processes, "the count before")
    call expect(ARMCI_Create_mutexes(1_c_int) == 0, "ARMCI_Create_mutexes")
    call ARMCI_Lock(0_c_int, 0_c_int)
    call ARMCI_Unlock(0_c_int, 0_c_int)
    call ARMCI_Barrier()
    call expect(ARMCI_Destroy_mutexes() == 0, "ARMCI_Destroy_mutexes")
    mutexes = ARMCIX_Create_mutexes_hdl(1_c_int, world)
    call ARMCIX_Lock_hdl(mutexes, 0_c_int, me)
    call ARMCIX_Unlock_hdl(mutexes, 0_c_int, me)
    call expect(ARMCIX_Trylock_hdl(mutexes, 0_c_int, me) == 0, "ARMCIX_Trylock_hdl")
    call ARMCIX_Unlock_hdl(mutexes, 0_c_int, me)
    call ARMCIX_Progress()
    call expect(ARMCIX_Destroy_mutexes_hdl(mutexes) == 0, "ARMCIX_Destroy_mutexes_hdl")
    call expect(armci_notify(right) == 1, "armci_notify")
    call expect(armci_notify_wait(left, times) == 1 .and. times == 1, "armci_notify_wait")
    call ARMCI_Barrier()
  end subroutine

  subroutine use_groups()
    integer(c_int) :: group, child, now, place, size, members(1)
    type(c_ptr), allocatable :: addresses(:)
    allocate (addresses(0:processes - 1))
    members = me
    call ARMCI_Group_create(1_c_int, members, group)
    members = 0
    call ARMCI_Group_create_child(1_c_int, members, child, group)
    call expect(ARMCI_Group_rank(child, place) == 0 .and. place == 0, "ARMCI_Group_rank")
    call ARMCI_Group_size(child, size)
    call expect(size == 1 .and. ARMCI_Absolute_id(child, 0_c_int) == me, "ARMCI_Group_size")
    call ARMCI_Group_free(child)
    call ARMCI_Group_set_default(group)
    call ARMCI_Group_get_default(now)
    call expect(now == group, "ARMCI_Group_get_default")
    call ARMCI_Group_set_default(world)
    call ARMCI_Group_free(group)
    call expect(ARMCIX_Group_split(world, 0_c_int, me, group) == 0, "ARMCIX_Group_split")
    call expect(ARMCIX_Group_dup(group, child) == 0, "ARMCIX_Group_dup")
    call expect(size_of(armci_group_comm(child)) == processes, "armci_group_comm")
    call armci_msg_group_barrier(group)
    size = me
    call ARMCI_Group_free(child)
    call ARMCI_Group_free(group)
    addresses = c_null_ptr
    addresses(me) = c_loc(source)
    call armci_exchange_address(addresses, processes)
    call armci_exchange_address_grp(addresses, processes, world)
    call expect(c_associated(addresses(me), c_loc(source)) .and. c_associated(addresses(right)), "the addresses")
    call expect(ARMCI_Uses_shm() == ARMCI_Uses_shm_grp(world), "ARMCI_Uses_shm")
  end subroutine

  subroutine use_messages()
    integer(c_int), target :: sent, got, word
    integer(c_int) :: length, first, here, root, up, before, after
    sent = me
    call armci_msg_snd(5_c_int, c_loc(sent), 4_c_int, right)
    call armci_msg_rcv(5_c_int, c_loc(got), 4_c_int, length, left)
    call expect(got == left .and. length == 4, "armci_msg_rcv")
    call armci_msg_barrier()
    call armci_msg_snd(6_c_int, c_loc(sent), 4_c_int, right)
    call expect(armci_msg_rcvany(6_c_int, c_loc(got), 4_c_int, length) == left .and. got == left, "armci_msg_rcvany")
    word = me
    call armci_msg_brdcst(c_loc(word), 4_c_int, 0_c_int)
    call armci_msg_bcast(c_loc(word), 4_c_int, 0_c_int)
    call armci_msg_bcast_scope(SCOPE_ALL, c_loc(word), 4_c_int, 0_c_int)
    call armci_msg_group_bcast_scope(SCOPE_ALL, c_loc(word), 4_c_int, 0_c_int, world)
    call expect(word == 0, "the broadcasts")
    word = me
    call armci_msg_clus_brdcst(c_loc(word), 4_c_int)
    first = armci_domain_glob_proc_id(ARMCI_DOMAIN_SMP, armci_domain_my_id(ARMCI_DOMAIN_SMP), 0_c_int)
    here = armci_domain_nprocs(ARMCI_DOMAIN_SMP, -1_c_int)
    call expect(word == first, "armci_msg_clus_brdcst")
    call armci_grp_clus_brdcst(c_loc(word), 4_c_int, first, here, world)
    call armci_msg_bintree(SCOPE_ALL, root, up, before, after)
    call expect(root == 0 .and. (up >= 0 .or. me == 0), "armci_msg_bintree")
    call expect(armci_timer() - armci_timer() <= 1, "armci_timer")
  end subroutine

  subroutine reduce()
    integer(c_int), target :: whole(1)
    integer(c_long) :: long(1)
    integer(c_long_long) :: longer(1)
    real(c_float) :: single(1)
    real(c_double) :: double(1)
    integer(c_int) :: here
    here = armci_domain_nprocs(ARMCI_DOMAIN_SMP, -1_c_int)
    whole = 1; long = 1; longer = 1; single = 1; double = 1
    call armci_msg_igop(whole, 1_c_int, plus)
    call armci_msg_lgop(long, 1_c_int, plus)
    call armci_msg_llgop(longer, 1_c_int, plus)
    call armci_msg_fgop(single, 1_c_int, plus)
    call armci_msg_dgop(double, 1_c_int, plus)
    call expect(whole(1) == processes .and. long(1) == processes .and. longer(1) == processes &
                .and. single(1) == processes .and. double(1) == processes, "the sums")
    whole = 1; long = 1; longer = 1; single = 1; double = 1
    call armci_msg_clus_igop(whole, 1_c_int, plus)
    call armci_msg_clus_lgop(long, 1_c_int, plus)
    call armci_msg_clus_llgop(longer, 1_c_int, plus)
    call armci_msg_clus_fgop(single, 1_c_int, plus)
    call armci_msg_clus_dgop(double, 1_c_int, plus)
    call expect(whole(1) == here .and. long(1) == here .and. longer(1) == here .and. single(1) == here &
                .and. double(1) == here, "the sums of the node")
    whole = me; long = me; longer = me; single = me; double = me
    call armci_msg_group_igop(whole, 1_c_int, greatest, world)
    call armci_msg_group_lgop(long, 1_c_int, greatest, world)
    call armci_msg_group_llgop(longer, 1_c_int, greatest, world)
    call armci_msg_group_fgop(single, 1_c_int, greatest, world)
    call armci_msg_group_dgop(double, 1_c_int, greatest, world)
    call expect(whole(1) == processes - 1 .and. long(1) == processes - 1 .and. longer(1) == processes - 1 &
                .and. single(1) == processes - 1 .and. double(1) == processes - 1, "the greatest of the group")
    whole = 1
    call armci_msg_gop_scope(SCOPE_ALL, c_loc(whole), 1_c_int, greatest, ARMCI_INT)
    call armci_msg_group_gop_scope(SCOPE_ALL, c_loc(whole), 1_c_int, greatest, ARMCI_INT, world)
    call armci_msg_reduce(c_loc(whole), 1_c_int, greatest, ARMCI_INT)
    call armci_msg_reduce_scope(SCOPE_ALL, c_loc(whole), 1_c_int, plus, ARMCI_INT)
    call expect(whole(1) == processes, "reductions by scope")
    whole = me
    call armci_msg_sel_scope(SCOPE_ALL, c_loc(whole), 4_c_int, greatest, ARMCI_INT, 1_c_int)
    call expect(whole(1) == processes - 1, "armci_msg_sel_scope")
  end subroutine

  subroutine use_places()
    integer(c_int) :: node
    node = armci_domain_my_id(ARMCI_DOMAIN_SMP)
    call expect(ARMCI_Same_node(me) /= 0 .and. armci_sameclusnode(me) /= 0, "ARMCI_Same_node")
    call expect(armci_domain_id(ARMCI_DOMAIN_SMP, me) == node, "armci_domain_id")
    call expect(armci_domain_count(ARMCI_DOMAIN_SMP) >= 1, "armci_domain_count")
    call expect(armci_domain_same_id(ARMCI_DOMAIN_SMP, me) /= 0, "armci_domain_same_id")
  end subroutine

  subroutine use_shapes()
    integer(c_int), target :: grid(4, 3), buffer(4)
    integer(c_int) :: strides(1), counts(2), i, sum
    integer(c_int), pointer :: segment
    type(stride_info_t) :: shape
    grid = reshape([(i, i=1, 12)], [4, 3])
    strides = 16
    counts = [8, 2]
    call armci_write_strided(c_loc(grid(2, 1)), 1_c_int, strides, counts, c_loc(buffer))
    call expect(all(buffer == [2, 3, 6, 7]), "armci_write_strided")
    buffer = -buffer
    call armci_read_strided(c_loc(grid(2, 1)), 1_c_int, strides, counts, c_loc(buffer))
    call expect(grid(3, 2) == -7 .and. grid(4, 2) == 8, "armci_read_strided")
    call armci_stride_info_init(shape, c_loc(grid(2, 1)), 1_c_int, strides, counts)
    sum = 0
    do while (armci_stride_info_has_more(shape) /= 0)
      call c_f_pointer(armci_stride_info_seg_ptr(shape), segment)
      sum = sum + segment + armci_stride_info_seg_off(shape) + armci_stride_info_pos(shape)
      call armci_stride_info_next(shape)
    end do
    call expect(sum == -2 - 6 + 16 + 1, "the segments")
    call expect(armci_stride_info_size(shape) == 2 .and. armci_stride_info_count(shape) == 2 &
                .and. armci_stride_info_seg_size(shape) == 8, "the shape")
    call armci_stride_info_destroy(shape)
  end subroutine

end program
