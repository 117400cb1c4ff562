/* SPDX-License-Identifier: BSD-3-Clause
 * Signals, atomics and mutexes. Programs include stretto/stretto.h. */
#ifndef STRETTO_C_UPDATES_H
#define STRETTO_C_UPDATES_H

#include <stretto/c/teams.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Signals ----
 *
 * A put with a flag, a uint64_t in the same part of the region, aligned to 8. The flag is raised at the
 * target after the data is visible there. */

#define STRETTO_FLAG_SET 0 /* the value is stored */
#define STRETTO_FLAG_ADD 1 /* the value is added: a counter of arrivals */

int stretto_put_signal(const stretto_region* region, int target, size_t offset, const void* source,
                       size_t size_bytes, size_t flag_offset, uint64_t flag_value, int flag_operation);
int stretto_put_signal_strided(const stretto_region* region, int target, size_t offset, const void* source,
                               int levels, const size_t counts[], const size_t local_strides[],
                               const size_t remote_strides[], size_t flag_offset, uint64_t flag_value,
                               int flag_operation);
int stretto_nonblocking_put_signal(const stretto_region* region, int target, size_t offset,
                                   const void* source, size_t size_bytes, size_t flag_offset,
                                   uint64_t flag_value, int flag_operation, stretto_handle** handle);
int stretto_nonblocking_put_signal_strided(const stretto_region* region, int target, size_t offset,
                                           const void* source, int levels, const size_t counts[],
                                           const size_t local_strides[], const size_t remote_strides[],
                                           size_t flag_offset, uint64_t flag_value, int flag_operation,
                                           stretto_handle** handle);
/* The flag alone. */
int stretto_raise_signal(const stretto_region* region, int target, size_t flag_offset, uint64_t flag_value,
                         int flag_operation);
int stretto_nonblocking_raise_signal(const stretto_region* region, int target, size_t flag_offset,
                                     uint64_t flag_value, int flag_operation, stretto_handle** handle);
/* Waits until the flag at `offset` of this rank's own part is at least `value`. *seen, unless NULL, is what
 * it is. */
int stretto_wait_signal(const stretto_region* region, size_t offset, uint64_t value, uint64_t* seen);
/* *raised: 1 when the flag is at least `value`; else 0, after a poll. */
int stretto_test_signal(const stretto_region* region, size_t offset, uint64_t value, int* raised);
/* Stores `value` in a flag of this rank's own part. */
int stretto_reset_signal(const stretto_region* region, size_t offset, uint64_t value);

#define STRETTO_EQUAL 0
#define STRETTO_NOT_EQUAL 1
#define STRETTO_GREATER 2
#define STRETTO_GREATER_EQUAL 3
#define STRETTO_LESS 4
#define STRETTO_LESS_EQUAL 5

/* That the flag at `offset` of this rank's own part compares so with `value`. */
typedef struct {
  size_t offset;
  uint64_t value;
  int comparison;
} stretto_signal_condition;

/* Waits until one of `count` conditions holds. *index is the lowest of those that do. */
int stretto_wait_any_signal(const stretto_region* region, size_t count,
                            const stretto_signal_condition conditions[], size_t* index);
/* The same; the *found indices of all that hold are in `indices`, which takes up to `count`. */
int stretto_wait_some_signals(const stretto_region* region, size_t count,
                              const stretto_signal_condition conditions[], size_t* found, size_t indices[]);
/* Waits until each has held once. */
int stretto_wait_all_signals(const stretto_region* region, size_t count,
                             const stretto_signal_condition conditions[]);
/* *index is `count` when none holds, after a poll. */
int stretto_test_any_signal(const stretto_region* region, size_t count,
                            const stretto_signal_condition conditions[], size_t* index);

/* ---- Atomics ----
 *
 * Of one value of a type, integers and reals of 32 and 64 bits, aligned. With `fetched`, the value before is
 * stored there, and the update is complete at the target then. Without it (NULL), the update completes and is
 * ordered as a put. */

#define STRETTO_ATOMIC_ADD 0
#define STRETTO_ATOMIC_AND 1 /* this and the next two: of integers */
#define STRETTO_ATOMIC_OR 2
#define STRETTO_ATOMIC_XOR 3
#define STRETTO_ATOMIC_SET 4
#define STRETTO_ATOMIC_FETCH 5 /* changes nothing; `operand` is not read */

int stretto_atomic(const stretto_region* region, int target, size_t offset, int type, int operation,
                   const void* operand, void* fetched);
/* `fetched` must stay until the handle is complete. */
int stretto_nonblocking_atomic(const stretto_region* region, int target, size_t offset, int type,
                               int operation, const void* operand, void* fetched, stretto_handle** handle);
/* Stores `operand` if the value is `expected`; of integers. */
int stretto_nonblocking_compare_swap(const stretto_region* region, int target, size_t offset, int type,
                                     const void* expected, const void* operand, void* fetched,
                                     stretto_handle** handle);

/* Of one integer, aligned. *before is its value before. They are complete at the target when they return.
 * Unsigned integers have the same functions: additions wrap around. */

int stretto_fetch_add_int32(const stretto_region* region, int target, size_t offset, int32_t value,
                            int32_t* before);
int stretto_fetch_add_int64(const stretto_region* region, int target, size_t offset, int64_t value,
                            int64_t* before);
int stretto_swap_int32(const stretto_region* region, int target, size_t offset, int32_t value,
                       int32_t* before);
int stretto_swap_int64(const stretto_region* region, int target, size_t offset, int64_t value,
                       int64_t* before);
/* Stores `desired` if the value is `expected`. */
int stretto_compare_swap_int32(const stretto_region* region, int target, size_t offset, int32_t expected,
                               int32_t desired, int32_t* before);
int stretto_compare_swap_int64(const stretto_region* region, int target, size_t offset, int64_t expected,
                               int64_t desired, int64_t* before);

/* ---- Mutexes ----
 *
 * Held by ranks, first come first served. */

/* `count` mutexes of this rank; the counts may differ. Collective. */
int stretto_mutexes_create(stretto_runtime* runtime, size_t count, stretto_mutexes** mutexes);
/* None may be held. Collective. */
int stretto_mutexes_free(stretto_mutexes** mutexes);
/* Returns when this rank holds the mutex: what earlier holders have put under it is visible. */
int stretto_mutexes_lock(stretto_mutexes* mutexes, int owner, size_t index);
/* Fences all targets, and passes the mutex on. */
int stretto_mutexes_unlock(stretto_mutexes* mutexes, int owner, size_t index);

#ifdef __cplusplus
}
#endif

#endif
