/* SPDX-License-Identifier: BSD-3-Clause
 * Distributed transforms and sparse products for C, and for languages that call C: stretto/fft.hpp and
 * stretto/spmv.hpp as functions, under the rules of stretto/stretto.h. A library for MPI's standard ABI does
 * not have them.
 */
#ifndef STRETTO_KERNELS_H
#define STRETTO_KERNELS_H

#include <stretto/stretto.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How data is exchanged: the one-sided runtime; MPI's windows; Isend and Irecv; a blocking all-to-all. */
#define STRETTO_TRANSPORT_ONE_SIDED 0
#define STRETTO_TRANSPORT_MPI_RMA 1
#define STRETTO_TRANSPORT_TWO_SIDED 2
#define STRETTO_TRANSPORT_ALLTOALL 3

/* Where the time of a plan's calls went, in seconds. */
typedef struct {
  double init_s;    /* packing and starting transfers */
  double work_s;    /* computing */
  double sync_s;    /* waiting for data */
  double barrier_s; /* notifying others */
} stretto_timers;

/* ---- Transforms in three dimensions ----
 *
 * The array is size[0] x size[1] x size[2], the last index fastest, complex numbers of two doubles. Unscaled:
 * inverse after forward gives size[0] size[1] size[2] times the input. */

typedef struct stretto_fft stretto_fft;

#define STRETTO_FFT_COMPLEX 0
#define STRETTO_FFT_REAL 1 /* size[2] / 2 + 1 complex numbers of each row */

#define STRETTO_FFT_NATURAL 0    /* the spectrum lies like the input */
#define STRETTO_FFT_TRANSPOSED 1 /* as the transpose leaves it: [n1 of this rank][n0][n2] */

#define STRETTO_FFT_MEASURE 0 /* effort of FFTW's planning */
#define STRETTO_FFT_ESTIMATE 1

typedef struct {
  size_t size[3];
  size_t batch;         /* arrays that one call transforms */
  const char* schedule; /* "packed-slabs", "slabs", "pencils" or "chunks=X" */
  int kind;
  int order;
  int transport;
  int effort;
  int grid[2]; /* p1 x p2; 0 x 0: chosen */
} stretto_fft_settings;

/* size becomes 0 x 0 x 0, all else the defaults. */
int stretto_fft_settings_init(stretto_fft_settings* settings);
/* Collective over the runtime, which must outlive the plan. */
int stretto_fft_create(stretto_runtime* runtime, const stretto_fft_settings* settings, stretto_fft** plan);
/* With the fastest schedule, by the profile of that file name or, where it is NULL, by the environment's or
 * by measuring. Collective. */
int stretto_fft_create_tuned(stretto_runtime* runtime, const stretto_fft_settings* settings,
                             const char* profile, stretto_fft** plan);
/* Collective. */
int stretto_fft_free(stretto_fft** plan);
/* The effective settings: grid and schedule are those that were chosen. The schedule's text stays until the
 * plan is freed. */
int stretto_fft_settings_of(const stretto_fft* plan, stretto_fft_settings* settings);
/* This rank's part of the array and of the spectrum: `first` and `count` have three members each, by
 * dimension of the array. */
int stretto_fft_input(const stretto_fft* plan, size_t first[], size_t count[]);
int stretto_fft_spectrum(const stretto_fft* plan, size_t first[], size_t count[]);
/* Transforms this rank's part. `in_count` and `out_count` are the numbers in all arrays of a batch: complex
 * numbers, or real ones in the array of a real plan. A wrong count is an error. `in` and `out` may be the
 * same memory. Collective. */
int stretto_fft_forward(stretto_fft* plan, const void* in, size_t in_count, void* out, size_t out_count);
int stretto_fft_inverse(stretto_fft* plan, const void* in, size_t in_count, void* out, size_t out_count);
/* Called with the number of a local plane just before it is read. It must not call the plan, but may free it:
 * that happens when the transform has ended. */
typedef void (*stretto_before_plane)(size_t plane, void* context);
int stretto_fft_forward_by_planes(stretto_fft* plan, const void* in, size_t in_count, void* out,
                                  size_t out_count, stretto_before_plane before, void* context);
int stretto_fft_inverse_by_planes(stretto_fft* plan, const void* in, size_t in_count, void* out,
                                  size_t out_count, stretto_before_plane before, void* context);
/* The plan's own array of complex numbers. NULL and 0 unless the plan is a complex one in natural order. */
int stretto_fft_storage(const stretto_fft* plan, void** address, size_t* count);
/* Bytes of one copy of this rank's array, and of all that the plan holds. */
int stretto_fft_memory(const stretto_fft* plan, size_t* copy_bytes, size_t* memory_bytes);
/* Messages that this rank has sent so far. */
int stretto_fft_messages(const stretto_fft* plan, uint64_t* messages);
int stretto_fft_timers(const stretto_fft* plan, stretto_timers* timers);
int stretto_fft_reset_timers(stretto_fft* plan);

/* ---- Sparse products ----
 *
 * y = A x. Rows and vectors are cut into consecutive blocks, one a rank. */

typedef struct stretto_spmv stretto_spmv;

#define STRETTO_SPMV_SIGNALLED 0  /* owners pack what a rank needs, and put it with a flag */
#define STRETTO_SPMV_AGGREGATE 1  /* a get of each element, as one request to each rank */
#define STRETTO_SPMV_VECTOR 2     /* one get with all pieces */
#define STRETTO_SPMV_INDIVIDUAL 3 /* a get of each element */
#define STRETTO_SPMV_BLOCKS 4     /* gets of whole blocks */

typedef struct {
  size_t prefetch; /* of blocks: how many are on their way ahead */
  int exchange;
  int transport;
} stretto_spmv_settings;

int stretto_spmv_settings_init(stretto_spmv_settings* settings);
/* This rank's `rows` rows, compressed: start[r] to start[r + 1] are the places of row r in column and value.
 * Columns are those of the whole matrix; `x_count` elements of x are this rank's. The matrix is copied. NULL
 * settings are the defaults. Collective over the runtime, which must outlive the plan. */
int stretto_spmv_create(stretto_runtime* runtime, size_t rows, const uint64_t start[],
                        const uint32_t column[], const double value[], size_t x_count,
                        const stretto_spmv_settings* settings, stretto_spmv** plan);
/* With the fastest exchange, by measuring. Collective. */
int stretto_spmv_create_tuned(stretto_runtime* runtime, size_t rows, const uint64_t start[],
                              const uint32_t column[], const double value[], size_t x_count,
                              stretto_spmv** plan);
/* Collective. */
int stretto_spmv_free(stretto_spmv** plan);
int stretto_spmv_settings_of(const stretto_spmv* plan, stretto_spmv_settings* settings);
/* Elements of other ranks that this rank's rows need, and in how many ranks' blocks they lie. */
int stretto_spmv_needed(const stretto_spmv* plan, size_t* elements, size_t* ranks);
/* This rank's blocks of both vectors. Collective. */
int stretto_spmv_multiply(stretto_spmv* plan, const double x[], size_t x_count, double y[], size_t y_count);
/* Puts or gets that this rank has started so far. */
int stretto_spmv_messages(const stretto_spmv* plan, uint64_t* messages);
int stretto_spmv_timers(const stretto_spmv* plan, stretto_timers* timers);
int stretto_spmv_reset_timers(stretto_spmv* plan);

#ifdef __cplusplus
}
#endif

#endif
