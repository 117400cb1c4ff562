! SPDX-License-Identifier: BSD-3-Clause
! ARMCI for Fortran: the functions of armci.h and message.h that numerical programs use, by the names that C has,
! and their constants. Compile it with the program. Addresses are type(c_ptr): of one's own variables from
! c_loc, of others from ARMCI_Malloc; armci_at gives the address of an element behind one.
module armci
  use, intrinsic :: iso_c_binding
  implicit none
  public

  integer(c_int), parameter :: ARMCI_SWAP = 10, ARMCI_SWAP_LONG = 11
  integer(c_int), parameter :: ARMCI_FETCH_AND_ADD = 12, ARMCI_FETCH_AND_ADD_LONG = 13
  integer(c_int), parameter :: ARMCI_ACC_INT = 37, ARMCI_ACC_DBL = 38, ARMCI_ACC_FLT = 39
  integer(c_int), parameter :: ARMCI_ACC_CPL = 40, ARMCI_ACC_DCP = 41, ARMCI_ACC_LNG = 42

  !> Zero, as it is here, is what ARMCI_INIT_HANDLE makes it.
  type, bind(c) :: armci_hdl_t
    integer(c_int) :: number = 0
  end type

  interface
    integer(c_int) function ARMCI_Init() bind(c, name="ARMCI_Init")
      import :: c_int
    end function
    subroutine ARMCI_Finalize() bind(c, name="ARMCI_Finalize")
    end subroutine
    subroutine ARMCI_Barrier() bind(c, name="ARMCI_Barrier")
    end subroutine
    subroutine ARMCI_AllFence() bind(c, name="ARMCI_AllFence")
    end subroutine
    subroutine ARMCI_Fence(proc) bind(c, name="ARMCI_Fence")
      import :: c_int
      integer(c_int), value :: proc
    end subroutine

    integer(c_int) function ARMCI_Malloc(ptr_arr, bytes) bind(c, name="ARMCI_Malloc")
      import :: c_int, c_long, c_ptr
      type(c_ptr), intent(out) :: ptr_arr(*)
      integer(c_long), value :: bytes
    end function
    integer(c_int) function ARMCI_Free(ptr) bind(c, name="ARMCI_Free")
      import :: c_int, c_ptr
      type(c_ptr), value :: ptr
    end function

    integer(c_int) function ARMCI_Put(src, dst, bytes, proc) bind(c, name="ARMCI_Put")
      import :: c_int, c_ptr
      type(c_ptr), value :: src, dst
      integer(c_int), value :: bytes, proc
    end function
    integer(c_int) function ARMCI_Get(src, dst, bytes, proc) bind(c, name="ARMCI_Get")
      import :: c_int, c_ptr
      type(c_ptr), value :: src, dst
      integer(c_int), value :: bytes, proc
    end function
    integer(c_int) function ARMCI_Acc(optype, scale, src, dst, bytes, proc) bind(c, name="ARMCI_Acc")
      import :: c_int, c_ptr
      integer(c_int), value :: optype
      type(c_ptr), value :: scale, src, dst
      integer(c_int), value :: bytes, proc
    end function

    integer(c_int) function ARMCI_PutS(src, src_strides, dst, dst_strides, counts, levels, proc) &
        bind(c, name="ARMCI_PutS")
      import :: c_int, c_ptr
      type(c_ptr), value :: src, dst
      integer(c_int), intent(in) :: src_strides(*), dst_strides(*), counts(*)
      integer(c_int), value :: levels, proc
    end function
    integer(c_int) function ARMCI_GetS(src, src_strides, dst, dst_strides, counts, levels, proc) &
        bind(c, name="ARMCI_GetS")
      import :: c_int, c_ptr
      type(c_ptr), value :: src, dst
      integer(c_int), intent(in) :: src_strides(*), dst_strides(*), counts(*)
      integer(c_int), value :: levels, proc
    end function
    integer(c_int) function ARMCI_AccS(optype, scale, src, src_strides, dst, dst_strides, counts, levels, proc) &
        bind(c, name="ARMCI_AccS")
      import :: c_int, c_ptr
      integer(c_int), value :: optype
      type(c_ptr), value :: scale, src, dst
      integer(c_int), intent(in) :: src_strides(*), dst_strides(*), counts(*)
      integer(c_int), value :: levels, proc
    end function

    integer(c_int) function ARMCI_NbPut(src, dst, bytes, proc, handle) bind(c, name="ARMCI_NbPut")
      import :: c_int, c_ptr, armci_hdl_t
      type(c_ptr), value :: src, dst
      integer(c_int), value :: bytes, proc
      type(armci_hdl_t), intent(inout) :: handle
    end function
    integer(c_int) function ARMCI_NbGet(src, dst, bytes, proc, handle) bind(c, name="ARMCI_NbGet")
      import :: c_int, c_ptr, armci_hdl_t
      type(c_ptr), value :: src, dst
      integer(c_int), value :: bytes, proc
      type(armci_hdl_t), intent(inout) :: handle
    end function
    subroutine ARMCI_SET_AGGREGATE_HANDLE(handle) bind(c, name="ARMCI_SET_AGGREGATE_HANDLE")
      import :: armci_hdl_t
      type(armci_hdl_t), intent(inout) :: handle
    end subroutine
    subroutine ARMCI_UNSET_AGGREGATE_HANDLE(handle) bind(c, name="ARMCI_UNSET_AGGREGATE_HANDLE")
      import :: armci_hdl_t
      type(armci_hdl_t), intent(inout) :: handle
    end subroutine
    integer(c_int) function ARMCI_Wait(handle) bind(c, name="ARMCI_Wait")
      import :: c_int, armci_hdl_t
      type(armci_hdl_t), intent(inout) :: handle
    end function
    integer(c_int) function ARMCI_Test(handle) bind(c, name="ARMCI_Test")
      import :: c_int, armci_hdl_t
      type(armci_hdl_t), intent(inout) :: handle
    end function

    integer(c_int) function ARMCI_Rmw(op, ploc, prem, extra, proc) bind(c, name="ARMCI_Rmw")
      import :: c_int, c_ptr
      integer(c_int), value :: op
      type(c_ptr), value :: ploc, prem
      integer(c_int), value :: extra, proc
    end function
    integer(c_int) function ARMCI_Create_mutexes(num) bind(c, name="ARMCI_Create_mutexes")
      import :: c_int
      integer(c_int), value :: num
    end function
    integer(c_int) function ARMCI_Destroy_mutexes() bind(c, name="ARMCI_Destroy_mutexes")
      import :: c_int
    end function
    subroutine ARMCI_Lock(mutex, proc) bind(c, name="ARMCI_Lock")
      import :: c_int
      integer(c_int), value :: mutex, proc
    end subroutine
    subroutine ARMCI_Unlock(mutex, proc) bind(c, name="ARMCI_Unlock")
      import :: c_int
      integer(c_int), value :: mutex, proc
    end subroutine
    integer(c_int) function armci_notify(proc) bind(c, name="armci_notify")
      import :: c_int
      integer(c_int), value :: proc
    end function
    integer(c_int) function armci_notify_wait(proc, pval) bind(c, name="armci_notify_wait")
      import :: c_int
      integer(c_int), value :: proc
      integer(c_int), intent(out) :: pval
    end function

    integer(c_int) function armci_msg_me() bind(c, name="armci_msg_me")
      import :: c_int
    end function
    integer(c_int) function armci_msg_nproc() bind(c, name="armci_msg_nproc")
      import :: c_int
    end function
    subroutine armci_msg_barrier() bind(c, name="armci_msg_barrier")
    end subroutine
    subroutine armci_msg_finalize() bind(c, name="armci_msg_finalize")
    end subroutine
    subroutine armci_msg_brdcst(buffer, len, root) bind(c, name="armci_msg_brdcst")
      import :: c_int, c_ptr
      type(c_ptr), value :: buffer
      integer(c_int), value :: len, root
    end subroutine
    !> op: as in C, "+" for one; what stands behind it does not matter, but a c_null_char must end it.
    subroutine armci_msg_igop(x, n, op) bind(c, name="armci_msg_igop")
      import :: c_int, c_char
      integer(c_int), intent(inout) :: x(*)
      integer(c_int), value :: n
      character(kind=c_char), intent(in) :: op(*)
    end subroutine
    subroutine armci_msg_dgop(x, n, op) bind(c, name="armci_msg_dgop")
      import :: c_int, c_double, c_char
      real(c_double), intent(inout) :: x(*)
      integer(c_int), value :: n
      character(kind=c_char), intent(in) :: op(*)
    end subroutine
  end interface

contains

  !> The address `bytes` behind another.
  pure function armci_at(base, bytes) result(address)
    type(c_ptr), intent(in) :: base
    integer(c_size_t), intent(in) :: bytes
    type(c_ptr) :: address
    address = transfer(transfer(base, 0_c_intptr_t) + int(bytes, c_intptr_t), c_null_ptr)
  end function

end module
