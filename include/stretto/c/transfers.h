/* SPDX-License-Identifier: BSD-3-Clause
 * Puts, gets, accumulates, and aggregates of them. Programs include stretto/stretto.h. */
#ifndef STRETTO_C_TRANSFERS_H
#define STRETTO_C_TRANSFERS_H

#include <stretto/c/runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Transfers ----
 *
 * Three shapes. Contiguous: `size_bytes`. Strided: blocks of counts[0] bytes; counts[i] of them, 1 <= i <=
 * levels, lie local_strides[i-1] apart here and remote_strides[i-1] apart at the target. Vector: `count`
 * pieces.
 *
 * Three kinds of completion. The plain functions return when they are complete at this rank; those to one
 * target take effect in order. stretto_nonblocking_ functions return when they have started and give a
 * handle, which must be waited for. stretto_implicit_ functions do so without a handle, for
 * stretto_wait_implicit. */

/* A piece that leaves this rank. */
typedef struct {
  const void* from;
  size_t offset; /* into the target's part */
  size_t size_bytes;
} stretto_put_piece;

/* A piece that arrives here. */
typedef struct {
  void* to;
  size_t offset;
  size_t size_bytes;
} stretto_get_piece;

int stretto_put(const stretto_region* region, int target, size_t offset, const void* source,
                size_t size_bytes);
int stretto_put_strided(const stretto_region* region, int target, size_t offset, const void* source,
                        int levels, const size_t counts[], const size_t local_strides[],
                        const size_t remote_strides[]);
int stretto_put_vector(const stretto_region* region, int target, size_t count,
                       const stretto_put_piece pieces[]);
int stretto_get(const stretto_region* region, int target, size_t offset, void* sink, size_t size_bytes);
int stretto_get_strided(const stretto_region* region, int target, size_t offset, void* sink, int levels,
                        const size_t counts[], const size_t local_strides[], const size_t remote_strides[]);
int stretto_get_vector(const stretto_region* region, int target, size_t count,
                       const stretto_get_piece pieces[]);

int stretto_nonblocking_put(const stretto_region* region, int target, size_t offset, const void* source,
                            size_t size_bytes, stretto_handle** handle);
int stretto_nonblocking_put_strided(const stretto_region* region, int target, size_t offset,
                                    const void* source, int levels, const size_t counts[],
                                    const size_t local_strides[], const size_t remote_strides[],
                                    stretto_handle** handle);
int stretto_nonblocking_put_vector(const stretto_region* region, int target, size_t count,
                                   const stretto_put_piece pieces[], stretto_handle** handle);
int stretto_nonblocking_get(const stretto_region* region, int target, size_t offset, void* sink,
                            size_t size_bytes, stretto_handle** handle);
int stretto_nonblocking_get_strided(const stretto_region* region, int target, size_t offset, void* sink,
                                    int levels, const size_t counts[], const size_t local_strides[],
                                    const size_t remote_strides[], stretto_handle** handle);
int stretto_nonblocking_get_vector(const stretto_region* region, int target, size_t count,
                                   const stretto_get_piece pieces[], stretto_handle** handle);

int stretto_implicit_put(const stretto_region* region, int target, size_t offset, const void* source,
                         size_t size_bytes);
int stretto_implicit_put_strided(const stretto_region* region, int target, size_t offset, const void* source,
                                 int levels, const size_t counts[], const size_t local_strides[],
                                 const size_t remote_strides[]);
int stretto_implicit_put_vector(const stretto_region* region, int target, size_t count,
                                const stretto_put_piece pieces[]);
int stretto_implicit_get(const stretto_region* region, int target, size_t offset, void* sink,
                         size_t size_bytes);
int stretto_implicit_get_strided(const stretto_region* region, int target, size_t offset, void* sink,
                                 int levels, const size_t counts[], const size_t local_strides[],
                                 const size_t remote_strides[]);
int stretto_implicit_get_vector(const stretto_region* region, int target, size_t count,
                                const stretto_get_piece pieces[]);

/* ---- Accumulates ----
 *
 * target[i] += factor * source[i], of one type all three. `factor` points to a number of that type; NULL
 * is 1. Each element is updated atomically, the two parts of a complex one separately. */

#define STRETTO_INT32 0
#define STRETTO_INT64 1
#define STRETTO_FLOAT32 2
#define STRETTO_FLOAT64 3
#define STRETTO_COMPLEX64 4
#define STRETTO_COMPLEX128 5

int stretto_accumulate(const stretto_region* region, int target, size_t offset, const void* source,
                       size_t size_bytes, int element_type, const void* factor);
int stretto_accumulate_strided(const stretto_region* region, int target, size_t offset, const void* source,
                               int levels, const size_t counts[], const size_t local_strides[],
                               const size_t remote_strides[], int element_type, const void* factor);
int stretto_accumulate_vector(const stretto_region* region, int target, size_t count,
                              const stretto_put_piece pieces[], int element_type, const void* factor);
int stretto_nonblocking_accumulate(const stretto_region* region, int target, size_t offset,
                                   const void* source, size_t size_bytes, int element_type,
                                   const void* factor, stretto_handle** handle);
int stretto_nonblocking_accumulate_strided(const stretto_region* region, int target, size_t offset,
                                           const void* source, int levels, const size_t counts[],
                                           const size_t local_strides[], const size_t remote_strides[],
                                           int element_type, const void* factor, stretto_handle** handle);
int stretto_nonblocking_accumulate_vector(const stretto_region* region, int target, size_t count,
                                          const stretto_put_piece pieces[], int element_type,
                                          const void* factor, stretto_handle** handle);
int stretto_implicit_accumulate(const stretto_region* region, int target, size_t offset, const void* source,
                                size_t size_bytes, int element_type, const void* factor);
int stretto_implicit_accumulate_strided(const stretto_region* region, int target, size_t offset,
                                        const void* source, int levels, const size_t counts[],
                                        const size_t local_strides[], const size_t remote_strides[],
                                        int element_type, const void* factor);
int stretto_implicit_accumulate_vector(const stretto_region* region, int target, size_t count,
                                       const stretto_put_piece pieces[], int element_type,
                                       const void* factor);

/* ---- Aggregates ----
 *
 * Puts, or gets, to one rank as one message. Until it is waited for, the sources of its puts must not change,
 * and the data of its gets is undefined. Then it is empty, and may be used again. */

int stretto_aggregate_create(stretto_runtime* runtime, stretto_aggregate** aggregate);
/* STRETTO_ERROR_HANDLE while it holds operations that were not waited for. */
int stretto_aggregate_free(stretto_aggregate** aggregate);
int stretto_aggregate_put(stretto_aggregate* aggregate, const stretto_region* region, int target,
                          size_t offset, const void* source, size_t size_bytes);
int stretto_aggregate_put_strided(stretto_aggregate* aggregate, const stretto_region* region, int target,
                                  size_t offset, const void* source, int levels, const size_t counts[],
                                  const size_t local_strides[], const size_t remote_strides[]);
int stretto_aggregate_put_vector(stretto_aggregate* aggregate, const stretto_region* region, int target,
                                 size_t count, const stretto_put_piece pieces[]);
int stretto_aggregate_get(stretto_aggregate* aggregate, const stretto_region* region, int target,
                          size_t offset, void* sink, size_t size_bytes);
int stretto_aggregate_get_strided(stretto_aggregate* aggregate, const stretto_region* region, int target,
                                  size_t offset, void* sink, int levels, const size_t counts[],
                                  const size_t local_strides[], const size_t remote_strides[]);
int stretto_aggregate_get_vector(stretto_aggregate* aggregate, const stretto_region* region, int target,
                                 size_t count, const stretto_get_piece pieces[]);
/* *pending: 1 while it holds operations that were not waited for. */
int stretto_aggregate_pending(const stretto_aggregate* aggregate, int* pending);
int stretto_aggregate_wait(stretto_runtime* runtime, stretto_aggregate* aggregate);
int stretto_aggregate_test(stretto_runtime* runtime, stretto_aggregate* aggregate, int* complete);

#ifdef __cplusplus
}
#endif

#endif
