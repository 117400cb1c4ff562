/* SPDX-License-Identifier: BSD-3-Clause
 * Signals, atomics and mutexes. Programs include stretto/stretto.h. */
#ifndef STRETTO_C_UPDATES_H
#define STRETTO_C_UPDATES_H

#include <stretto/c/runtime.h>

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
/* Waits until the flag at `offset` of this rank's own part is at least `value`. *seen, unless NULL, is what
 * it is. */
int stretto_wait_signal(const stretto_region* region, size_t offset, uint64_t value, uint64_t* seen);
/* *raised: 1 when the flag is at least `value`; else 0, after a poll. */
int stretto_test_signal(const stretto_region* region, size_t offset, uint64_t value, int* raised);
/* Stores `value` in a flag of this rank's own part. */
int stretto_reset_signal(const stretto_region* region, size_t offset, uint64_t value);

/* ---- Atomics ----
 *
 * Of one integer, aligned. *before is its value before. They are complete at the target when they return.
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
