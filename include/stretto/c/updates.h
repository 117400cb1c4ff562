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
 * A flag is a uint64_t in a region, aligned to 8 bytes. A put with a signal raises a flag in the same part of
 * the region, after the data is visible at the target. `flag_operation` is one of these two. */

#define STRETTO_FLAG_SET 0 /* stores the value */
#define STRETTO_FLAG_ADD 1 /* adds the value, for a counter of arrivals */

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
/* Raises the flag without data. Completes and is ordered as a put. */
int stretto_raise_signal(const stretto_region* region, int target, size_t flag_offset, uint64_t flag_value,
                         int flag_operation);
int stretto_nonblocking_raise_signal(const stretto_region* region, int target, size_t flag_offset,
                                     uint64_t flag_value, int flag_operation, stretto_handle** handle);
/* Waits until the flag at `offset` of this rank's own part is at least `value`. Stores the flag in *seen,
 * unless `seen` is NULL. */
int stretto_wait_signal(const stretto_region* region, size_t offset, uint64_t value, uint64_t* seen);
/* *raised is 1 when the flag is at least `value`. Otherwise it is 0, and the call has polled. */
int stretto_test_signal(const stretto_region* region, size_t offset, uint64_t value, int* raised);
/* Stores `value` in a flag of this rank's own part. */
int stretto_reset_signal(const stretto_region* region, size_t offset, uint64_t value);

#define STRETTO_EQUAL 0
#define STRETTO_NOT_EQUAL 1
#define STRETTO_GREATER 2
#define STRETTO_GREATER_EQUAL 3
#define STRETTO_LESS 4
#define STRETTO_LESS_EQUAL 5

/* A condition: the flag at `offset` of this rank's own part has the relation `comparison` to `value`.
 * `comparison` is one of the constants above. */
typedef struct {
  size_t offset;
  uint64_t value;
  int comparison;
} stretto_signal_condition;

/* Waits until at least one of `count` conditions holds. *index is the lowest index of those that hold. */
int stretto_wait_any_signal(const stretto_region* region, size_t count,
                            const stretto_signal_condition conditions[], size_t* index);
/* Waits likewise. Stores the indices of all conditions that hold in `indices`, which must have `count`
 * elements, and their number in *found. */
int stretto_wait_some_signals(const stretto_region* region, size_t count,
                              const stretto_signal_condition conditions[], size_t* found, size_t indices[]);
/* Waits until each of the conditions has held once. */
int stretto_wait_all_signals(const stretto_region* region, size_t count,
                             const stretto_signal_condition conditions[]);
/* *index is the lowest index of those that hold. It is `count` when none holds, and the call has polled. */
int stretto_test_any_signal(const stretto_region* region, size_t count,
                            const stretto_signal_condition conditions[], size_t* index);

/* ---- Atomics ----
 *
 * They update one aligned value. `type` is an integer or real type of transfers.h, or STRETTO_UINT32 or
 * STRETTO_UINT64. The value before the update is stored at `fetched`, and the update is then complete at the
 * target. Where `fetched` is NULL, the update completes and is ordered as a put. */

#define STRETTO_ATOMIC_ADD 0
#define STRETTO_ATOMIC_AND 1 /* this and the next two: for integers only */
#define STRETTO_ATOMIC_OR 2
#define STRETTO_ATOMIC_XOR 3
#define STRETTO_ATOMIC_SET 4
#define STRETTO_ATOMIC_FETCH 5 /* changes nothing; `operand` is not read */

int stretto_atomic(const stretto_region* region, int target, size_t offset, int type, int operation,
                   const void* operand, void* fetched);
/* `fetched` must stay until the handle is complete. */
int stretto_nonblocking_atomic(const stretto_region* region, int target, size_t offset, int type,
                               int operation, const void* operand, void* fetched, stretto_handle** handle);
/* Stores `operand` if the value is `expected`; for integers only. */
int stretto_nonblocking_compare_swap(const stretto_region* region, int target, size_t offset, int type,
                                     const void* expected, const void* operand, void* fetched,
                                     stretto_handle** handle);

/* The following functions update one aligned integer. *before is its value before the update. The update is
 * complete at the target when they return. They serve unsigned integers, too: additions wrap around. */

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
 * Ranks own and hold them, first come first served. A mutex is named by its owner, and its index among the
 * owner's. */

/* Creates `count` mutexes that this rank owns; the counts of the ranks may differ. Collective over the
 * runtime. */
int stretto_mutexes_create(stretto_runtime* runtime, size_t count, stretto_mutexes** mutexes);
/* No mutex may be held. Collective. */
int stretto_mutexes_free(stretto_mutexes** mutexes);
/* Returns when this rank holds the mutex. What earlier holders have put while they held it is visible. */
int stretto_mutexes_lock(stretto_mutexes* mutexes, int owner, size_t index);
/* Fences all targets, and passes the mutex to the next rank. */
int stretto_mutexes_unlock(stretto_mutexes* mutexes, int owner, size_t index);

#ifdef __cplusplus
}
#endif

#endif
