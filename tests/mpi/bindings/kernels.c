/* SPDX-License-Identifier: BSD-3-Clause
 * Transforms and sparse products. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"

enum { N0 = 8, N1 = 6, N2 = 10, COMPLEX_SIZE = 2 * sizeof(double) };

static size_t elements(const size_t count[]) { return count[0] * count[1] * count[2]; }

static void count_plane(size_t plane, void* context) {
  (void)plane;
  ++*(int*)context;
}

static void free_plan(size_t plane, void* context) {
  if (plane == 0) DONE(stretto_fft_free(context));
}

/* exp(2 pi i k . x / n) has one coefficient: the number of elements. */
static void fill_wave(double* array, const size_t first[], const size_t count[], const int k[]) {
  const double two_pi = 2 * acos(-1.0);
  for (size_t i = 0; i < elements(count); ++i) {
    const double phase = (double)k[0] * (double)(first[0] + i / (count[1] * count[2])) / N0 +
                         (double)k[1] * (double)(first[1] + i / count[2] % count[1]) / N1 +
                         (double)k[2] * (double)(first[2] + i % count[2]) / N2;
    array[2 * i] = cos(two_pi * phase);
    array[2 * i + 1] = sin(two_pi * phase);
  }
}

static double largest_difference(const double* one, const double* other, size_t count, double scale) {
  double largest = 0;
  for (size_t i = 0; i < count; ++i) largest = fmax(largest, fabs(one[i] - scale * other[i]));
  return largest;
}

/* The plan lives until its transform has ended. */
static void check_free_in_callback(const double* in, size_t size, double* out, size_t size_out) {
  stretto_fft_settings settings;
  stretto_fft* plan = NULL;
  DONE(stretto_fft_settings_init(&settings));
  settings.size[0] = N0;
  settings.size[1] = N1;
  settings.size[2] = N2;
  settings.effort = STRETTO_FFT_ESTIMATE;
  DONE(stretto_fft_create(runtime, &settings, &plan));
  DONE(stretto_fft_forward_by_planes(plan, in, size, out, size_out, free_plan, &plan));
  CHECK(plan == NULL);
}

static void check_wave(stretto_fft* plan) {
  const int k[] = {3, 2, 7};
  size_t first[3];
  size_t count[3];
  DONE(stretto_fft_input(plan, first, count));
  const size_t size = elements(count);
  double* in = malloc(size * COMPLEX_SIZE);
  fill_wave(in, first, count, k);
  size_t first_out[3];
  size_t count_out[3];
  DONE(stretto_fft_spectrum(plan, first_out, count_out));
  const size_t size_out = elements(count_out);
  double* out = malloc(size_out * COMPLEX_SIZE);
  DONE(stretto_fft_forward(plan, in, size, out, size_out));
  for (size_t i = 0; i < size_out; ++i) {
    const size_t x0 = first_out[0] + i / (count_out[1] * count_out[2]);
    const size_t x1 = first_out[1] + i / count_out[2] % count_out[1];
    const size_t x2 = first_out[2] + i % count_out[2];
    const double expected = x0 == 3 && x1 == 2 && x2 == 7 ? N0 * N1 * N2 : 0;
    CHECK(fabs(out[2 * i] - expected) < 1e-9 && fabs(out[2 * i + 1]) < 1e-9);
  }
  double* back = malloc(size * COMPLEX_SIZE);
  DONE(stretto_fft_inverse(plan, out, size_out, back, size));
  CHECK(largest_difference(back, in, 2 * size, N0 * N1 * N2) < 1e-9);

  int planes = 0;
  DONE(stretto_fft_forward_by_planes(plan, in, size, out, size_out, count_plane, &planes));
  CHECK(planes == (int)count[0]);
  planes = 0;
  DONE(stretto_fft_inverse_by_planes(plan, out, size_out, back, size, count_plane, &planes));
  CHECK(largest_difference(back, in, 2 * size, N0 * N1 * N2) < 1e-9);
  REFUSED(STRETTO_ERROR_ARGUMENT, "in", stretto_fft_forward(plan, in, size + 1, out, size_out));
  check_free_in_callback(in, size, out, size_out);
  free(in);
  free(out);
  free(back);
}

static void check_plan(stretto_fft* plan) {
  stretto_fft_settings settings;
  DONE(stretto_fft_settings_of(plan, &settings));
  CHECK(settings.size[1] == N1 && settings.grid[0] * settings.grid[1] == ranks &&
        strlen(settings.schedule) > 0);
  void* storage = NULL;
  size_t count = 0;
  DONE(stretto_fft_storage(plan, &storage, &count));
  CHECK((storage == NULL) == (count == 0));
  size_t copy_bytes = 0;
  size_t memory_bytes = 0;
  DONE(stretto_fft_memory(plan, &copy_bytes, &memory_bytes));
  CHECK(copy_bytes > 0 && memory_bytes >= copy_bytes);
  uint64_t messages = 0;
  DONE(stretto_fft_messages(plan, &messages));
  CHECK(ranks == 1 || messages > 0);
  stretto_timers timers;
  DONE(stretto_fft_timers(plan, &timers));
#ifndef STRETTO_SIMGRID /* where what is small takes no time */
  CHECK(timers.work_s > 0);
#endif
  DONE(stretto_fft_reset_timers(plan));
  DONE(stretto_fft_timers(plan, &timers));
  CHECK(timers.work_s == 0);
}

static void check_real(void) {
  stretto_fft_settings settings;
  stretto_fft* plan = NULL;
  size_t first[3];
  size_t count[3];
  size_t count_out[3];
  DONE(stretto_fft_settings_init(&settings));
  settings.size[0] = N0;
  settings.size[1] = N1;
  settings.size[2] = N2;
  settings.kind = STRETTO_FFT_REAL;
  settings.order = STRETTO_FFT_TRANSPOSED;
  settings.schedule = "pencils";
  settings.transport = STRETTO_TRANSPORT_TWO_SIDED;
  DONE(stretto_fft_create(runtime, &settings, &plan));
  DONE(stretto_fft_input(plan, first, count));
  DONE(stretto_fft_spectrum(plan, first, count_out));
  const size_t size = elements(count);
  double* in = malloc(size * sizeof *in);
  double* back = malloc(size * sizeof *in);
  double* out = malloc(elements(count_out) * COMPLEX_SIZE);
  for (size_t i = 0; i < size; ++i) in[i] = (double)((i * 7 + (size_t)me) % 11);
  DONE(stretto_fft_forward(plan, in, size, out, elements(count_out)));
  DONE(stretto_fft_inverse(plan, out, elements(count_out), back, size));
  CHECK(largest_difference(back, in, size, N0 * N1 * N2) < 1e-9);
  free(in);
  free(back);
  free(out);
  DONE(stretto_fft_free(&plan));
}

void test_transforms(void) {
  stretto_fft_settings settings;
  stretto_fft* plan = NULL;
  DONE(stretto_fft_settings_init(&settings));
  REFUSED(STRETTO_ERROR_ARGUMENT, "settings", stretto_fft_create(runtime, &settings, &plan));
  settings.size[0] = N0;
  settings.size[1] = N1;
  settings.size[2] = N2;
  settings.effort = STRETTO_FFT_ESTIMATE;
  settings.schedule = "diagonals";
  REFUSED(STRETTO_ERROR_ARGUMENT, "schedule", stretto_fft_create(runtime, &settings, &plan));
  settings.schedule = "slabs";
  CHECK(plan == NULL);
  DONE(stretto_fft_create(runtime, &settings, &plan));
  check_wave(plan);
  check_plan(plan);
  DONE(stretto_fft_free(&plan));
  CHECK(plan == NULL);
  DONE(stretto_fft_create_tuned(runtime, &settings, NULL, &plan));
  check_wave(plan);
  DONE(stretto_fft_free(&plan));
  check_real();
}

/* Row i of the matrix has 2 at i and -1 at i + 1 and i - 1, cyclically; x is its index. */
enum { ROWS = 5 };

static void check_product(stretto_spmv* plan) {
  const int n = ROWS * ranks;
  double x[ROWS];
  double y[ROWS];
  for (int i = 0; i < ROWS; ++i) x[i] = ROWS * me + i;
  DONE(stretto_spmv_multiply(plan, x, ROWS, y, ROWS));
  for (int i = 0; i < ROWS; ++i) {
    const int row = ROWS * me + i;
    CHECK(y[i] == 2.0 * row - (row + 1) % n - (row + n - 1) % n);
  }
  REFUSED(STRETTO_ERROR_ARGUMENT, "y", stretto_spmv_multiply(plan, x, ROWS, y, ROWS - 1));
}

void test_products(void) {
  const int n = ROWS * ranks;
  uint64_t start[ROWS + 1];
  uint32_t column[3 * ROWS];
  double value[3 * ROWS];
  for (int i = 0; i < ROWS; ++i) {
    const int row = ROWS * me + i;
    start[i] = 3 * (uint64_t)i;
    for (int k = -1; k <= 1; ++k) {
      column[3 * i + 1 + k] = (uint32_t)((row + k + n) % n);
      value[3 * i + 1 + k] = k == 0 ? 2 : -1;
    }
  }
  start[ROWS] = 3 * ROWS;
  stretto_spmv_settings settings;
  stretto_spmv* plan = NULL;
  for (int exchange = STRETTO_SPMV_SIGNALLED; exchange <= STRETTO_SPMV_BLOCKS; ++exchange) {
    DONE(stretto_spmv_settings_init(&settings));
    settings.exchange = exchange;
    DONE(stretto_spmv_create(runtime, ROWS, start, column, value, ROWS, &settings, &plan));
    check_product(plan);
    size_t needed = 0;
    size_t needed_ranks = 0;
    DONE(stretto_spmv_needed(plan, &needed, &needed_ranks));
    CHECK(needed == (ranks == 1 ? 0 : 2) && needed_ranks == (size_t)(ranks > 2 ? 2 : ranks - 1));
    uint64_t messages = 0;
    DONE(stretto_spmv_messages(plan, &messages));
    CHECK((messages > 0) == (ranks > 1));
    DONE(stretto_spmv_settings_of(plan, &settings));
    CHECK(settings.exchange == exchange);
    DONE(stretto_barrier(runtime));
    DONE(stretto_spmv_free(&plan));
    CHECK(plan == NULL);
  }
  DONE(stretto_spmv_create_tuned(runtime, ROWS, start, column, value, ROWS, &plan));
  check_product(plan);
  stretto_timers timers;
  DONE(stretto_spmv_reset_timers(plan));
  DONE(stretto_spmv_timers(plan, &timers));
  CHECK(timers.work_s == 0);
  DONE(stretto_barrier(runtime));
  DONE(stretto_spmv_free(&plan));
  settings.exchange = 9;
  REFUSED(STRETTO_ERROR_ARGUMENT, "exchange: 9 ",
          stretto_spmv_create(runtime, ROWS, start, column, value, ROWS, &settings, &plan));
}
