! SPDX-License-Identifier: BSD-3-Clause
! The one-sided runtime, transforms and sparse products for Fortran: every function of stretto/stretto.h and
! stretto/kernels.h by its name in C, and the constants. Written by scripts/stretto_fortran.py. Compile it
! with the program. A communicator is an integer: that of `use mpi`, or %MPI_VAL of one of mpi_f08, which
! stretto_f08.f90 takes as it is. Runtimes, regions, handles and so on are type(c_ptr), and c_null_ptr where
! there is none. Data are arrays of any type; those of nonblocking and implicit operations should be
! asynchronous. stretto_text makes a string of the result of stretto_error_message.
module stretto
  use, intrinsic :: iso_c_binding
  implicit none
  public

  integer(c_int), parameter :: STRETTO_SUCCESS = 0
  integer(c_int), parameter :: STRETTO_ERROR_ARGUMENT = 1
  integer(c_int), parameter :: STRETTO_ERROR_HANDLE = 2
  integer(c_int), parameter :: STRETTO_ERROR_REGION_IN_USE = 3
  integer(c_int), parameter :: STRETTO_ERROR_FINALIZED = 4
  integer(c_int), parameter :: STRETTO_ERROR_TIMEOUT = 5
  integer(c_int), parameter :: STRETTO_ERROR_MPI = 6
  integer(c_int), parameter :: STRETTO_ERROR_MEMORY = 7
  integer(c_int), parameter :: STRETTO_ERROR_OTHER = 8
  integer(c_int), parameter :: STRETTO_DEFAULT = -1
  integer(c_int), parameter :: STRETTO_PROGRESS_NONE = 0
  integer(c_int), parameter :: STRETTO_PROGRESS_POLL = 1
  integer(c_int), parameter :: STRETTO_PROGRESS_THREAD = 2
  integer(c_int), parameter :: STRETTO_PATH_DIRECT = 0
  integer(c_int), parameter :: STRETTO_PATH_RMA = 1
  integer(c_int), parameter :: STRETTO_PATH_MESSAGE = 2
  integer(c_int), parameter :: STRETTO_PROTOCOL_DIRECT = 0
  integer(c_int), parameter :: STRETTO_PROTOCOL_RMA = 1
  integer(c_int), parameter :: STRETTO_PROTOCOL_EAGER = 2
  integer(c_int), parameter :: STRETTO_PROTOCOL_RENDEZVOUS = 3
  integer(c_int), parameter :: STRETTO_OPERATION_PUT = 0
  integer(c_int), parameter :: STRETTO_OPERATION_GET = 1
  integer(c_int), parameter :: STRETTO_OPERATION_PUT_SIGNAL = 2
  integer(c_int), parameter :: STRETTO_OPERATION_UPDATE = 3
  integer(c_int), parameter :: STRETTO_INT32 = 0
  integer(c_int), parameter :: STRETTO_INT64 = 1
  integer(c_int), parameter :: STRETTO_FLOAT32 = 2
  integer(c_int), parameter :: STRETTO_FLOAT64 = 3
  integer(c_int), parameter :: STRETTO_COMPLEX64 = 4
  integer(c_int), parameter :: STRETTO_COMPLEX128 = 5
  integer(c_int), parameter :: STRETTO_UINT32 = 6
  integer(c_int), parameter :: STRETTO_UINT64 = 7
  integer(c_int), parameter :: STRETTO_SUM = 0
  integer(c_int), parameter :: STRETTO_PRODUCT = 1
  integer(c_int), parameter :: STRETTO_MIN = 2
  integer(c_int), parameter :: STRETTO_MAX = 3
  integer(c_int), parameter :: STRETTO_BIT_AND = 4
  integer(c_int), parameter :: STRETTO_BIT_OR = 5
  integer(c_int), parameter :: STRETTO_BIT_XOR = 6
  integer(c_int), parameter :: STRETTO_LOGICAL_AND = 7
  integer(c_int), parameter :: STRETTO_LOGICAL_OR = 8
  integer(c_int), parameter :: STRETTO_FLAG_SET = 0
  integer(c_int), parameter :: STRETTO_FLAG_ADD = 1
  integer(c_int), parameter :: STRETTO_EQUAL = 0
  integer(c_int), parameter :: STRETTO_NOT_EQUAL = 1
  integer(c_int), parameter :: STRETTO_GREATER = 2
  integer(c_int), parameter :: STRETTO_GREATER_EQUAL = 3
  integer(c_int), parameter :: STRETTO_LESS = 4
  integer(c_int), parameter :: STRETTO_LESS_EQUAL = 5
  integer(c_int), parameter :: STRETTO_ATOMIC_ADD = 0
  integer(c_int), parameter :: STRETTO_ATOMIC_AND = 1
  integer(c_int), parameter :: STRETTO_ATOMIC_OR = 2
  integer(c_int), parameter :: STRETTO_ATOMIC_XOR = 3
  integer(c_int), parameter :: STRETTO_ATOMIC_SET = 4
  integer(c_int), parameter :: STRETTO_ATOMIC_FETCH = 5
  integer(c_int), parameter :: STRETTO_TRANSPORT_ONE_SIDED = 0
  integer(c_int), parameter :: STRETTO_TRANSPORT_MPI_RMA = 1
  integer(c_int), parameter :: STRETTO_TRANSPORT_TWO_SIDED = 2
  integer(c_int), parameter :: STRETTO_TRANSPORT_ALLTOALL = 3
  integer(c_int), parameter :: STRETTO_FFT_COMPLEX = 0
  integer(c_int), parameter :: STRETTO_FFT_REAL = 1
  integer(c_int), parameter :: STRETTO_FFT_NATURAL = 0
  integer(c_int), parameter :: STRETTO_FFT_TRANSPOSED = 1
  integer(c_int), parameter :: STRETTO_FFT_MEASURE = 0
  integer(c_int), parameter :: STRETTO_FFT_ESTIMATE = 1
  integer(c_int), parameter :: STRETTO_SPMV_SIGNALLED = 0
  integer(c_int), parameter :: STRETTO_SPMV_AGGREGATE = 1
  integer(c_int), parameter :: STRETTO_SPMV_VECTOR = 2
  integer(c_int), parameter :: STRETTO_SPMV_INDIVIDUAL = 3
  integer(c_int), parameter :: STRETTO_SPMV_BLOCKS = 4

  type, bind(c) :: stretto_options
    integer(c_int) :: progress = 0
    integer(c_int) :: path = 0
    integer(c_int) :: contiguous = 0
    integer(c_int) :: outstanding = 0
    integer(c_int) :: node_ranks = 0
    integer(c_int) :: contexts = 0
    real(c_double) :: poll_interval_s = 0.0_c_double
    integer(c_size_t) :: segment_bytes = 0
    real(c_double) :: report_after_s = 0.0_c_double
    real(c_double) :: timeout_s = 0.0_c_double
  end type

  type, bind(c) :: stretto_path_counters
    integer(c_int64_t) :: operations = 0
    integer(c_int64_t) :: bytes = 0
    integer(c_int64_t) :: messages = 0
    integer(c_int64_t) :: copied_bytes = 0
  end type

  type, bind(c) :: stretto_counters
    type(stretto_path_counters) :: direct, rma, message
    integer(c_int64_t) :: fences = 0
  end type

  type, bind(c) :: stretto_put_piece
    type(c_ptr) :: from = c_null_ptr
    integer(c_size_t) :: offset = 0
    integer(c_size_t) :: size_bytes = 0
  end type

  type, bind(c) :: stretto_get_piece
    type(c_ptr) :: to = c_null_ptr
    integer(c_size_t) :: offset = 0
    integer(c_size_t) :: size_bytes = 0
  end type

  type, bind(c) :: stretto_signal_condition
    integer(c_size_t) :: offset = 0
    integer(c_int64_t) :: value = 0
    integer(c_int) :: comparison = 0
  end type

  type, bind(c) :: stretto_timers
    real(c_double) :: init_s = 0.0_c_double
    real(c_double) :: work_s = 0.0_c_double
    real(c_double) :: sync_s = 0.0_c_double
    real(c_double) :: barrier_s = 0.0_c_double
  end type

  type, bind(c) :: stretto_fft_settings
    integer(c_size_t) :: size(3) = 0
    integer(c_size_t) :: batch = 0
    type(c_ptr) :: schedule = c_null_ptr
    integer(c_int) :: kind = 0
    integer(c_int) :: order = 0
    integer(c_int) :: transport = 0
    integer(c_int) :: effort = 0
    integer(c_int) :: grid(2) = 0
  end type

  type, bind(c) :: stretto_spmv_settings
    integer(c_size_t) :: prefetch = 0
    integer(c_int) :: exchange = 0
    integer(c_int) :: transport = 0
  end type

  interface
    type(c_ptr) function stretto_error_name(code) &
        bind(c, name="stretto_error_name")
      import :: c_int, c_ptr
      integer(c_int), value :: code
    end function
    type(c_ptr) function stretto_error_message() &
        bind(c, name="stretto_error_message")
      import :: c_ptr
    end function
    type(c_ptr) function stretto_version() &
        bind(c, name="stretto_version")
      import :: c_ptr
    end function
    integer(c_int) function stretto_options_init(options) &
        bind(c, name="stretto_options_init")
      import :: c_int, stretto_options
      type(stretto_options), intent(inout) :: options
    end function
    integer(c_int) function stretto_mpi_start(world) &
        bind(c, name="stretto_mpi_start")
      import :: c_int
      integer(c_int), intent(inout) :: world
    end function
    integer(c_int) function stretto_mpi_end() &
        bind(c, name="stretto_mpi_end")
      import :: c_int
    end function
    integer(c_int) function stretto_runtime_create(communicator, options, runtime) &
        bind(c, name="stretto_runtime_create_fortran")
      import :: c_int, c_ptr, stretto_options
      integer(c_int), value :: communicator
      type(stretto_options), intent(in), optional :: options
      type(c_ptr), intent(inout) :: runtime
    end function
    integer(c_int) function stretto_runtime_free(runtime) &
        bind(c, name="stretto_runtime_free")
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: runtime
    end function
    integer(c_int) function stretto_rank(runtime) &
        bind(c, name="stretto_rank")
      import :: c_int, c_ptr
      type(c_ptr), value :: runtime
    end function
    integer(c_int) function stretto_size(runtime) &
        bind(c, name="stretto_size")
      import :: c_int, c_ptr
      type(c_ptr), value :: runtime
    end function
    integer(c_int) function stretto_options_effective(runtime, options) &
        bind(c, name="stretto_options_effective")
      import :: c_int, c_ptr, stretto_options
      type(c_ptr), value :: runtime
      type(stretto_options), intent(inout) :: options
    end function
    integer(c_int) function stretto_communicator(runtime, communicator) &
        bind(c, name="stretto_communicator_fortran")
      import :: c_int, c_ptr
      type(c_ptr), value :: runtime
      integer(c_int), intent(inout) :: communicator
    end function
    integer(c_int) function stretto_wait(runtime, handle) &
        bind(c, name="stretto_wait")
      import :: c_int, c_ptr
      type(c_ptr), value :: runtime
      type(c_ptr), intent(inout) :: handle
    end function
    integer(c_int) function stretto_wait_all(runtime, count, handles) &
        bind(c, name="stretto_wait_all")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: runtime
      integer(c_size_t), value :: count
      type(c_ptr), intent(inout) :: handles(*)
    end function
    integer(c_int) function stretto_wait_any(runtime, count, handles, index) &
        bind(c, name="stretto_wait_any")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: runtime
      integer(c_size_t), value :: count
      type(c_ptr), intent(inout) :: handles(*)
      integer(c_size_t), intent(inout) :: index
    end function
    integer(c_int) function stretto_test(runtime, handle, complete) &
        bind(c, name="stretto_test")
      import :: c_int, c_ptr
      type(c_ptr), value :: runtime
      type(c_ptr), intent(inout) :: handle
      integer(c_int), intent(inout) :: complete
    end function
    integer(c_int) function stretto_wait_source(handle) &
        bind(c, name="stretto_wait_source")
      import :: c_int, c_ptr
      type(c_ptr), value :: handle
    end function
    integer(c_int) function stretto_test_source(handle, complete) &
        bind(c, name="stretto_test_source")
      import :: c_int, c_ptr
      type(c_ptr), value :: handle
      integer(c_int), intent(inout) :: complete
    end function
    integer(c_int) function stretto_wait_remote(handle) &
        bind(c, name="stretto_wait_remote")
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: handle
    end function
    integer(c_int) function stretto_test_remote(handle, complete) &
        bind(c, name="stretto_test_remote")
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: handle
      integer(c_int), intent(inout) :: complete
    end function
    integer(c_int) function stretto_wait_implicit(runtime, target) &
        bind(c, name="stretto_wait_implicit")
      import :: c_int, c_ptr
      type(c_ptr), value :: runtime
      integer(c_int), value :: target
    end function
    integer(c_int) function stretto_wait_implicit_all(runtime) &
        bind(c, name="stretto_wait_implicit_all")
      import :: c_int, c_ptr
      type(c_ptr), value :: runtime
    end function
    integer(c_int) function stretto_fence(runtime, target) &
        bind(c, name="stretto_fence")
      import :: c_int, c_ptr
      type(c_ptr), value :: runtime
      integer(c_int), value :: target
    end function
    integer(c_int) function stretto_fence_all(runtime) &
        bind(c, name="stretto_fence_all")
      import :: c_int, c_ptr
      type(c_ptr), value :: runtime
    end function
    integer(c_int) function stretto_nonblocking_fence(runtime, target, handle) &
        bind(c, name="stretto_nonblocking_fence")
      import :: c_int, c_ptr
      type(c_ptr), value :: runtime
      integer(c_int), value :: target
      type(c_ptr), intent(inout) :: handle
    end function
    integer(c_int) function stretto_nonblocking_fence_all(runtime, count, handles) &
        bind(c, name="stretto_nonblocking_fence_all")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: runtime
      integer(c_size_t), intent(inout) :: count
      type(c_ptr), intent(inout) :: handles(*)
    end function
    integer(c_int) function stretto_barrier(runtime) &
        bind(c, name="stretto_barrier")
      import :: c_int, c_ptr
      type(c_ptr), value :: runtime
    end function
    integer(c_int) function stretto_poll(runtime) &
        bind(c, name="stretto_poll")
      import :: c_int, c_ptr
      type(c_ptr), value :: runtime
    end function
    integer(c_int) function stretto_notify(runtime, target, count) &
        bind(c, name="stretto_notify")
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: runtime
      integer(c_int), value :: target
      integer(c_int64_t), intent(inout) :: count
    end function
    integer(c_int) function stretto_wait_notify(runtime, source, count) &
        bind(c, name="stretto_wait_notify")
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: runtime
      integer(c_int), value :: source
      integer(c_int64_t), intent(inout) :: count
    end function
    integer(c_int) function stretto_counters_of(runtime, target, counters) &
        bind(c, name="stretto_counters_of")
      import :: c_int, c_ptr, stretto_counters
      type(c_ptr), value :: runtime
      integer(c_int), value :: target
      type(stretto_counters), intent(inout) :: counters
    end function
    integer(c_int) function stretto_counters_all(runtime, counters) &
        bind(c, name="stretto_counters_all")
      import :: c_int, c_ptr, stretto_counters
      type(c_ptr), value :: runtime
      type(stretto_counters), intent(inout) :: counters
    end function
    integer(c_int) function stretto_counters_reset(runtime) &
        bind(c, name="stretto_counters_reset")
      import :: c_int, c_ptr
      type(c_ptr), value :: runtime
    end function
    integer(c_int) function stretto_protocol_of(region, operation, target, size_bytes, row_bytes, &
           protocol, reason) &
        bind(c, name="stretto_protocol_of")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: operation
      integer(c_int), value :: target
      integer(c_size_t), value :: size_bytes
      integer(c_size_t), value :: row_bytes
      integer(c_int), intent(inout) :: protocol
      type(c_ptr), intent(inout) :: reason
    end function
    integer(c_int) function stretto_region_create(runtime, size_bytes, region) &
        bind(c, name="stretto_region_create")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: runtime
      integer(c_size_t), value :: size_bytes
      type(c_ptr), intent(inout) :: region
    end function
    integer(c_int) function stretto_region_create_on(team, size_bytes, region) &
        bind(c, name="stretto_region_create_on")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: team
      integer(c_size_t), value :: size_bytes
      type(c_ptr), intent(inout) :: region
    end function
    integer(c_int) function stretto_region_create_over(runtime, memory, size_bytes, region) &
        bind(c, name="stretto_region_create_over")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: runtime
      type(*), intent(inout) :: memory(*)
      integer(c_size_t), value :: size_bytes
      type(c_ptr), intent(inout) :: region
    end function
    integer(c_int) function stretto_region_create_over_on(team, memory, size_bytes, region) &
        bind(c, name="stretto_region_create_over_on")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: team
      type(*), intent(inout) :: memory(*)
      integer(c_size_t), value :: size_bytes
      type(c_ptr), intent(inout) :: region
    end function
    integer(c_int) function stretto_region_free(region) &
        bind(c, name="stretto_region_free")
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: region
    end function
    integer(c_int) function stretto_region_rank(region) &
        bind(c, name="stretto_region_rank")
      import :: c_int, c_ptr
      type(c_ptr), value :: region
    end function
    integer(c_int) function stretto_region_size(region) &
        bind(c, name="stretto_region_size")
      import :: c_int, c_ptr
      type(c_ptr), value :: region
    end function
    integer(c_int) function stretto_region_local(region, address, size_bytes) &
        bind(c, name="stretto_region_local")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: region
      type(c_ptr), intent(inout) :: address
      integer(c_size_t), intent(inout) :: size_bytes
    end function
    integer(c_int) function stretto_region_size_bytes(region, target, size_bytes) &
        bind(c, name="stretto_region_size_bytes")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), intent(inout) :: size_bytes
    end function
    integer(c_int) function stretto_region_node_local(region, target, address) &
        bind(c, name="stretto_region_node_local")
      import :: c_int, c_ptr
      type(c_ptr), value :: region
      integer(c_int), value :: target
      type(c_ptr), intent(inout) :: address
    end function
    integer(c_int) function stretto_region_team(region, team) &
        bind(c, name="stretto_region_team")
      import :: c_int, c_ptr
      type(c_ptr), value :: region
      type(c_ptr), intent(inout) :: team
    end function
    integer(c_int) function stretto_put(region, target, offset, source, size_bytes) &
        bind(c, name="stretto_put")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      type(*), intent(in) :: source(*)
      integer(c_size_t), value :: size_bytes
    end function
    integer(c_int) function stretto_put_strided(region, target, offset, source, levels, counts, &
           local_strides, remote_strides) &
        bind(c, name="stretto_put_strided")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      type(*), intent(in) :: source(*)
      integer(c_int), value :: levels
      integer(c_size_t), intent(in) :: counts(*)
      integer(c_size_t), intent(in) :: local_strides(*)
      integer(c_size_t), intent(in) :: remote_strides(*)
    end function
    integer(c_int) function stretto_put_vector(region, target, count, pieces) &
        bind(c, name="stretto_put_vector")
      import :: c_int, c_ptr, c_size_t, stretto_put_piece
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: count
      type(stretto_put_piece), intent(in) :: pieces(*)
    end function
    integer(c_int) function stretto_get(region, target, offset, sink, size_bytes) &
        bind(c, name="stretto_get")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      type(*), intent(inout) :: sink(*)
      integer(c_size_t), value :: size_bytes
    end function
    integer(c_int) function stretto_get_strided(region, target, offset, sink, levels, counts, &
           local_strides, remote_strides) &
        bind(c, name="stretto_get_strided")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      type(*), intent(inout) :: sink(*)
      integer(c_int), value :: levels
      integer(c_size_t), intent(in) :: counts(*)
      integer(c_size_t), intent(in) :: local_strides(*)
      integer(c_size_t), intent(in) :: remote_strides(*)
    end function
    integer(c_int) function stretto_get_vector(region, target, count, pieces) &
        bind(c, name="stretto_get_vector")
      import :: c_int, c_ptr, c_size_t, stretto_get_piece
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: count
      type(stretto_get_piece), intent(in) :: pieces(*)
    end function
    integer(c_int) function stretto_nonblocking_put(region, target, offset, source, size_bytes, handle) &
        bind(c, name="stretto_nonblocking_put")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      type(*), intent(in), asynchronous :: source(*)
      integer(c_size_t), value :: size_bytes
      type(c_ptr), intent(inout) :: handle
    end function
    integer(c_int) function stretto_nonblocking_put_strided(region, target, offset, source, levels, &
           counts, local_strides, remote_strides, handle) &
        bind(c, name="stretto_nonblocking_put_strided")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      type(*), intent(in), asynchronous :: source(*)
      integer(c_int), value :: levels
      integer(c_size_t), intent(in) :: counts(*)
      integer(c_size_t), intent(in) :: local_strides(*)
      integer(c_size_t), intent(in) :: remote_strides(*)
      type(c_ptr), intent(inout) :: handle
    end function
    integer(c_int) function stretto_nonblocking_put_vector(region, target, count, pieces, handle) &
        bind(c, name="stretto_nonblocking_put_vector")
      import :: c_int, c_ptr, c_size_t, stretto_put_piece
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: count
      type(stretto_put_piece), intent(in) :: pieces(*)
      type(c_ptr), intent(inout) :: handle
    end function
    integer(c_int) function stretto_nonblocking_get(region, target, offset, sink, size_bytes, handle) &
        bind(c, name="stretto_nonblocking_get")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      type(*), intent(inout), asynchronous :: sink(*)
      integer(c_size_t), value :: size_bytes
      type(c_ptr), intent(inout) :: handle
    end function
    integer(c_int) function stretto_nonblocking_get_strided(region, target, offset, sink, levels, counts, &
           local_strides, remote_strides, handle) &
        bind(c, name="stretto_nonblocking_get_strided")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      type(*), intent(inout), asynchronous :: sink(*)
      integer(c_int), value :: levels
      integer(c_size_t), intent(in) :: counts(*)
      integer(c_size_t), intent(in) :: local_strides(*)
      integer(c_size_t), intent(in) :: remote_strides(*)
      type(c_ptr), intent(inout) :: handle
    end function
    integer(c_int) function stretto_nonblocking_get_vector(region, target, count, pieces, handle) &
        bind(c, name="stretto_nonblocking_get_vector")
      import :: c_int, c_ptr, c_size_t, stretto_get_piece
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: count
      type(stretto_get_piece), intent(in) :: pieces(*)
      type(c_ptr), intent(inout) :: handle
    end function
    integer(c_int) function stretto_implicit_put(region, target, offset, source, size_bytes) &
        bind(c, name="stretto_implicit_put")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      type(*), intent(in), asynchronous :: source(*)
      integer(c_size_t), value :: size_bytes
    end function
    integer(c_int) function stretto_implicit_put_strided(region, target, offset, source, levels, counts, &
           local_strides, remote_strides) &
        bind(c, name="stretto_implicit_put_strided")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      type(*), intent(in), asynchronous :: source(*)
      integer(c_int), value :: levels
      integer(c_size_t), intent(in) :: counts(*)
      integer(c_size_t), intent(in) :: local_strides(*)
      integer(c_size_t), intent(in) :: remote_strides(*)
    end function
    integer(c_int) function stretto_implicit_put_vector(region, target, count, pieces) &
        bind(c, name="stretto_implicit_put_vector")
      import :: c_int, c_ptr, c_size_t, stretto_put_piece
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: count
      type(stretto_put_piece), intent(in) :: pieces(*)
    end function
    integer(c_int) function stretto_implicit_get(region, target, offset, sink, size_bytes) &
        bind(c, name="stretto_implicit_get")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      type(*), intent(inout), asynchronous :: sink(*)
      integer(c_size_t), value :: size_bytes
    end function
    integer(c_int) function stretto_implicit_get_strided(region, target, offset, sink, levels, counts, &
           local_strides, remote_strides) &
        bind(c, name="stretto_implicit_get_strided")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      type(*), intent(inout), asynchronous :: sink(*)
      integer(c_int), value :: levels
      integer(c_size_t), intent(in) :: counts(*)
      integer(c_size_t), intent(in) :: local_strides(*)
      integer(c_size_t), intent(in) :: remote_strides(*)
    end function
    integer(c_int) function stretto_implicit_get_vector(region, target, count, pieces) &
        bind(c, name="stretto_implicit_get_vector")
      import :: c_int, c_ptr, c_size_t, stretto_get_piece
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: count
      type(stretto_get_piece), intent(in) :: pieces(*)
    end function
    integer(c_int) function stretto_accumulate(region, target, offset, source, size_bytes, element_type, &
           factor) &
        bind(c, name="stretto_accumulate")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      type(*), intent(in) :: source(*)
      integer(c_size_t), value :: size_bytes
      integer(c_int), value :: element_type
      type(*), intent(in), optional :: factor
    end function
    integer(c_int) function stretto_accumulate_strided(region, target, offset, source, levels, counts, &
           local_strides, remote_strides, element_type, factor) &
        bind(c, name="stretto_accumulate_strided")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      type(*), intent(in) :: source(*)
      integer(c_int), value :: levels
      integer(c_size_t), intent(in) :: counts(*)
      integer(c_size_t), intent(in) :: local_strides(*)
      integer(c_size_t), intent(in) :: remote_strides(*)
      integer(c_int), value :: element_type
      type(*), intent(in), optional :: factor
    end function
    integer(c_int) function stretto_accumulate_vector(region, target, count, pieces, element_type, factor) &
        bind(c, name="stretto_accumulate_vector")
      import :: c_int, c_ptr, c_size_t, stretto_put_piece
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: count
      type(stretto_put_piece), intent(in) :: pieces(*)
      integer(c_int), value :: element_type
      type(*), intent(in), optional :: factor
    end function
    integer(c_int) function stretto_nonblocking_accumulate(region, target, offset, source, size_bytes, &
           element_type, factor, handle) &
        bind(c, name="stretto_nonblocking_accumulate")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      type(*), intent(in), asynchronous :: source(*)
      integer(c_size_t), value :: size_bytes
      integer(c_int), value :: element_type
      type(*), intent(in), optional, asynchronous :: factor
      type(c_ptr), intent(inout) :: handle
    end function
    integer(c_int) function stretto_nonblocking_accumulate_strided(region, target, offset, source, &
           levels, counts, local_strides, remote_strides, element_type, factor, handle) &
        bind(c, name="stretto_nonblocking_accumulate_strided")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      type(*), intent(in), asynchronous :: source(*)
      integer(c_int), value :: levels
      integer(c_size_t), intent(in) :: counts(*)
      integer(c_size_t), intent(in) :: local_strides(*)
      integer(c_size_t), intent(in) :: remote_strides(*)
      integer(c_int), value :: element_type
      type(*), intent(in), optional, asynchronous :: factor
      type(c_ptr), intent(inout) :: handle
    end function
    integer(c_int) function stretto_nonblocking_accumulate_vector(region, target, count, pieces, &
           element_type, factor, handle) &
        bind(c, name="stretto_nonblocking_accumulate_vector")
      import :: c_int, c_ptr, c_size_t, stretto_put_piece
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: count
      type(stretto_put_piece), intent(in) :: pieces(*)
      integer(c_int), value :: element_type
      type(*), intent(in), optional, asynchronous :: factor
      type(c_ptr), intent(inout) :: handle
    end function
    integer(c_int) function stretto_implicit_accumulate(region, target, offset, source, size_bytes, &
           element_type, factor) &
        bind(c, name="stretto_implicit_accumulate")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      type(*), intent(in), asynchronous :: source(*)
      integer(c_size_t), value :: size_bytes
      integer(c_int), value :: element_type
      type(*), intent(in), optional, asynchronous :: factor
    end function
    integer(c_int) function stretto_implicit_accumulate_strided(region, target, offset, source, levels, &
           counts, local_strides, remote_strides, element_type, factor) &
        bind(c, name="stretto_implicit_accumulate_strided")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      type(*), intent(in), asynchronous :: source(*)
      integer(c_int), value :: levels
      integer(c_size_t), intent(in) :: counts(*)
      integer(c_size_t), intent(in) :: local_strides(*)
      integer(c_size_t), intent(in) :: remote_strides(*)
      integer(c_int), value :: element_type
      type(*), intent(in), optional, asynchronous :: factor
    end function
    integer(c_int) function stretto_implicit_accumulate_vector(region, target, count, pieces, &
           element_type, factor) &
        bind(c, name="stretto_implicit_accumulate_vector")
      import :: c_int, c_ptr, c_size_t, stretto_put_piece
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: count
      type(stretto_put_piece), intent(in) :: pieces(*)
      integer(c_int), value :: element_type
      type(*), intent(in), optional, asynchronous :: factor
    end function
    integer(c_int) function stretto_aggregate_create(runtime, aggregate) &
        bind(c, name="stretto_aggregate_create")
      import :: c_int, c_ptr
      type(c_ptr), value :: runtime
      type(c_ptr), intent(inout) :: aggregate
    end function
    integer(c_int) function stretto_aggregate_free(aggregate) &
        bind(c, name="stretto_aggregate_free")
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: aggregate
    end function
    integer(c_int) function stretto_aggregate_put(aggregate, region, target, offset, source, size_bytes) &
        bind(c, name="stretto_aggregate_put")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: aggregate
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      type(*), intent(in), asynchronous :: source(*)
      integer(c_size_t), value :: size_bytes
    end function
    integer(c_int) function stretto_aggregate_put_strided(aggregate, region, target, offset, source, &
           levels, counts, local_strides, remote_strides) &
        bind(c, name="stretto_aggregate_put_strided")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: aggregate
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      type(*), intent(in), asynchronous :: source(*)
      integer(c_int), value :: levels
      integer(c_size_t), intent(in) :: counts(*)
      integer(c_size_t), intent(in) :: local_strides(*)
      integer(c_size_t), intent(in) :: remote_strides(*)
    end function
    integer(c_int) function stretto_aggregate_put_vector(aggregate, region, target, count, pieces) &
        bind(c, name="stretto_aggregate_put_vector")
      import :: c_int, c_ptr, c_size_t, stretto_put_piece
      type(c_ptr), value :: aggregate
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: count
      type(stretto_put_piece), intent(in) :: pieces(*)
    end function
    integer(c_int) function stretto_aggregate_get(aggregate, region, target, offset, sink, size_bytes) &
        bind(c, name="stretto_aggregate_get")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: aggregate
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      type(*), intent(inout), asynchronous :: sink(*)
      integer(c_size_t), value :: size_bytes
    end function
    integer(c_int) function stretto_aggregate_get_strided(aggregate, region, target, offset, sink, &
           levels, counts, local_strides, remote_strides) &
        bind(c, name="stretto_aggregate_get_strided")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: aggregate
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      type(*), intent(inout), asynchronous :: sink(*)
      integer(c_int), value :: levels
      integer(c_size_t), intent(in) :: counts(*)
      integer(c_size_t), intent(in) :: local_strides(*)
      integer(c_size_t), intent(in) :: remote_strides(*)
    end function
    integer(c_int) function stretto_aggregate_get_vector(aggregate, region, target, count, pieces) &
        bind(c, name="stretto_aggregate_get_vector")
      import :: c_int, c_ptr, c_size_t, stretto_get_piece
      type(c_ptr), value :: aggregate
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: count
      type(stretto_get_piece), intent(in) :: pieces(*)
    end function
    integer(c_int) function stretto_aggregate_pending(aggregate, pending) &
        bind(c, name="stretto_aggregate_pending")
      import :: c_int, c_ptr
      type(c_ptr), value :: aggregate
      integer(c_int), intent(inout) :: pending
    end function
    integer(c_int) function stretto_aggregate_wait(runtime, aggregate) &
        bind(c, name="stretto_aggregate_wait")
      import :: c_int, c_ptr
      type(c_ptr), value :: runtime
      type(c_ptr), value :: aggregate
    end function
    integer(c_int) function stretto_aggregate_test(runtime, aggregate, complete) &
        bind(c, name="stretto_aggregate_test")
      import :: c_int, c_ptr
      type(c_ptr), value :: runtime
      type(c_ptr), value :: aggregate
      integer(c_int), intent(inout) :: complete
    end function
    integer(c_int) function stretto_team_create(runtime, count, ranks, team) &
        bind(c, name="stretto_team_create")
      import :: c_int, c_ptr
      type(c_ptr), value :: runtime
      integer(c_int), value :: count
      integer(c_int), intent(in) :: ranks(*)
      type(c_ptr), intent(inout) :: team
    end function
    integer(c_int) function stretto_team_world(runtime, team) &
        bind(c, name="stretto_team_world")
      import :: c_int, c_ptr
      type(c_ptr), value :: runtime
      type(c_ptr), intent(inout) :: team
    end function
    integer(c_int) function stretto_team_free(team) &
        bind(c, name="stretto_team_free")
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: team
    end function
    integer(c_int) function stretto_team_rank(team) &
        bind(c, name="stretto_team_rank")
      import :: c_int, c_ptr
      type(c_ptr), value :: team
    end function
    integer(c_int) function stretto_team_size(team) &
        bind(c, name="stretto_team_size")
      import :: c_int, c_ptr
      type(c_ptr), value :: team
    end function
    integer(c_int) function stretto_team_runtime_rank(team, member, runtime_rank) &
        bind(c, name="stretto_team_runtime_rank")
      import :: c_int, c_ptr
      type(c_ptr), value :: team
      integer(c_int), value :: member
      integer(c_int), intent(inout) :: runtime_rank
    end function
    integer(c_int) function stretto_team_rank_of(team, runtime_rank, rank) &
        bind(c, name="stretto_team_rank_of")
      import :: c_int, c_ptr
      type(c_ptr), value :: team
      integer(c_int), value :: runtime_rank
      integer(c_int), intent(inout) :: rank
    end function
    integer(c_int) function stretto_team_translate(team, member, other, rank) &
        bind(c, name="stretto_team_translate")
      import :: c_int, c_ptr
      type(c_ptr), value :: team
      integer(c_int), value :: member
      type(c_ptr), value :: other
      integer(c_int), intent(inout) :: rank
    end function
    integer(c_int) function stretto_team_split(team, color, key, part) &
        bind(c, name="stretto_team_split")
      import :: c_int, c_ptr
      type(c_ptr), value :: team
      integer(c_int), value :: color
      integer(c_int), value :: key
      type(c_ptr), intent(inout) :: part
    end function
    integer(c_int) function stretto_team_node(team, member, node) &
        bind(c, name="stretto_team_node")
      import :: c_int, c_ptr
      type(c_ptr), value :: team
      integer(c_int), value :: member
      integer(c_int), intent(inout) :: node
    end function
    integer(c_int) function stretto_team_communicator(team, communicator) &
        bind(c, name="stretto_team_communicator_fortran")
      import :: c_int, c_ptr
      type(c_ptr), value :: team
      integer(c_int), intent(inout) :: communicator
    end function
    integer(c_int) function stretto_team_barrier(team) &
        bind(c, name="stretto_team_barrier")
      import :: c_int, c_ptr
      type(c_ptr), value :: team
    end function
    integer(c_int) function stretto_team_broadcast(team, data, size_bytes, root) &
        bind(c, name="stretto_team_broadcast")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: team
      type(*), intent(inout) :: data(*)
      integer(c_size_t), value :: size_bytes
      integer(c_int), value :: root
    end function
    integer(c_int) function stretto_team_reduce(team, mine, result, count, type, reduction, root) &
        bind(c, name="stretto_team_reduce")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: team
      type(*), intent(in) :: mine(*)
      type(*), intent(inout) :: result(*)
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: reduction
      integer(c_int), value :: root
    end function
    integer(c_int) function stretto_team_allreduce(team, mine, result, count, type, reduction) &
        bind(c, name="stretto_team_allreduce")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: team
      type(*), intent(in) :: mine(*)
      type(*), intent(inout) :: result(*)
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: reduction
    end function
    integer(c_int) function stretto_team_allgather(team, mine, size_bytes, all) &
        bind(c, name="stretto_team_allgather")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: team
      type(*), intent(in) :: mine(*)
      integer(c_size_t), value :: size_bytes
      type(*), intent(inout) :: all(*)
    end function
    integer(c_int) function stretto_team_alltoall(team, blocks, size_bytes, received) &
        bind(c, name="stretto_team_alltoall")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: team
      type(*), intent(in) :: blocks(*)
      integer(c_size_t), value :: size_bytes
      type(*), intent(inout) :: received(*)
    end function
    integer(c_int) function stretto_nonblocking_team_barrier(team, request) &
        bind(c, name="stretto_nonblocking_team_barrier")
      import :: c_int, c_ptr
      type(c_ptr), value :: team
      type(c_ptr), intent(inout) :: request
    end function
    integer(c_int) function stretto_nonblocking_team_broadcast(team, data, size_bytes, root, request) &
        bind(c, name="stretto_nonblocking_team_broadcast")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: team
      type(*), intent(inout), asynchronous :: data(*)
      integer(c_size_t), value :: size_bytes
      integer(c_int), value :: root
      type(c_ptr), intent(inout) :: request
    end function
    integer(c_int) function stretto_nonblocking_team_reduce(team, mine, result, count, type, reduction, &
           root, request) &
        bind(c, name="stretto_nonblocking_team_reduce")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: team
      type(*), intent(in), asynchronous :: mine(*)
      type(*), intent(inout), asynchronous :: result(*)
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: reduction
      integer(c_int), value :: root
      type(c_ptr), intent(inout) :: request
    end function
    integer(c_int) function stretto_nonblocking_team_allreduce(team, mine, result, count, type, &
           reduction, request) &
        bind(c, name="stretto_nonblocking_team_allreduce")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: team
      type(*), intent(in), asynchronous :: mine(*)
      type(*), intent(inout), asynchronous :: result(*)
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: reduction
      type(c_ptr), intent(inout) :: request
    end function
    integer(c_int) function stretto_nonblocking_team_allgather(team, mine, size_bytes, all, request) &
        bind(c, name="stretto_nonblocking_team_allgather")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: team
      type(*), intent(in), asynchronous :: mine(*)
      integer(c_size_t), value :: size_bytes
      type(*), intent(inout), asynchronous :: all(*)
      type(c_ptr), intent(inout) :: request
    end function
    integer(c_int) function stretto_nonblocking_team_alltoall(team, blocks, size_bytes, received, request) &
        bind(c, name="stretto_nonblocking_team_alltoall")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: team
      type(*), intent(in), asynchronous :: blocks(*)
      integer(c_size_t), value :: size_bytes
      type(*), intent(inout), asynchronous :: received(*)
      type(c_ptr), intent(inout) :: request
    end function
    integer(c_int) function stretto_request_wait(request) &
        bind(c, name="stretto_request_wait")
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: request
    end function
    integer(c_int) function stretto_request_test(request, complete) &
        bind(c, name="stretto_request_test")
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: request
      integer(c_int), intent(inout) :: complete
    end function
    integer(c_int) function stretto_remote_function_create(runtime, function, context, remote) &
        bind(c, name="stretto_remote_function_create")
      import :: c_funptr, c_int, c_ptr
      type(c_ptr), value :: runtime
      type(c_funptr), value :: function
      type(c_ptr), value :: context
      type(c_ptr), intent(inout) :: remote
    end function
    integer(c_int) function stretto_remote_function_free(remote) &
        bind(c, name="stretto_remote_function_free")
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: remote
    end function
    integer(c_int) function stretto_remote_function_call(remote, target, payload, size_bytes) &
        bind(c, name="stretto_remote_function_call")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: remote
      integer(c_int), value :: target
      type(*), intent(in) :: payload(*)
      integer(c_size_t), value :: size_bytes
    end function
    integer(c_int) function stretto_remote_function_most_bytes(remote, size_bytes) &
        bind(c, name="stretto_remote_function_most_bytes")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: remote
      integer(c_size_t), intent(inout) :: size_bytes
    end function
    integer(c_int) function stretto_put_signal(region, target, offset, source, size_bytes, flag_offset, &
           flag_value, flag_operation) &
        bind(c, name="stretto_put_signal")
      import :: c_int, c_int64_t, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      type(*), intent(in) :: source(*)
      integer(c_size_t), value :: size_bytes
      integer(c_size_t), value :: flag_offset
      integer(c_int64_t), value :: flag_value
      integer(c_int), value :: flag_operation
    end function
    integer(c_int) function stretto_put_signal_strided(region, target, offset, source, levels, counts, &
           local_strides, remote_strides, flag_offset, flag_value, flag_operation) &
        bind(c, name="stretto_put_signal_strided")
      import :: c_int, c_int64_t, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      type(*), intent(in) :: source(*)
      integer(c_int), value :: levels
      integer(c_size_t), intent(in) :: counts(*)
      integer(c_size_t), intent(in) :: local_strides(*)
      integer(c_size_t), intent(in) :: remote_strides(*)
      integer(c_size_t), value :: flag_offset
      integer(c_int64_t), value :: flag_value
      integer(c_int), value :: flag_operation
    end function
    integer(c_int) function stretto_nonblocking_put_signal(region, target, offset, source, size_bytes, &
           flag_offset, flag_value, flag_operation, handle) &
        bind(c, name="stretto_nonblocking_put_signal")
      import :: c_int, c_int64_t, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      type(*), intent(in), asynchronous :: source(*)
      integer(c_size_t), value :: size_bytes
      integer(c_size_t), value :: flag_offset
      integer(c_int64_t), value :: flag_value
      integer(c_int), value :: flag_operation
      type(c_ptr), intent(inout) :: handle
    end function
    integer(c_int) function stretto_nonblocking_put_signal_strided(region, target, offset, source, &
           levels, counts, local_strides, remote_strides, flag_offset, flag_value, flag_operation, handle) &
        bind(c, name="stretto_nonblocking_put_signal_strided")
      import :: c_int, c_int64_t, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      type(*), intent(in), asynchronous :: source(*)
      integer(c_int), value :: levels
      integer(c_size_t), intent(in) :: counts(*)
      integer(c_size_t), intent(in) :: local_strides(*)
      integer(c_size_t), intent(in) :: remote_strides(*)
      integer(c_size_t), value :: flag_offset
      integer(c_int64_t), value :: flag_value
      integer(c_int), value :: flag_operation
      type(c_ptr), intent(inout) :: handle
    end function
    integer(c_int) function stretto_raise_signal(region, target, flag_offset, flag_value, flag_operation) &
        bind(c, name="stretto_raise_signal")
      import :: c_int, c_int64_t, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: flag_offset
      integer(c_int64_t), value :: flag_value
      integer(c_int), value :: flag_operation
    end function
    integer(c_int) function stretto_nonblocking_raise_signal(region, target, flag_offset, flag_value, &
           flag_operation, handle) &
        bind(c, name="stretto_nonblocking_raise_signal")
      import :: c_int, c_int64_t, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: flag_offset
      integer(c_int64_t), value :: flag_value
      integer(c_int), value :: flag_operation
      type(c_ptr), intent(inout) :: handle
    end function
    integer(c_int) function stretto_wait_signal(region, offset, value, seen) &
        bind(c, name="stretto_wait_signal")
      import :: c_int, c_int64_t, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_size_t), value :: offset
      integer(c_int64_t), value :: value
      integer(c_int64_t), intent(inout), optional :: seen
    end function
    integer(c_int) function stretto_test_signal(region, offset, value, raised) &
        bind(c, name="stretto_test_signal")
      import :: c_int, c_int64_t, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_size_t), value :: offset
      integer(c_int64_t), value :: value
      integer(c_int), intent(inout) :: raised
    end function
    integer(c_int) function stretto_reset_signal(region, offset, value) &
        bind(c, name="stretto_reset_signal")
      import :: c_int, c_int64_t, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_size_t), value :: offset
      integer(c_int64_t), value :: value
    end function
    integer(c_int) function stretto_wait_any_signal(region, count, conditions, index) &
        bind(c, name="stretto_wait_any_signal")
      import :: c_int, c_ptr, c_size_t, stretto_signal_condition
      type(c_ptr), value :: region
      integer(c_size_t), value :: count
      type(stretto_signal_condition), intent(in) :: conditions(*)
      integer(c_size_t), intent(inout) :: index
    end function
    integer(c_int) function stretto_wait_some_signals(region, count, conditions, found, indices) &
        bind(c, name="stretto_wait_some_signals")
      import :: c_int, c_ptr, c_size_t, stretto_signal_condition
      type(c_ptr), value :: region
      integer(c_size_t), value :: count
      type(stretto_signal_condition), intent(in) :: conditions(*)
      integer(c_size_t), intent(inout) :: found
      integer(c_size_t), intent(inout) :: indices(*)
    end function
    integer(c_int) function stretto_wait_all_signals(region, count, conditions) &
        bind(c, name="stretto_wait_all_signals")
      import :: c_int, c_ptr, c_size_t, stretto_signal_condition
      type(c_ptr), value :: region
      integer(c_size_t), value :: count
      type(stretto_signal_condition), intent(in) :: conditions(*)
    end function
    integer(c_int) function stretto_test_any_signal(region, count, conditions, index) &
        bind(c, name="stretto_test_any_signal")
      import :: c_int, c_ptr, c_size_t, stretto_signal_condition
      type(c_ptr), value :: region
      integer(c_size_t), value :: count
      type(stretto_signal_condition), intent(in) :: conditions(*)
      integer(c_size_t), intent(inout) :: index
    end function
    integer(c_int) function stretto_atomic(region, target, offset, type, operation, operand, fetched) &
        bind(c, name="stretto_atomic")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      integer(c_int), value :: type
      integer(c_int), value :: operation
      type(*), intent(in), optional :: operand
      type(*), intent(inout), optional :: fetched
    end function
    integer(c_int) function stretto_nonblocking_atomic(region, target, offset, type, operation, operand, &
           fetched, handle) &
        bind(c, name="stretto_nonblocking_atomic")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      integer(c_int), value :: type
      integer(c_int), value :: operation
      type(*), intent(in), optional, asynchronous :: operand
      type(*), intent(inout), optional, asynchronous :: fetched
      type(c_ptr), intent(inout) :: handle
    end function
    integer(c_int) function stretto_nonblocking_compare_swap(region, target, offset, type, expected, &
           operand, fetched, handle) &
        bind(c, name="stretto_nonblocking_compare_swap")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      integer(c_int), value :: type
      type(*), intent(in), asynchronous :: expected
      type(*), intent(in), optional, asynchronous :: operand
      type(*), intent(inout), optional, asynchronous :: fetched
      type(c_ptr), intent(inout) :: handle
    end function
    integer(c_int) function stretto_fetch_add_int32(region, target, offset, value, before) &
        bind(c, name="stretto_fetch_add_int32")
      import :: c_int, c_int32_t, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      integer(c_int32_t), value :: value
      integer(c_int32_t), intent(inout) :: before
    end function
    integer(c_int) function stretto_fetch_add_int64(region, target, offset, value, before) &
        bind(c, name="stretto_fetch_add_int64")
      import :: c_int, c_int64_t, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      integer(c_int64_t), value :: value
      integer(c_int64_t), intent(inout) :: before
    end function
    integer(c_int) function stretto_swap_int32(region, target, offset, value, before) &
        bind(c, name="stretto_swap_int32")
      import :: c_int, c_int32_t, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      integer(c_int32_t), value :: value
      integer(c_int32_t), intent(inout) :: before
    end function
    integer(c_int) function stretto_swap_int64(region, target, offset, value, before) &
        bind(c, name="stretto_swap_int64")
      import :: c_int, c_int64_t, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      integer(c_int64_t), value :: value
      integer(c_int64_t), intent(inout) :: before
    end function
    integer(c_int) function stretto_compare_swap_int32(region, target, offset, expected, desired, before) &
        bind(c, name="stretto_compare_swap_int32")
      import :: c_int, c_int32_t, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      integer(c_int32_t), value :: expected
      integer(c_int32_t), value :: desired
      integer(c_int32_t), intent(inout) :: before
    end function
    integer(c_int) function stretto_compare_swap_int64(region, target, offset, expected, desired, before) &
        bind(c, name="stretto_compare_swap_int64")
      import :: c_int, c_int64_t, c_ptr, c_size_t
      type(c_ptr), value :: region
      integer(c_int), value :: target
      integer(c_size_t), value :: offset
      integer(c_int64_t), value :: expected
      integer(c_int64_t), value :: desired
      integer(c_int64_t), intent(inout) :: before
    end function
    integer(c_int) function stretto_mutexes_create(runtime, count, mutexes) &
        bind(c, name="stretto_mutexes_create")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: runtime
      integer(c_size_t), value :: count
      type(c_ptr), intent(inout) :: mutexes
    end function
    integer(c_int) function stretto_mutexes_free(mutexes) &
        bind(c, name="stretto_mutexes_free")
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: mutexes
    end function
    integer(c_int) function stretto_mutexes_lock(mutexes, owner, index) &
        bind(c, name="stretto_mutexes_lock")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: mutexes
      integer(c_int), value :: owner
      integer(c_size_t), value :: index
    end function
    integer(c_int) function stretto_mutexes_unlock(mutexes, owner, index) &
        bind(c, name="stretto_mutexes_unlock")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: mutexes
      integer(c_int), value :: owner
      integer(c_size_t), value :: index
    end function
    integer(c_int) function stretto_fft_settings_init(settings) &
        bind(c, name="stretto_fft_settings_init")
      import :: c_int, stretto_fft_settings
      type(stretto_fft_settings), intent(inout) :: settings
    end function
    integer(c_int) function stretto_fft_create(runtime, settings, plan) &
        bind(c, name="stretto_fft_create")
      import :: c_int, c_ptr, stretto_fft_settings
      type(c_ptr), value :: runtime
      type(stretto_fft_settings), intent(in), optional :: settings
      type(c_ptr), intent(inout) :: plan
    end function
    integer(c_int) function stretto_fft_create_tuned(runtime, settings, profile, plan) &
        bind(c, name="stretto_fft_create_tuned")
      import :: c_int, c_ptr, stretto_fft_settings
      type(c_ptr), value :: runtime
      type(stretto_fft_settings), intent(in), optional :: settings
      type(c_ptr), value :: profile
      type(c_ptr), intent(inout) :: plan
    end function
    integer(c_int) function stretto_fft_free(plan) &
        bind(c, name="stretto_fft_free")
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: plan
    end function
    integer(c_int) function stretto_fft_settings_of(plan, settings) &
        bind(c, name="stretto_fft_settings_of")
      import :: c_int, c_ptr, stretto_fft_settings
      type(c_ptr), value :: plan
      type(stretto_fft_settings), intent(inout) :: settings
    end function
    integer(c_int) function stretto_fft_input(plan, first, count) &
        bind(c, name="stretto_fft_input")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: plan
      integer(c_size_t), intent(inout) :: first(*)
      integer(c_size_t), intent(inout) :: count(*)
    end function
    integer(c_int) function stretto_fft_spectrum(plan, first, count) &
        bind(c, name="stretto_fft_spectrum")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: plan
      integer(c_size_t), intent(inout) :: first(*)
      integer(c_size_t), intent(inout) :: count(*)
    end function
    integer(c_int) function stretto_fft_forward(plan, in, in_count, out, out_count) &
        bind(c, name="stretto_fft_forward")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: plan
      type(*), intent(in) :: in(*)
      integer(c_size_t), value :: in_count
      type(*), intent(inout) :: out(*)
      integer(c_size_t), value :: out_count
    end function
    integer(c_int) function stretto_fft_inverse(plan, in, in_count, out, out_count) &
        bind(c, name="stretto_fft_inverse")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: plan
      type(*), intent(in) :: in(*)
      integer(c_size_t), value :: in_count
      type(*), intent(inout) :: out(*)
      integer(c_size_t), value :: out_count
    end function
    integer(c_int) function stretto_fft_forward_by_planes(plan, in, in_count, out, out_count, before, &
           context) &
        bind(c, name="stretto_fft_forward_by_planes")
      import :: c_funptr, c_int, c_ptr, c_size_t
      type(c_ptr), value :: plan
      type(*), intent(in) :: in(*)
      integer(c_size_t), value :: in_count
      type(*), intent(inout) :: out(*)
      integer(c_size_t), value :: out_count
      type(c_funptr), value :: before
      type(c_ptr), value :: context
    end function
    integer(c_int) function stretto_fft_inverse_by_planes(plan, in, in_count, out, out_count, before, &
           context) &
        bind(c, name="stretto_fft_inverse_by_planes")
      import :: c_funptr, c_int, c_ptr, c_size_t
      type(c_ptr), value :: plan
      type(*), intent(in) :: in(*)
      integer(c_size_t), value :: in_count
      type(*), intent(inout) :: out(*)
      integer(c_size_t), value :: out_count
      type(c_funptr), value :: before
      type(c_ptr), value :: context
    end function
    integer(c_int) function stretto_fft_storage(plan, address, count) &
        bind(c, name="stretto_fft_storage")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: plan
      type(c_ptr), intent(inout) :: address
      integer(c_size_t), intent(inout) :: count
    end function
    integer(c_int) function stretto_fft_memory(plan, copy_bytes, memory_bytes) &
        bind(c, name="stretto_fft_memory")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: plan
      integer(c_size_t), intent(inout) :: copy_bytes
      integer(c_size_t), intent(inout) :: memory_bytes
    end function
    integer(c_int) function stretto_fft_messages(plan, messages) &
        bind(c, name="stretto_fft_messages")
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: plan
      integer(c_int64_t), intent(inout) :: messages
    end function
    integer(c_int) function stretto_fft_timers(plan, timers) &
        bind(c, name="stretto_fft_timers")
      import :: c_int, c_ptr, stretto_timers
      type(c_ptr), value :: plan
      type(stretto_timers), intent(inout) :: timers
    end function
    integer(c_int) function stretto_fft_reset_timers(plan) &
        bind(c, name="stretto_fft_reset_timers")
      import :: c_int, c_ptr
      type(c_ptr), value :: plan
    end function
    integer(c_int) function stretto_spmv_settings_init(settings) &
        bind(c, name="stretto_spmv_settings_init")
      import :: c_int, stretto_spmv_settings
      type(stretto_spmv_settings), intent(inout) :: settings
    end function
    integer(c_int) function stretto_spmv_create(runtime, rows, start, column, value, x_count, settings, &
           plan) &
        bind(c, name="stretto_spmv_create")
      import :: c_double, c_int, c_int32_t, c_int64_t, c_ptr, c_size_t, stretto_spmv_settings
      type(c_ptr), value :: runtime
      integer(c_size_t), value :: rows
      integer(c_int64_t), intent(in) :: start(*)
      integer(c_int32_t), intent(in) :: column(*)
      real(c_double), intent(in) :: value(*)
      integer(c_size_t), value :: x_count
      type(stretto_spmv_settings), intent(in), optional :: settings
      type(c_ptr), intent(inout) :: plan
    end function
    integer(c_int) function stretto_spmv_create_tuned(runtime, rows, start, column, value, x_count, plan) &
        bind(c, name="stretto_spmv_create_tuned")
      import :: c_double, c_int, c_int32_t, c_int64_t, c_ptr, c_size_t
      type(c_ptr), value :: runtime
      integer(c_size_t), value :: rows
      integer(c_int64_t), intent(in) :: start(*)
      integer(c_int32_t), intent(in) :: column(*)
      real(c_double), intent(in) :: value(*)
      integer(c_size_t), value :: x_count
      type(c_ptr), intent(inout) :: plan
    end function
    integer(c_int) function stretto_spmv_free(plan) &
        bind(c, name="stretto_spmv_free")
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: plan
    end function
    integer(c_int) function stretto_spmv_settings_of(plan, settings) &
        bind(c, name="stretto_spmv_settings_of")
      import :: c_int, c_ptr, stretto_spmv_settings
      type(c_ptr), value :: plan
      type(stretto_spmv_settings), intent(inout) :: settings
    end function
    integer(c_int) function stretto_spmv_needed(plan, elements, ranks) &
        bind(c, name="stretto_spmv_needed")
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: plan
      integer(c_size_t), intent(inout) :: elements
      integer(c_size_t), intent(inout) :: ranks
    end function
    integer(c_int) function stretto_spmv_multiply(plan, x, x_count, y, y_count) &
        bind(c, name="stretto_spmv_multiply")
      import :: c_double, c_int, c_ptr, c_size_t
      type(c_ptr), value :: plan
      real(c_double), intent(in) :: x(*)
      integer(c_size_t), value :: x_count
      real(c_double), intent(inout) :: y(*)
      integer(c_size_t), value :: y_count
    end function
    integer(c_int) function stretto_spmv_messages(plan, messages) &
        bind(c, name="stretto_spmv_messages")
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: plan
      integer(c_int64_t), intent(inout) :: messages
    end function
    integer(c_int) function stretto_spmv_timers(plan, timers) &
        bind(c, name="stretto_spmv_timers")
      import :: c_int, c_ptr, stretto_timers
      type(c_ptr), value :: plan
      type(stretto_timers), intent(inout) :: timers
    end function
    integer(c_int) function stretto_spmv_reset_timers(plan) &
        bind(c, name="stretto_spmv_reset_timers")
      import :: c_int, c_ptr
      type(c_ptr), value :: plan
    end function
  end interface

contains

  !> The string at an address that a function returns.
  function stretto_text(address) result(text)
    type(c_ptr), intent(in) :: address
    character(:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    integer :: length
    text = ""
    if (.not. c_associated(address)) return
    call c_f_pointer(address, letters, [huge(1)])
    length = 0
    do while (letters(length + 1) /= c_null_char)
      length = length + 1
      text = text // letters(length)
    end do
  end function

end module
