! SPDX-License-Identifier: BSD-3-Clause
! ARMCI for Fortran: every function of armci.h, message.h, armcix.h and iterator.h by its name in C, and the
! constants. Written by scripts/armci_fortran.py. Compile it with the program. Addresses are type(c_ptr): of
! one's own variables from c_loc, of others from ARMCI_Malloc. armci_at gives the address of an element behind
! one. A name of an operation ends with c_null_char. Without a handle an operation is implicit. A communicator
! is a handle of Fortran.
module armci
  use, intrinsic :: iso_c_binding
  implicit none
  public

  integer(c_int), parameter :: FAIL = -1
  integer(c_int), parameter :: FAIL2 = -2
  integer(c_int), parameter :: FAIL3 = -3
  integer(c_int), parameter :: FAIL4 = -4
  integer(c_int), parameter :: FAIL5 = -5
  integer(c_int), parameter :: FAIL6 = -6
  integer(c_int), parameter :: FAIL7 = -7
  integer(c_int), parameter :: FAIL8 = -8
  integer(c_int), parameter :: ARMCI_ACC_OFF = 36
  integer(c_int), parameter :: ARMCI_ACC_INT = 37
  integer(c_int), parameter :: ARMCI_ACC_DBL = 38
  integer(c_int), parameter :: ARMCI_ACC_FLT = 39
  integer(c_int), parameter :: ARMCI_ACC_CPL = 40
  integer(c_int), parameter :: ARMCI_ACC_DCP = 41
  integer(c_int), parameter :: ARMCI_ACC_LNG = 42
  integer(c_int), parameter :: ARMCI_MAX_STRIDE_LEVEL = 8
  integer(c_int), parameter :: ARMCI_SWAP = 10
  integer(c_int), parameter :: ARMCI_SWAP_LONG = 11
  integer(c_int), parameter :: ARMCI_FETCH_AND_ADD = 12
  integer(c_int), parameter :: ARMCI_FETCH_AND_ADD_LONG = 13
  integer(c_int), parameter :: ARMCI_DOMAIN_SMP = 0
  integer(c_int), parameter :: ARMCI_INT = -99
  integer(c_int), parameter :: ARMCI_LONG = -101
  integer(c_int), parameter :: ARMCI_LONG_LONG = -102
  integer(c_int), parameter :: ARMCI_FLOAT = -306
  integer(c_int), parameter :: ARMCI_DOUBLE = -307
  integer(c_int), parameter :: SCOPE_ALL = 333
  integer(c_int), parameter :: SCOPE_NODE = 337
  integer(c_int), parameter :: SCOPE_MASTERS = 339

  !> Zero, as it is here, is what ARMCI_INIT_HANDLE makes it.
  type, bind(c) :: armci_hdl_t
    integer(c_int) :: number = 0
  end type

  type, bind(c) :: armci_giov_t
    type(c_ptr) :: src_ptr_array = c_null_ptr, dst_ptr_array = c_null_ptr
    integer(c_int) :: ptr_array_len = 0, bytes = 0
  end type

  type, bind(c) :: armci_meminfo_t
    type(c_ptr) :: armci_addr = c_null_ptr, addr = c_null_ptr
    integer(c_size_t) :: size = 0
    integer(c_int) :: cpid = -1
    integer(c_long) :: idlist(128) = 0
  end type

  type, bind(c) :: stride_info_t
    type(c_ptr) :: base_ptr = c_null_ptr
    integer(c_int) :: stride_levels = 0, stride_arr(ARMCI_MAX_STRIDE_LEVEL) = 0
    integer(c_int) :: seg_count(ARMCI_MAX_STRIDE_LEVEL + 1) = 0
    integer(c_int) :: size = 0, pos = 0, itr(ARMCI_MAX_STRIDE_LEVEL) = 0
  end type

  interface
    integer(c_int) function ARMCI_Init() &
        bind(c, name="ARMCI_Init")
      import :: c_int
    end function
    integer(c_int) function ARMCI_Init_args(argc, argv) &
        bind(c, name="ARMCI_Init_args")
      import :: c_int, c_ptr
      type(c_ptr), value :: argc
      type(c_ptr), value :: argv
    end function
    integer(c_int) function ARMCI_Init_thread(armci_requested) &
        bind(c, name="ARMCI_Init_thread")
      import :: c_int
      integer(c_int), value :: armci_requested
    end function
    integer(c_int) function ARMCI_Init_mpi_comm(comm) &
        bind(c, name="ARMCI_Init_mpi_comm_fortran")
      import :: c_int
      integer(c_int), value :: comm
    end function
    integer(c_int) function ARMCI_Init_thread_comm(armci_requested, comm) &
        bind(c, name="ARMCI_Init_thread_comm_fortran")
      import :: c_int
      integer(c_int), value :: armci_requested
      integer(c_int), value :: comm
    end function
    integer(c_int) function ARMCI_Initialized() &
        bind(c, name="ARMCI_Initialized")
      import :: c_int
    end function
    subroutine ARMCI_Finalize() &
        bind(c, name="ARMCI_Finalize")
    end subroutine
    subroutine ARMCI_Cleanup() &
        bind(c, name="ARMCI_Cleanup")
    end subroutine
    subroutine ARMCI_Error(message, code) &
        bind(c, name="ARMCI_Error")
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: message(*)
      integer(c_int), value :: code
    end subroutine
    integer(c_int) function ARMCI_Malloc(ptr_arr, bytes) &
        bind(c, name="ARMCI_Malloc")
      import :: c_int, c_long, c_ptr
      type(c_ptr), intent(inout) :: ptr_arr(*)
      integer(c_long), value :: bytes
    end function
    integer(c_int) function ARMCI_Malloc_group(ptr_arr, bytes, group) &
        bind(c, name="ARMCI_Malloc_group")
      import :: c_int, c_long, c_ptr
      type(c_ptr), intent(inout) :: ptr_arr(*)
      integer(c_long), value :: bytes
      integer(c_int), intent(inout) :: group
    end function
    integer(c_int) function ARMCI_Free(ptr) &
        bind(c, name="ARMCI_Free")
      import :: c_int, c_ptr
      type(c_ptr), value :: ptr
    end function
    integer(c_int) function ARMCI_Free_group(ptr, group) &
        bind(c, name="ARMCI_Free_group")
      import :: c_int, c_ptr
      type(c_ptr), value :: ptr
      integer(c_int), intent(inout) :: group
    end function
    integer(c_int) function ARMCI_Malloc_memdev(ptr_arr, bytes, device) &
        bind(c, name="ARMCI_Malloc_memdev")
      import :: c_char, c_int, c_long, c_ptr
      type(c_ptr), intent(inout) :: ptr_arr(*)
      integer(c_long), value :: bytes
      character(kind=c_char), intent(in) :: device(*)
    end function
    integer(c_int) function ARMCI_Malloc_group_memdev(ptr_arr, bytes, group, device) &
        bind(c, name="ARMCI_Malloc_group_memdev")
      import :: c_char, c_int, c_long, c_ptr
      type(c_ptr), intent(inout) :: ptr_arr(*)
      integer(c_long), value :: bytes
      integer(c_int), intent(inout) :: group
      character(kind=c_char), intent(in) :: device(*)
    end function
    integer(c_int) function ARMCI_Free_memdev(ptr) &
        bind(c, name="ARMCI_Free_memdev")
      import :: c_int, c_ptr
      type(c_ptr), value :: ptr
    end function
    subroutine ARMCI_Access_begin(ptr) &
        bind(c, name="ARMCI_Access_begin")
      import :: c_ptr
      type(c_ptr), value :: ptr
    end subroutine
    subroutine ARMCI_Access_end(ptr) &
        bind(c, name="ARMCI_Access_end")
      import :: c_ptr
      type(c_ptr), value :: ptr
    end subroutine
    type(c_ptr) function ARMCI_Malloc_local(bytes) &
        bind(c, name="ARMCI_Malloc_local")
      import :: c_long, c_ptr
      integer(c_long), value :: bytes
    end function
    integer(c_int) function ARMCI_Free_local(ptr) &
        bind(c, name="ARMCI_Free_local")
      import :: c_int, c_ptr
      type(c_ptr), value :: ptr
    end function
    subroutine ARMCI_Memget(bytes, meminfo, memflg) &
        bind(c, name="ARMCI_Memget")
      import :: armci_meminfo_t, c_int, c_size_t
      integer(c_size_t), value :: bytes
      type(armci_meminfo_t), intent(inout) :: meminfo
      integer(c_int), value :: memflg
    end subroutine
    type(c_ptr) function ARMCI_Memat(meminfo, memflg) &
        bind(c, name="ARMCI_Memat")
      import :: armci_meminfo_t, c_long, c_ptr
      type(armci_meminfo_t), intent(inout) :: meminfo
      integer(c_long), value :: memflg
    end function
    subroutine ARMCI_Memdt(meminfo, memflg) &
        bind(c, name="ARMCI_Memdt")
      import :: armci_meminfo_t, c_long
      type(armci_meminfo_t), intent(inout) :: meminfo
      integer(c_long), value :: memflg
    end subroutine
    subroutine ARMCI_Memctl(meminfo) &
        bind(c, name="ARMCI_Memctl")
      import :: armci_meminfo_t
      type(armci_meminfo_t), intent(inout) :: meminfo
    end subroutine
    integer(c_int) function ARMCI_Put(src, dst, bytes, proc) &
        bind(c, name="ARMCI_Put")
      import :: c_int, c_ptr
      type(c_ptr), value :: src
      type(c_ptr), value :: dst
      integer(c_int), value :: bytes
      integer(c_int), value :: proc
    end function
    integer(c_int) function ARMCI_Get(src, dst, bytes, proc) &
        bind(c, name="ARMCI_Get")
      import :: c_int, c_ptr
      type(c_ptr), value :: src
      type(c_ptr), value :: dst
      integer(c_int), value :: bytes
      integer(c_int), value :: proc
    end function
    integer(c_int) function ARMCI_Acc(optype, scale, src, dst, bytes, proc) &
        bind(c, name="ARMCI_Acc")
      import :: c_int, c_ptr
      integer(c_int), value :: optype
      type(c_ptr), value :: scale
      type(c_ptr), value :: src
      type(c_ptr), value :: dst
      integer(c_int), value :: bytes
      integer(c_int), value :: proc
    end function
    integer(c_int) function ARMCI_PutS(src_ptr, src_stride_arr, dst_ptr, dst_stride_arr, count, &
           stride_levels, proc) &
        bind(c, name="ARMCI_PutS")
      import :: c_int, c_ptr
      type(c_ptr), value :: src_ptr
      integer(c_int), intent(inout) :: src_stride_arr(*)
      type(c_ptr), value :: dst_ptr
      integer(c_int), intent(inout) :: dst_stride_arr(*)
      integer(c_int), intent(inout) :: count(*)
      integer(c_int), value :: stride_levels
      integer(c_int), value :: proc
    end function
    integer(c_int) function ARMCI_GetS(src_ptr, src_stride_arr, dst_ptr, dst_stride_arr, count, &
           stride_levels, proc) &
        bind(c, name="ARMCI_GetS")
      import :: c_int, c_ptr
      type(c_ptr), value :: src_ptr
      integer(c_int), intent(inout) :: src_stride_arr(*)
      type(c_ptr), value :: dst_ptr
      integer(c_int), intent(inout) :: dst_stride_arr(*)
      integer(c_int), intent(inout) :: count(*)
      integer(c_int), value :: stride_levels
      integer(c_int), value :: proc
    end function
    integer(c_int) function ARMCI_AccS(optype, scale, src_ptr, src_stride_arr, dst_ptr, dst_stride_arr, &
           count, stride_levels, proc) &
        bind(c, name="ARMCI_AccS")
      import :: c_int, c_ptr
      integer(c_int), value :: optype
      type(c_ptr), value :: scale
      type(c_ptr), value :: src_ptr
      integer(c_int), intent(inout) :: src_stride_arr(*)
      type(c_ptr), value :: dst_ptr
      integer(c_int), intent(inout) :: dst_stride_arr(*)
      integer(c_int), intent(inout) :: count(*)
      integer(c_int), value :: stride_levels
      integer(c_int), value :: proc
    end function
    integer(c_int) function ARMCI_PutV(darr, len, proc) &
        bind(c, name="ARMCI_PutV")
      import :: armci_giov_t, c_int
      type(armci_giov_t), intent(inout) :: darr(*)
      integer(c_int), value :: len
      integer(c_int), value :: proc
    end function
    integer(c_int) function ARMCI_GetV(darr, len, proc) &
        bind(c, name="ARMCI_GetV")
      import :: armci_giov_t, c_int
      type(armci_giov_t), intent(inout) :: darr(*)
      integer(c_int), value :: len
      integer(c_int), value :: proc
    end function
    integer(c_int) function ARMCI_AccV(optype, scale, darr, len, proc) &
        bind(c, name="ARMCI_AccV")
      import :: armci_giov_t, c_int, c_ptr
      integer(c_int), value :: optype
      type(c_ptr), value :: scale
      type(armci_giov_t), intent(inout) :: darr(*)
      integer(c_int), value :: len
      integer(c_int), value :: proc
    end function
    integer(c_int) function ARMCI_PutValueInt(src, dst, proc) &
        bind(c, name="ARMCI_PutValueInt")
      import :: c_int, c_ptr
      integer(c_int), value :: src
      type(c_ptr), value :: dst
      integer(c_int), value :: proc
    end function
    integer(c_int) function ARMCI_PutValueLong(src, dst, proc) &
        bind(c, name="ARMCI_PutValueLong")
      import :: c_int, c_long, c_ptr
      integer(c_long), value :: src
      type(c_ptr), value :: dst
      integer(c_int), value :: proc
    end function
    integer(c_int) function ARMCI_PutValueFloat(src, dst, proc) &
        bind(c, name="ARMCI_PutValueFloat")
      import :: c_float, c_int, c_ptr
      real(c_float), value :: src
      type(c_ptr), value :: dst
      integer(c_int), value :: proc
    end function
    integer(c_int) function ARMCI_PutValueDouble(src, dst, proc) &
        bind(c, name="ARMCI_PutValueDouble")
      import :: c_double, c_int, c_ptr
      real(c_double), value :: src
      type(c_ptr), value :: dst
      integer(c_int), value :: proc
    end function
    integer(c_int) function ARMCI_GetValueInt(src, proc) &
        bind(c, name="ARMCI_GetValueInt")
      import :: c_int, c_ptr
      type(c_ptr), value :: src
      integer(c_int), value :: proc
    end function
    integer(c_long) function ARMCI_GetValueLong(src, proc) &
        bind(c, name="ARMCI_GetValueLong")
      import :: c_int, c_long, c_ptr
      type(c_ptr), value :: src
      integer(c_int), value :: proc
    end function
    real(c_float) function ARMCI_GetValueFloat(src, proc) &
        bind(c, name="ARMCI_GetValueFloat")
      import :: c_float, c_int, c_ptr
      type(c_ptr), value :: src
      integer(c_int), value :: proc
    end function
    real(c_double) function ARMCI_GetValueDouble(src, proc) &
        bind(c, name="ARMCI_GetValueDouble")
      import :: c_double, c_int, c_ptr
      type(c_ptr), value :: src
      integer(c_int), value :: proc
    end function
    integer(c_int) function ARMCI_Put_flag(src, dst, bytes, flag, val, proc) &
        bind(c, name="ARMCI_Put_flag")
      import :: c_int, c_ptr
      type(c_ptr), value :: src
      type(c_ptr), value :: dst
      integer(c_int), value :: bytes
      type(c_ptr), value :: flag
      integer(c_int), value :: val
      integer(c_int), value :: proc
    end function
    integer(c_int) function ARMCI_PutS_flag(src_ptr, src_stride_arr, dst_ptr, dst_stride_arr, count, &
           stride_levels, flag, val, proc) &
        bind(c, name="ARMCI_PutS_flag")
      import :: c_int, c_ptr
      type(c_ptr), value :: src_ptr
      integer(c_int), intent(inout) :: src_stride_arr(*)
      type(c_ptr), value :: dst_ptr
      integer(c_int), intent(inout) :: dst_stride_arr(*)
      integer(c_int), intent(inout) :: count(*)
      integer(c_int), value :: stride_levels
      type(c_ptr), value :: flag
      integer(c_int), value :: val
      integer(c_int), value :: proc
    end function
    integer(c_int) function ARMCI_PutS_flag_dir(src_ptr, src_stride_arr, dst_ptr, dst_stride_arr, count, &
           stride_levels, flag, val, proc) &
        bind(c, name="ARMCI_PutS_flag_dir")
      import :: c_int, c_ptr
      type(c_ptr), value :: src_ptr
      integer(c_int), intent(inout) :: src_stride_arr(*)
      type(c_ptr), value :: dst_ptr
      integer(c_int), intent(inout) :: dst_stride_arr(*)
      integer(c_int), intent(inout) :: count(*)
      integer(c_int), value :: stride_levels
      type(c_ptr), value :: flag
      integer(c_int), value :: val
      integer(c_int), value :: proc
    end function
    subroutine armci_write_strided(ptr, stride_levels, stride_arr, count, buf) &
        bind(c, name="armci_write_strided")
      import :: c_int, c_ptr
      type(c_ptr), value :: ptr
      integer(c_int), value :: stride_levels
      integer(c_int), intent(inout) :: stride_arr(*)
      integer(c_int), intent(inout) :: count(*)
      type(c_ptr), value :: buf
    end subroutine
    subroutine armci_read_strided(ptr, stride_levels, stride_arr, count, buf) &
        bind(c, name="armci_read_strided")
      import :: c_int, c_ptr
      type(c_ptr), value :: ptr
      integer(c_int), value :: stride_levels
      integer(c_int), intent(inout) :: stride_arr(*)
      integer(c_int), intent(inout) :: count(*)
      type(c_ptr), value :: buf
    end subroutine
    subroutine ARMCI_Copy(src, dst, n) &
        bind(c, name="ARMCI_Copy")
      import :: c_int, c_ptr
      type(c_ptr), value :: src
      type(c_ptr), value :: dst
      integer(c_int), value :: n
    end subroutine
    subroutine ARMCI_SET_AGGREGATE_HANDLE(nb_handle) &
        bind(c, name="ARMCI_SET_AGGREGATE_HANDLE")
      import :: armci_hdl_t
      type(armci_hdl_t), intent(inout), optional :: nb_handle
    end subroutine
    subroutine ARMCI_UNSET_AGGREGATE_HANDLE(nb_handle) &
        bind(c, name="ARMCI_UNSET_AGGREGATE_HANDLE")
      import :: armci_hdl_t
      type(armci_hdl_t), intent(inout), optional :: nb_handle
    end subroutine
    integer(c_int) function ARMCI_NbPut(src, dst, bytes, proc, nb_handle) &
        bind(c, name="ARMCI_NbPut")
      import :: armci_hdl_t, c_int, c_ptr
      type(c_ptr), value :: src
      type(c_ptr), value :: dst
      integer(c_int), value :: bytes
      integer(c_int), value :: proc
      type(armci_hdl_t), intent(inout), optional :: nb_handle
    end function
    integer(c_int) function ARMCI_NbGet(src, dst, bytes, proc, nb_handle) &
        bind(c, name="ARMCI_NbGet")
      import :: armci_hdl_t, c_int, c_ptr
      type(c_ptr), value :: src
      type(c_ptr), value :: dst
      integer(c_int), value :: bytes
      integer(c_int), value :: proc
      type(armci_hdl_t), intent(inout), optional :: nb_handle
    end function
    integer(c_int) function ARMCI_NbAcc(optype, scale, src, dst, bytes, proc, nb_handle) &
        bind(c, name="ARMCI_NbAcc")
      import :: armci_hdl_t, c_int, c_ptr
      integer(c_int), value :: optype
      type(c_ptr), value :: scale
      type(c_ptr), value :: src
      type(c_ptr), value :: dst
      integer(c_int), value :: bytes
      integer(c_int), value :: proc
      type(armci_hdl_t), intent(inout), optional :: nb_handle
    end function
    integer(c_int) function ARMCI_NbPutS(src_ptr, src_stride_arr, dst_ptr, dst_stride_arr, count, &
           stride_levels, proc, nb_handle) &
        bind(c, name="ARMCI_NbPutS")
      import :: armci_hdl_t, c_int, c_ptr
      type(c_ptr), value :: src_ptr
      integer(c_int), intent(inout) :: src_stride_arr(*)
      type(c_ptr), value :: dst_ptr
      integer(c_int), intent(inout) :: dst_stride_arr(*)
      integer(c_int), intent(inout) :: count(*)
      integer(c_int), value :: stride_levels
      integer(c_int), value :: proc
      type(armci_hdl_t), intent(inout), optional :: nb_handle
    end function
    integer(c_int) function ARMCI_NbGetS(src_ptr, src_stride_arr, dst_ptr, dst_stride_arr, count, &
           stride_levels, proc, nb_handle) &
        bind(c, name="ARMCI_NbGetS")
      import :: armci_hdl_t, c_int, c_ptr
      type(c_ptr), value :: src_ptr
      integer(c_int), intent(inout) :: src_stride_arr(*)
      type(c_ptr), value :: dst_ptr
      integer(c_int), intent(inout) :: dst_stride_arr(*)
      integer(c_int), intent(inout) :: count(*)
      integer(c_int), value :: stride_levels
      integer(c_int), value :: proc
      type(armci_hdl_t), intent(inout), optional :: nb_handle
    end function
    integer(c_int) function ARMCI_NbAccS(optype, scale, src_ptr, src_stride_arr, dst_ptr, dst_stride_arr, &
           count, stride_levels, proc, nb_handle) &
        bind(c, name="ARMCI_NbAccS")
      import :: armci_hdl_t, c_int, c_ptr
      integer(c_int), value :: optype
      type(c_ptr), value :: scale
      type(c_ptr), value :: src_ptr
      integer(c_int), intent(inout) :: src_stride_arr(*)
      type(c_ptr), value :: dst_ptr
      integer(c_int), intent(inout) :: dst_stride_arr(*)
      integer(c_int), intent(inout) :: count(*)
      integer(c_int), value :: stride_levels
      integer(c_int), value :: proc
      type(armci_hdl_t), intent(inout), optional :: nb_handle
    end function
    integer(c_int) function ARMCI_NbPutV(darr, len, proc, nb_handle) &
        bind(c, name="ARMCI_NbPutV")
      import :: armci_giov_t, armci_hdl_t, c_int
      type(armci_giov_t), intent(inout) :: darr(*)
      integer(c_int), value :: len
      integer(c_int), value :: proc
      type(armci_hdl_t), intent(inout), optional :: nb_handle
    end function
    integer(c_int) function ARMCI_NbGetV(darr, len, proc, nb_handle) &
        bind(c, name="ARMCI_NbGetV")
      import :: armci_giov_t, armci_hdl_t, c_int
      type(armci_giov_t), intent(inout) :: darr(*)
      integer(c_int), value :: len
      integer(c_int), value :: proc
      type(armci_hdl_t), intent(inout), optional :: nb_handle
    end function
    integer(c_int) function ARMCI_NbAccV(optype, scale, darr, len, proc, nb_handle) &
        bind(c, name="ARMCI_NbAccV")
      import :: armci_giov_t, armci_hdl_t, c_int, c_ptr
      integer(c_int), value :: optype
      type(c_ptr), value :: scale
      type(armci_giov_t), intent(inout) :: darr(*)
      integer(c_int), value :: len
      integer(c_int), value :: proc
      type(armci_hdl_t), intent(inout), optional :: nb_handle
    end function
    integer(c_int) function ARMCI_NbPutValueInt(src, dst, proc, nb_handle) &
        bind(c, name="ARMCI_NbPutValueInt")
      import :: armci_hdl_t, c_int, c_ptr
      integer(c_int), value :: src
      type(c_ptr), value :: dst
      integer(c_int), value :: proc
      type(armci_hdl_t), intent(inout), optional :: nb_handle
    end function
    integer(c_int) function ARMCI_NbPutValueLong(src, dst, proc, nb_handle) &
        bind(c, name="ARMCI_NbPutValueLong")
      import :: armci_hdl_t, c_int, c_long, c_ptr
      integer(c_long), value :: src
      type(c_ptr), value :: dst
      integer(c_int), value :: proc
      type(armci_hdl_t), intent(inout), optional :: nb_handle
    end function
    integer(c_int) function ARMCI_NbPutValueFloat(src, dst, proc, nb_handle) &
        bind(c, name="ARMCI_NbPutValueFloat")
      import :: armci_hdl_t, c_float, c_int, c_ptr
      real(c_float), value :: src
      type(c_ptr), value :: dst
      integer(c_int), value :: proc
      type(armci_hdl_t), intent(inout), optional :: nb_handle
    end function
    integer(c_int) function ARMCI_NbPutValueDouble(src, dst, proc, nb_handle) &
        bind(c, name="ARMCI_NbPutValueDouble")
      import :: armci_hdl_t, c_double, c_int, c_ptr
      real(c_double), value :: src
      type(c_ptr), value :: dst
      integer(c_int), value :: proc
      type(armci_hdl_t), intent(inout), optional :: nb_handle
    end function
    integer(c_int) function ARMCI_Wait(nb_handle) &
        bind(c, name="ARMCI_Wait")
      import :: armci_hdl_t, c_int
      type(armci_hdl_t), intent(inout), optional :: nb_handle
    end function
    integer(c_int) function ARMCI_Test(nb_handle) &
        bind(c, name="ARMCI_Test")
      import :: armci_hdl_t, c_int
      type(armci_hdl_t), intent(inout), optional :: nb_handle
    end function
    integer(c_int) function ARMCI_WaitProc(proc) &
        bind(c, name="ARMCI_WaitProc")
      import :: c_int
      integer(c_int), value :: proc
    end function
    integer(c_int) function ARMCI_WaitAll() &
        bind(c, name="ARMCI_WaitAll")
      import :: c_int
    end function
    subroutine ARMCI_Fence(proc) &
        bind(c, name="ARMCI_Fence")
      import :: c_int
      integer(c_int), value :: proc
    end subroutine
    subroutine ARMCI_AllFence() &
        bind(c, name="ARMCI_AllFence")
    end subroutine
    subroutine ARMCI_Barrier() &
        bind(c, name="ARMCI_Barrier")
    end subroutine
    integer(c_int) function ARMCI_Rmw(op, ploc, prem, extra, proc) &
        bind(c, name="ARMCI_Rmw")
      import :: c_int, c_ptr
      integer(c_int), value :: op
      type(c_ptr), value :: ploc
      type(c_ptr), value :: prem
      integer(c_int), value :: extra
      integer(c_int), value :: proc
    end function
    integer(c_int) function ARMCI_Create_mutexes(num) &
        bind(c, name="ARMCI_Create_mutexes")
      import :: c_int
      integer(c_int), value :: num
    end function
    integer(c_int) function ARMCI_Destroy_mutexes() &
        bind(c, name="ARMCI_Destroy_mutexes")
      import :: c_int
    end function
    subroutine ARMCI_Lock(mutex, proc) &
        bind(c, name="ARMCI_Lock")
      import :: c_int
      integer(c_int), value :: mutex
      integer(c_int), value :: proc
    end subroutine
    subroutine ARMCI_Unlock(mutex, proc) &
        bind(c, name="ARMCI_Unlock")
      import :: c_int
      integer(c_int), value :: mutex
      integer(c_int), value :: proc
    end subroutine
    integer(c_int) function armci_notify(proc) &
        bind(c, name="armci_notify")
      import :: c_int
      integer(c_int), value :: proc
    end function
    integer(c_int) function armci_notify_wait(proc, pval) &
        bind(c, name="armci_notify_wait")
      import :: c_int
      integer(c_int), value :: proc
      integer(c_int), intent(inout) :: pval
    end function
    subroutine ARMCI_Group_create(n, pid_list, group_out) &
        bind(c, name="ARMCI_Group_create")
      import :: c_int
      integer(c_int), value :: n
      integer(c_int), intent(inout) :: pid_list(*)
      integer(c_int), intent(inout) :: group_out
    end subroutine
    subroutine ARMCI_Group_create_child(n, pid_list, group_out, group_parent) &
        bind(c, name="ARMCI_Group_create_child")
      import :: c_int
      integer(c_int), value :: n
      integer(c_int), intent(inout) :: pid_list(*)
      integer(c_int), intent(inout) :: group_out
      integer(c_int), intent(inout) :: group_parent
    end subroutine
    subroutine ARMCI_Group_free(group) &
        bind(c, name="ARMCI_Group_free")
      import :: c_int
      integer(c_int), intent(inout) :: group
    end subroutine
    integer(c_int) function ARMCI_Group_rank(group, rank) &
        bind(c, name="ARMCI_Group_rank")
      import :: c_int
      integer(c_int), intent(inout) :: group
      integer(c_int), intent(inout) :: rank
    end function
    subroutine ARMCI_Group_size(group, size) &
        bind(c, name="ARMCI_Group_size")
      import :: c_int
      integer(c_int), intent(inout) :: group
      integer(c_int), intent(inout) :: size
    end subroutine
    subroutine ARMCI_Group_set_default(group) &
        bind(c, name="ARMCI_Group_set_default")
      import :: c_int
      integer(c_int), intent(inout) :: group
    end subroutine
    subroutine ARMCI_Group_get_default(group_out) &
        bind(c, name="ARMCI_Group_get_default")
      import :: c_int
      integer(c_int), intent(inout) :: group_out
    end subroutine
    subroutine ARMCI_Group_get_world(group_out) &
        bind(c, name="ARMCI_Group_get_world")
      import :: c_int
      integer(c_int), intent(inout) :: group_out
    end subroutine
    integer(c_int) function ARMCI_Absolute_id(group, group_rank) &
        bind(c, name="ARMCI_Absolute_id")
      import :: c_int
      integer(c_int), intent(inout) :: group
      integer(c_int), value :: group_rank
    end function
    subroutine ARMCI_GroupFence(group) &
        bind(c, name="ARMCI_GroupFence")
      import :: c_int
      integer(c_int), intent(inout) :: group
    end subroutine
    integer(c_int) function ARMCI_Same_node(proc) &
        bind(c, name="ARMCI_Same_node")
      import :: c_int
      integer(c_int), value :: proc
    end function
    integer(c_int) function armci_sameclusnode(proc) &
        bind(c, name="armci_sameclusnode")
      import :: c_int
      integer(c_int), value :: proc
    end function
    integer(c_int) function ARMCI_Uses_shm() &
        bind(c, name="ARMCI_Uses_shm")
      import :: c_int
    end function
    integer(c_int) function ARMCI_Uses_shm_grp(group) &
        bind(c, name="ARMCI_Uses_shm_grp")
      import :: c_int
      integer(c_int), intent(inout) :: group
    end function
    subroutine ARMCI_Set_shm_limit(shmemlimit) &
        bind(c, name="ARMCI_Set_shm_limit")
      import :: c_long
      integer(c_long), value :: shmemlimit
    end subroutine
    integer(c_int) function armci_domain_nprocs(domain, id) &
        bind(c, name="armci_domain_nprocs")
      import :: c_int
      integer(c_int), value :: domain
      integer(c_int), value :: id
    end function
    integer(c_int) function armci_domain_id(domain, glob_proc_id) &
        bind(c, name="armci_domain_id")
      import :: c_int
      integer(c_int), value :: domain
      integer(c_int), value :: glob_proc_id
    end function
    integer(c_int) function armci_domain_glob_proc_id(domain, id, loc_proc_id) &
        bind(c, name="armci_domain_glob_proc_id")
      import :: c_int
      integer(c_int), value :: domain
      integer(c_int), value :: id
      integer(c_int), value :: loc_proc_id
    end function
    integer(c_int) function armci_domain_my_id(domain) &
        bind(c, name="armci_domain_my_id")
      import :: c_int
      integer(c_int), value :: domain
    end function
    integer(c_int) function armci_domain_count(domain) &
        bind(c, name="armci_domain_count")
      import :: c_int
      integer(c_int), value :: domain
    end function
    integer(c_int) function armci_domain_same_id(domain, proc) &
        bind(c, name="armci_domain_same_id")
      import :: c_int
      integer(c_int), value :: domain
      integer(c_int), value :: proc
    end function
    subroutine armci_msg_init(argc, argv) &
        bind(c, name="armci_msg_init")
      import :: c_ptr
      type(c_ptr), value :: argc
      type(c_ptr), value :: argv
    end subroutine
    subroutine armci_msg_finalize() &
        bind(c, name="armci_msg_finalize")
    end subroutine
    subroutine armci_msg_abort(code) &
        bind(c, name="armci_msg_abort")
      import :: c_int
      integer(c_int), value :: code
    end subroutine
    integer(c_int) function armci_msg_me() &
        bind(c, name="armci_msg_me")
      import :: c_int
    end function
    integer(c_int) function armci_msg_nproc() &
        bind(c, name="armci_msg_nproc")
      import :: c_int
    end function
    real(c_double) function armci_timer() &
        bind(c, name="armci_timer")
      import :: c_double
    end function
    subroutine armci_msg_snd(tag, buffer, len, to) &
        bind(c, name="armci_msg_snd")
      import :: c_int, c_ptr
      integer(c_int), value :: tag
      type(c_ptr), value :: buffer
      integer(c_int), value :: len
      integer(c_int), value :: to
    end subroutine
    subroutine armci_msg_rcv(tag, buffer, buflen, msglen, from) &
        bind(c, name="armci_msg_rcv")
      import :: c_int, c_ptr
      integer(c_int), value :: tag
      type(c_ptr), value :: buffer
      integer(c_int), value :: buflen
      integer(c_int), intent(inout) :: msglen
      integer(c_int), value :: from
    end subroutine
    integer(c_int) function armci_msg_rcvany(tag, buffer, buflen, msglen) &
        bind(c, name="armci_msg_rcvany")
      import :: c_int, c_ptr
      integer(c_int), value :: tag
      type(c_ptr), value :: buffer
      integer(c_int), value :: buflen
      integer(c_int), intent(inout) :: msglen
    end function
    subroutine armci_msg_barrier() &
        bind(c, name="armci_msg_barrier")
    end subroutine
    subroutine armci_msg_brdcst(buffer, len, root) &
        bind(c, name="armci_msg_brdcst")
      import :: c_int, c_ptr
      type(c_ptr), value :: buffer
      integer(c_int), value :: len
      integer(c_int), value :: root
    end subroutine
    subroutine armci_msg_bcast(buffer, len, root) &
        bind(c, name="armci_msg_bcast")
      import :: c_int, c_ptr
      type(c_ptr), value :: buffer
      integer(c_int), value :: len
      integer(c_int), value :: root
    end subroutine
    subroutine armci_msg_bcast_scope(scope, buffer, len, root) &
        bind(c, name="armci_msg_bcast_scope")
      import :: c_int, c_ptr
      integer(c_int), value :: scope
      type(c_ptr), value :: buffer
      integer(c_int), value :: len
      integer(c_int), value :: root
    end subroutine
    subroutine armci_msg_bintree(scope, Root, Up, Left, Right) &
        bind(c, name="armci_msg_bintree")
      import :: c_int
      integer(c_int), value :: scope
      integer(c_int), intent(inout) :: Root
      integer(c_int), intent(inout) :: Up
      integer(c_int), intent(inout) :: Left
      integer(c_int), intent(inout) :: Right
    end subroutine
    subroutine armci_msg_gop_scope(scope, x, n, op, type) &
        bind(c, name="armci_msg_gop_scope")
      import :: c_char, c_int, c_ptr
      integer(c_int), value :: scope
      type(c_ptr), value :: x
      integer(c_int), value :: n
      character(kind=c_char), intent(in) :: op(*)
      integer(c_int), value :: type
    end subroutine
    subroutine armci_msg_igop(x, n, op) &
        bind(c, name="armci_msg_igop")
      import :: c_char, c_int
      integer(c_int), intent(inout) :: x(*)
      integer(c_int), value :: n
      character(kind=c_char), intent(in) :: op(*)
    end subroutine
    subroutine armci_msg_lgop(x, n, op) &
        bind(c, name="armci_msg_lgop")
      import :: c_char, c_int, c_long
      integer(c_long), intent(inout) :: x(*)
      integer(c_int), value :: n
      character(kind=c_char), intent(in) :: op(*)
    end subroutine
    subroutine armci_msg_llgop(x, n, op) &
        bind(c, name="armci_msg_llgop")
      import :: c_char, c_int, c_long_long
      integer(c_long_long), intent(inout) :: x(*)
      integer(c_int), value :: n
      character(kind=c_char), intent(in) :: op(*)
    end subroutine
    subroutine armci_msg_fgop(x, n, op) &
        bind(c, name="armci_msg_fgop")
      import :: c_char, c_float, c_int
      real(c_float), intent(inout) :: x(*)
      integer(c_int), value :: n
      character(kind=c_char), intent(in) :: op(*)
    end subroutine
    subroutine armci_msg_dgop(x, n, op) &
        bind(c, name="armci_msg_dgop")
      import :: c_char, c_double, c_int
      real(c_double), intent(inout) :: x(*)
      integer(c_int), value :: n
      character(kind=c_char), intent(in) :: op(*)
    end subroutine
    subroutine armci_msg_reduce(x, n, op, type) &
        bind(c, name="armci_msg_reduce")
      import :: c_char, c_int, c_ptr
      type(c_ptr), value :: x
      integer(c_int), value :: n
      character(kind=c_char), intent(in) :: op(*)
      integer(c_int), value :: type
    end subroutine
    subroutine armci_msg_reduce_scope(scope, x, n, op, type) &
        bind(c, name="armci_msg_reduce_scope")
      import :: c_char, c_int, c_ptr
      integer(c_int), value :: scope
      type(c_ptr), value :: x
      integer(c_int), value :: n
      character(kind=c_char), intent(in) :: op(*)
      integer(c_int), value :: type
    end subroutine
    subroutine armci_msg_sel_scope(scope, x, n, op, type, contribute) &
        bind(c, name="armci_msg_sel_scope")
      import :: c_char, c_int, c_ptr
      integer(c_int), value :: scope
      type(c_ptr), value :: x
      integer(c_int), value :: n
      character(kind=c_char), intent(in) :: op(*)
      integer(c_int), value :: type
      integer(c_int), value :: contribute
    end subroutine
    subroutine armci_exchange_address(ptr_ar, n) &
        bind(c, name="armci_exchange_address")
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: ptr_ar(*)
      integer(c_int), value :: n
    end subroutine
    subroutine armci_exchange_address_grp(ptr_ar, n, group) &
        bind(c, name="armci_exchange_address_grp")
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: ptr_ar(*)
      integer(c_int), value :: n
      integer(c_int), intent(inout) :: group
    end subroutine
    subroutine armci_msg_clus_brdcst(buffer, len) &
        bind(c, name="armci_msg_clus_brdcst")
      import :: c_int, c_ptr
      type(c_ptr), value :: buffer
      integer(c_int), value :: len
    end subroutine
    subroutine armci_msg_clus_igop(x, n, op) &
        bind(c, name="armci_msg_clus_igop")
      import :: c_char, c_int
      integer(c_int), intent(inout) :: x(*)
      integer(c_int), value :: n
      character(kind=c_char), intent(in) :: op(*)
    end subroutine
    subroutine armci_msg_clus_lgop(x, n, op) &
        bind(c, name="armci_msg_clus_lgop")
      import :: c_char, c_int, c_long
      integer(c_long), intent(inout) :: x(*)
      integer(c_int), value :: n
      character(kind=c_char), intent(in) :: op(*)
    end subroutine
    subroutine armci_msg_clus_llgop(x, n, op) &
        bind(c, name="armci_msg_clus_llgop")
      import :: c_char, c_int, c_long_long
      integer(c_long_long), intent(inout) :: x(*)
      integer(c_int), value :: n
      character(kind=c_char), intent(in) :: op(*)
    end subroutine
    subroutine armci_msg_clus_fgop(x, n, op) &
        bind(c, name="armci_msg_clus_fgop")
      import :: c_char, c_float, c_int
      real(c_float), intent(inout) :: x(*)
      integer(c_int), value :: n
      character(kind=c_char), intent(in) :: op(*)
    end subroutine
    subroutine armci_msg_clus_dgop(x, n, op) &
        bind(c, name="armci_msg_clus_dgop")
      import :: c_char, c_double, c_int
      real(c_double), intent(inout) :: x(*)
      integer(c_int), value :: n
      character(kind=c_char), intent(in) :: op(*)
    end subroutine
    subroutine armci_msg_group_barrier(group) &
        bind(c, name="armci_msg_group_barrier")
      import :: c_int
      integer(c_int), intent(inout) :: group
    end subroutine
    subroutine armci_msg_group_bcast_scope(scope, buffer, len, root, group) &
        bind(c, name="armci_msg_group_bcast_scope")
      import :: c_int, c_ptr
      integer(c_int), value :: scope
      type(c_ptr), value :: buffer
      integer(c_int), value :: len
      integer(c_int), value :: root
      integer(c_int), intent(inout) :: group
    end subroutine
    subroutine armci_msg_group_gop_scope(scope, x, n, op, type, group) &
        bind(c, name="armci_msg_group_gop_scope")
      import :: c_char, c_int, c_ptr
      integer(c_int), value :: scope
      type(c_ptr), value :: x
      integer(c_int), value :: n
      character(kind=c_char), intent(in) :: op(*)
      integer(c_int), value :: type
      integer(c_int), intent(inout) :: group
    end subroutine
    subroutine armci_msg_group_igop(x, n, op, group) &
        bind(c, name="armci_msg_group_igop")
      import :: c_char, c_int
      integer(c_int), intent(inout) :: x(*)
      integer(c_int), value :: n
      character(kind=c_char), intent(in) :: op(*)
      integer(c_int), intent(inout) :: group
    end subroutine
    subroutine armci_msg_group_lgop(x, n, op, group) &
        bind(c, name="armci_msg_group_lgop")
      import :: c_char, c_int, c_long
      integer(c_long), intent(inout) :: x(*)
      integer(c_int), value :: n
      character(kind=c_char), intent(in) :: op(*)
      integer(c_int), intent(inout) :: group
    end subroutine
    subroutine armci_msg_group_llgop(x, n, op, group) &
        bind(c, name="armci_msg_group_llgop")
      import :: c_char, c_int, c_long_long
      integer(c_long_long), intent(inout) :: x(*)
      integer(c_int), value :: n
      character(kind=c_char), intent(in) :: op(*)
      integer(c_int), intent(inout) :: group
    end subroutine
    subroutine armci_msg_group_fgop(x, n, op, group) &
        bind(c, name="armci_msg_group_fgop")
      import :: c_char, c_float, c_int
      real(c_float), intent(inout) :: x(*)
      integer(c_int), value :: n
      character(kind=c_char), intent(in) :: op(*)
      integer(c_int), intent(inout) :: group
    end subroutine
    subroutine armci_msg_group_dgop(x, n, op, group) &
        bind(c, name="armci_msg_group_dgop")
      import :: c_char, c_double, c_int
      real(c_double), intent(inout) :: x(*)
      integer(c_int), value :: n
      character(kind=c_char), intent(in) :: op(*)
      integer(c_int), intent(inout) :: group
    end subroutine
    subroutine armci_grp_clus_brdcst(buffer, len, grp_master, grp_clus_nproc, group) &
        bind(c, name="armci_grp_clus_brdcst")
      import :: c_int, c_ptr
      type(c_ptr), value :: buffer
      integer(c_int), value :: len
      integer(c_int), value :: grp_master
      integer(c_int), value :: grp_clus_nproc
      integer(c_int), intent(inout) :: group
    end subroutine
    integer(c_int) function armci_group_comm(group) &
        bind(c, name="armci_group_comm_fortran")
      import :: c_int
      integer(c_int), intent(inout) :: group
    end function
    integer(c_int) function ARMCIX_Group_split(parent, color, key, new_group) &
        bind(c, name="ARMCIX_Group_split")
      import :: c_int
      integer(c_int), intent(inout) :: parent
      integer(c_int), value :: color
      integer(c_int), value :: key
      integer(c_int), intent(inout) :: new_group
    end function
    integer(c_int) function ARMCIX_Group_dup(parent, new_group) &
        bind(c, name="ARMCIX_Group_dup")
      import :: c_int
      integer(c_int), intent(inout) :: parent
      integer(c_int), intent(inout) :: new_group
    end function
    type(c_ptr) function ARMCIX_Create_mutexes_hdl(count, pgroup) &
        bind(c, name="ARMCIX_Create_mutexes_hdl")
      import :: c_int, c_ptr
      integer(c_int), value :: count
      integer(c_int), intent(inout) :: pgroup
    end function
    integer(c_int) function ARMCIX_Destroy_mutexes_hdl(hdl) &
        bind(c, name="ARMCIX_Destroy_mutexes_hdl")
      import :: c_int, c_ptr
      type(c_ptr), value :: hdl
    end function
    subroutine ARMCIX_Lock_hdl(hdl, mutex, proc) &
        bind(c, name="ARMCIX_Lock_hdl")
      import :: c_int, c_ptr
      type(c_ptr), value :: hdl
      integer(c_int), value :: mutex
      integer(c_int), value :: proc
    end subroutine
    integer(c_int) function ARMCIX_Trylock_hdl(hdl, mutex, proc) &
        bind(c, name="ARMCIX_Trylock_hdl")
      import :: c_int, c_ptr
      type(c_ptr), value :: hdl
      integer(c_int), value :: mutex
      integer(c_int), value :: proc
    end function
    subroutine ARMCIX_Unlock_hdl(hdl, mutex, proc) &
        bind(c, name="ARMCIX_Unlock_hdl")
      import :: c_int, c_ptr
      type(c_ptr), value :: hdl
      integer(c_int), value :: mutex
      integer(c_int), value :: proc
    end subroutine
    subroutine ARMCIX_Progress() &
        bind(c, name="ARMCIX_Progress")
    end subroutine
    subroutine armci_stride_info_init(sinfo, base_ptr, stride_levels, stride_arr, seg_count) &
        bind(c, name="armci_stride_info_init")
      import :: c_int, c_ptr, stride_info_t
      type(stride_info_t), intent(inout) :: sinfo
      type(c_ptr), value :: base_ptr
      integer(c_int), value :: stride_levels
      integer(c_int), intent(inout) :: stride_arr(*)
      integer(c_int), intent(inout) :: seg_count(*)
    end subroutine
    subroutine armci_stride_info_destroy(sinfo) &
        bind(c, name="armci_stride_info_destroy")
      import :: stride_info_t
      type(stride_info_t), intent(inout) :: sinfo
    end subroutine
    integer(c_int) function armci_stride_info_size(sinfo) &
        bind(c, name="armci_stride_info_size")
      import :: c_int, stride_info_t
      type(stride_info_t), intent(inout) :: sinfo
    end function
    integer(c_int) function armci_stride_info_count(sinfo) &
        bind(c, name="armci_stride_info_count")
      import :: c_int, stride_info_t
      type(stride_info_t), intent(inout) :: sinfo
    end function
    integer(c_int) function armci_stride_info_pos(sinfo) &
        bind(c, name="armci_stride_info_pos")
      import :: c_int, stride_info_t
      type(stride_info_t), intent(inout) :: sinfo
    end function
    integer(c_int) function armci_stride_info_has_more(sinfo) &
        bind(c, name="armci_stride_info_has_more")
      import :: c_int, stride_info_t
      type(stride_info_t), intent(inout) :: sinfo
    end function
    subroutine armci_stride_info_next(sinfo) &
        bind(c, name="armci_stride_info_next")
      import :: stride_info_t
      type(stride_info_t), intent(inout) :: sinfo
    end subroutine
    type(c_ptr) function armci_stride_info_seg_ptr(sinfo) &
        bind(c, name="armci_stride_info_seg_ptr")
      import :: c_ptr, stride_info_t
      type(stride_info_t), intent(inout) :: sinfo
    end function
    integer(c_int) function armci_stride_info_seg_size(sinfo) &
        bind(c, name="armci_stride_info_seg_size")
      import :: c_int, stride_info_t
      type(stride_info_t), intent(inout) :: sinfo
    end function
    integer(c_int) function armci_stride_info_seg_off(sinfo) &
        bind(c, name="armci_stride_info_seg_off")
      import :: c_int, stride_info_t
      type(stride_info_t), intent(inout) :: sinfo
    end function
  end interface

contains

  subroutine ARMCI_INIT_HANDLE(hdl)
    type(armci_hdl_t), intent(out) :: hdl
    hdl%number = 0
  end subroutine

  !> The address `bytes` behind another.
  pure function armci_at(base, bytes) result(address)
    type(c_ptr), intent(in) :: base
    integer(c_size_t), intent(in) :: bytes
    type(c_ptr) :: address
    address = transfer(transfer(base, 0_c_intptr_t) + int(bytes, c_intptr_t), c_null_ptr)
  end function

end module
