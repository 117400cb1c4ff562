/* SPDX-License-Identifier: BSD-3-Clause
 * Errors, the runtime, completion, counters and regions. Programs include stretto/stretto.h. */
#ifndef STRETTO_C_RUNTIME_H
#define STRETTO_C_RUNTIME_H

#if __has_include(<mpi.h>) /* else without what takes a communicator of C */
#include <mpi.h>
#endif
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stretto_runtime stretto_runtime;
typedef struct stretto_team stretto_team;
typedef struct stretto_region stretto_region;
typedef struct stretto_handle stretto_handle;
typedef struct stretto_aggregate stretto_aggregate;
typedef struct stretto_mutexes stretto_mutexes;
typedef struct stretto_request stretto_request;
typedef struct stretto_remote_function stretto_remote_function;

/* ---- Errors ---- */

#define STRETTO_SUCCESS 0
#define STRETTO_ERROR_ARGUMENT 1      /* the message begins with the argument's name */
#define STRETTO_ERROR_HANDLE 2        /* a handle or an aggregate that the call does not take */
#define STRETTO_ERROR_REGION_IN_USE 3 /* freed while operations on it were pending */
#define STRETTO_ERROR_FINALIZED 4     /* the runtime is finalized, or the region is freed */
#define STRETTO_ERROR_TIMEOUT 5       /* no rank has answered for timeout_s seconds */
#define STRETTO_ERROR_MPI 6           /* of a call of MPI, which the message names */
#define STRETTO_ERROR_MEMORY 7
#define STRETTO_ERROR_OTHER 8
#define STRETTO_ERROR_INTERRUPTED 9 /* by the check of stretto_check_in_waits */

/* The name of a code: "argument", "handle" and so on. */
const char* stretto_error_name(int code);
/* What was wrong in the last call of this thread that returned an error; "" before the first. Valid until the
 * thread's next error. */
const char* stretto_error_message(void);
#define STRETTO_VERSION "0.1.0" /* of this header */
/* The release of the library. */
const char* stretto_version(void);

/* ---- Runtime ---- */

#define STRETTO_DEFAULT (-1) /* of progress, path and contiguous: what the runtime chooses */

#define STRETTO_PROGRESS_NONE 0
#define STRETTO_PROGRESS_POLL 1
#define STRETTO_PROGRESS_THREAD 2

#define STRETTO_PATH_DIRECT 0
#define STRETTO_PATH_RMA 1
#define STRETTO_PATH_MESSAGE 2

/* The options of a runtime, the same on all ranks. stretto/options.hpp documents each. */
typedef struct {
  int progress;
  int path;
  int contiguous;
  int outstanding;
  int node_ranks;
  int contexts;
  double poll_interval_s;
  size_t segment_bytes;
  double report_after_s;
  double timeout_s;
} stretto_options;

/* Sets all options to their defaults. */
int stretto_options_init(stretto_options* options);

/* For a language without an interface of MPI: initialises MPI with MPI_THREAD_MULTIPLE, unless that is done.
 * *world is the handle in Fortran of MPI_COMM_WORLD. */
int stretto_mpi_start(int* world);
/* Finalizes MPI, unless that is done. */
int stretto_mpi_end(void);

/* A runtime over a duplicate of `communicator`; MPI must be initialised. NULL options are the defaults.
 * Collective. */
#ifdef MPI_VERSION
int stretto_runtime_create(MPI_Comm communicator, const stretto_options* options, stretto_runtime** runtime);
#endif
/* The same by the communicator's handle in Fortran, the result of MPI_Comm_c2f. */
int stretto_runtime_create_fortran(int communicator, const stretto_options* options,
                                   stretto_runtime** runtime);
/* Completes all operations and finalizes the runtime; before MPI_Finalize. Collective.
 * STRETTO_ERROR_REGION_IN_USE where regions are not freed, STRETTO_ERROR_HANDLE where handles are pending, on
 * any rank: the runtime then stays. */
int stretto_runtime_free(stretto_runtime** runtime);

/* They return the number itself; -1 for NULL. */
int stretto_rank(const stretto_runtime* runtime);
int stretto_size(const stretto_runtime* runtime);
/* The effective options: those that were left open have the values of the profile, or the defaults. */
int stretto_options_effective(const stretto_runtime* runtime, stretto_options* options);
/* The runtime's own communicator, for collectives of MPI after a barrier and while no operation is
 * outstanding. */
#ifdef MPI_VERSION
int stretto_communicator(const stretto_runtime* runtime, MPI_Comm* communicator);
#endif
int stretto_communicator_fortran(const stretto_runtime* runtime, int* communicator);

/* ---- Completion ---- */

/* Local completion: the source of a put may be reused, the data of a get is here. *handle becomes NULL; a
 * handle that is NULL is complete. */
int stretto_wait(stretto_runtime* runtime, stretto_handle** handle);
/* No handle may be twice in the array: that is an error, and no handle is waited for. */
int stretto_wait_all(stretto_runtime* runtime, size_t count, stretto_handle* handles[]);
/* Waits for one of the handles that are not NULL, which becomes NULL, and tells its index. No handle may be
 * twice in the array. */
int stretto_wait_any(stretto_runtime* runtime, size_t count, stretto_handle* handles[], size_t* index);
/* *complete: 1 when the operation is complete, and then *handle is NULL; else 0. On path rma a test waits. */
int stretto_test(stretto_runtime* runtime, stretto_handle** handle, int* complete);
/* Source completion, as stretto_wait and stretto_test; but the handle stays, for the next two. */
int stretto_wait_source(stretto_handle* handle);
int stretto_test_source(stretto_handle* handle, int* complete);
/* Operation completion: what the operation has put is also visible at the target. *handle becomes NULL, with
 * the test when *complete is 1. On path rma a test waits. */
int stretto_wait_remote(stretto_handle** handle);
int stretto_test_remote(stretto_handle** handle, int* complete);
/* Waits for the implicit operations of this rank to a rank of the runtime, or to all. */
int stretto_wait_implicit(stretto_runtime* runtime, int target);
int stretto_wait_implicit_all(stretto_runtime* runtime);
/* Remote completion: all puts and accumulates of this rank are visible at the target (a rank of the runtime),
 * or at all. */
int stretto_fence(stretto_runtime* runtime, int target);
int stretto_fence_all(stretto_runtime* runtime);
/* Begins a fence; *handle completes when it would return, and is NULL when there is nothing to fence. */
int stretto_nonblocking_fence(stretto_runtime* runtime, int target, stretto_handle** handle);
/* The same of all targets. `handles` takes as many as there are ranks, and *count are used. */
int stretto_nonblocking_fence_all(stretto_runtime* runtime, size_t* count, stretto_handle* handles[]);
/* stretto_fence_all on every rank, and a barrier. Collective. */
int stretto_barrier(stretto_runtime* runtime);
/* One progress poll. */
int stretto_poll(stretto_runtime* runtime);
typedef int (*stretto_wait_check)(void* context);
/* Has the waits of this thread call `check`, about ten times a second. Where it returns another number than
 * 0, the wait returns STRETTO_ERROR_INTERRUPTED: what it waited for is pending or abandoned, as after a
 * timeout (stretto/wait_check.hpp). For interpreters, which see a signal only when they are called. NULL:
 * none. */
int stretto_check_in_waits(stretto_wait_check check, void* context);
/* Notifies `target` after everything that this rank has started there; *count is the number of notifications
 * so far. */
int stretto_notify(stretto_runtime* runtime, int target, uint64_t* count);
/* Waits for the next notification of `source`; *count is how many were waited for. */
int stretto_wait_notify(stretto_runtime* runtime, int source, uint64_t* count);

/* ---- Counters ---- */

typedef struct {
  uint64_t operations;   /* puts, gets, accumulates and atomics */
  uint64_t bytes;        /* of data, without headers */
  uint64_t messages;     /* calls of MPI_Put and MPI_Get, requests and rendezvous segments */
  uint64_t copied_bytes; /* into or out of buffers of the runtime */
} stretto_path_counters;

typedef struct {
  stretto_path_counters direct, rma, message;
  uint64_t fences; /* requests that only query remote completion */
} stretto_counters;

/* Of this rank's operations to a rank of the runtime, or to all. */
int stretto_counters_of(const stretto_runtime* runtime, int target, stretto_counters* counters);
int stretto_counters_all(const stretto_runtime* runtime, stretto_counters* counters);
int stretto_counters_reset(stretto_runtime* runtime);

/* ---- Protocols ---- */

#define STRETTO_PROTOCOL_DIRECT 0     /* loads and stores */
#define STRETTO_PROTOCOL_RMA 1        /* MPI_Put and MPI_Get */
#define STRETTO_PROTOCOL_EAGER 2      /* packets that carry the data, copied on both sides */
#define STRETTO_PROTOCOL_RENDEZVOUS 3 /* segments, sent from where they are and received where they belong \
                                       */

#define STRETTO_OPERATION_PUT 0
#define STRETTO_OPERATION_GET 1
#define STRETTO_OPERATION_PUT_SIGNAL 2
#define STRETTO_OPERATION_UPDATE 3

/* The protocol of an operation on `row_bytes` at a time of `size_bytes` in all, and a sentence with the
 * reason, which stays valid. */
int stretto_protocol_of(const stretto_region* region, int operation, int target, size_t size_bytes,
                        size_t row_bytes, int* protocol, const char** reason);

/* ---- Regions ---- */

/* Memory of all ranks: `size_bytes` on this one, zeroed, aligned to 64 bytes; sizes may differ, and may be 0.
 * Collective over the runtime, or over the team. */
int stretto_region_create(const stretto_runtime* runtime, size_t size_bytes, stretto_region** region);
int stretto_region_create_on(const stretto_team* team, size_t size_bytes, stretto_region** region);
/* Over memory of the program, aligned to 8 bytes, which must stay until the region is freed. It is not
 * zeroed. The first such region of a runtime must be over the runtime, while no operation is outstanding. */
int stretto_region_create_over(const stretto_runtime* runtime, void* memory, size_t size_bytes,
                               stretto_region** region);
int stretto_region_create_over_on(const stretto_team* team, void* memory, size_t size_bytes,
                                  stretto_region** region);
/* When all that was sent to it has arrived. Collective. STRETTO_ERROR_REGION_IN_USE on all ranks when an
 * operation on it is pending on any: the region then stays. */
int stretto_region_free(stretto_region** region);
/* In the region's team. They return the number itself; -1 for NULL. */
int stretto_region_rank(const stretto_region* region);
int stretto_region_size(const stretto_region* region);
/* This rank's part. */
int stretto_region_local(const stretto_region* region, void** address, size_t* size_bytes);
/* Bytes of a rank's part. */
int stretto_region_size_bytes(const stretto_region* region, int target, size_t* size_bytes);
/* A rank's part as this process addresses it; *address is NULL when its memory is not node-local. */
int stretto_region_node_local(const stretto_region* region, int target, void** address);
/* A team of the region's ranks. To be freed as any other. */
int stretto_region_team(const stretto_region* region, stretto_team** team);

#ifdef __cplusplus
}
#endif

#endif
