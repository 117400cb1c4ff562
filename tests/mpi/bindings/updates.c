/* SPDX-License-Identifier: BSD-3-Clause
 * Accumulates, signals, notifications, atomics and mutexes. */
#include <string.h>

#include "checks.h"

/* All ranks add to rank 0 in every shape and completion, `factor` times 1. */
static void accumulate_all(stretto_region* region, const double* ones, const double* factor) {
  const size_t counts[] = {8, 2};
  const size_t strides[] = {16};
  const stretto_put_piece pieces[] = {{ones, 8, 8}, {ones + 1, 24, 8}};
  stretto_handle* handles[3] = {NULL};
  DONE(stretto_accumulate(region, 0, 0, ones, 32, STRETTO_FLOAT64, factor));
  DONE(stretto_accumulate_strided(region, 0, 0, ones, 1, counts, strides, strides, STRETTO_FLOAT64, factor));
  DONE(stretto_accumulate_vector(region, 0, 2, pieces, STRETTO_FLOAT64, factor));
  DONE(stretto_nonblocking_accumulate(region, 0, 0, ones, 32, STRETTO_FLOAT64, factor, &handles[0]));
  DONE(stretto_nonblocking_accumulate_strided(region, 0, 0, ones, 1, counts, strides, strides,
                                              STRETTO_FLOAT64, factor, &handles[1]));
  DONE(stretto_nonblocking_accumulate_vector(region, 0, 2, pieces, STRETTO_FLOAT64, factor, &handles[2]));
  DONE(stretto_wait_all(runtime, 3, handles));
  DONE(stretto_implicit_accumulate(region, 0, 0, ones, 32, STRETTO_FLOAT64, factor));
  DONE(stretto_implicit_accumulate_strided(region, 0, 0, ones, 1, counts, strides, strides, STRETTO_FLOAT64,
                                           factor));
  DONE(stretto_implicit_accumulate_vector(region, 0, 2, pieces, STRETTO_FLOAT64, factor));
  DONE(stretto_wait_implicit(runtime, 0));
}

static void check_elements(int type, const void* one, const void* two, size_t size_bytes) {
  stretto_region* region = new_region(32);
  DONE(stretto_accumulate(region, right_rank(), 16, one, size_bytes, type, NULL));
  DONE(stretto_accumulate(region, right_rank(), 16, one, size_bytes, type, one));
  DONE(stretto_barrier(runtime));
  CHECK(memcmp((const char*)local_part(region) + 16, two, size_bytes) == 0);
  free_region(region);
}

void test_accumulates(void) {
  stretto_region* region = new_region(32);
  const double ones[] = {1, 1, 1, 1};
  const double half = 0.5;
  accumulate_all(region, ones, &half);
  accumulate_all(region, ones, NULL);
  DONE(stretto_barrier(runtime));
  const double* mine = local_part(region);
  for (int i = 0; i < 4; ++i) CHECK(mine[i] == (me == 0 ? 9.0 * ranks : 0));
  free_region(region);

  const int32_t i32[] = {1, 2};
  const int64_t i64[] = {1, 2};
  const float f32[] = {1, 2};
  const float c64[][2] = {{1, 0}, {2, 0}};
  const double c128[][2] = {{1, 0}, {2, 0}};
  check_elements(STRETTO_INT32, &i32[0], &i32[1], 4);
  check_elements(STRETTO_INT64, &i64[0], &i64[1], 8);
  check_elements(STRETTO_FLOAT32, &f32[0], &f32[1], 4);
  check_elements(STRETTO_COMPLEX64, c64[0], c64[1], 8);
  check_elements(STRETTO_COMPLEX128, c128[0], c128[1], 16);
}

void test_signals(void) {
  enum { BYTES = 4000, FLAG = 4000, OTHER = 4008 };
  stretto_region* region = new_region(4016);
  const int right = right_rank();
  const size_t counts[] = {16, 10};
  const size_t strides[] = {32};
  stretto_handle* handles[2] = {NULL};
  char data[BYTES];
  memset(data, me + 1, sizeof data);
  uint64_t seen = 0;
  int raised = 1;

  DONE(stretto_test_signal(region, FLAG, 1000, &raised));
  CHECK(raised == 0);
  DONE(stretto_put_signal(region, right, 0, data, 2000, FLAG, 3, STRETTO_FLAG_ADD));
  DONE(stretto_put_signal_strided(region, right, 2000, data, 1, counts, strides, strides, FLAG, 4,
                                  STRETTO_FLAG_ADD));
  DONE(stretto_wait_signal(region, FLAG, 7, &seen));
  CHECK(seen == 7);
  const char* mine = local_part(region);
  CHECK(mine[0] == left_rank() + 1 && mine[1999] == left_rank() + 1);
  CHECK(mine[2000 + 9 * 32 + 15] == left_rank() + 1 && mine[2000 + 16] == 0);
  DONE(stretto_reset_signal(region, FLAG, 0));
  DONE(stretto_barrier(runtime));

  DONE(
      stretto_nonblocking_put_signal(region, right, 0, data, BYTES, FLAG, 50, STRETTO_FLAG_SET, &handles[0]));
  DONE(stretto_nonblocking_put_signal_strided(region, right, 0, data, 1, counts, strides, strides, OTHER, 1,
                                              STRETTO_FLAG_ADD, &handles[1]));
  DONE(stretto_wait_all(runtime, 2, handles));
  raised = 0;
  while (!raised) DONE(stretto_test_signal(region, FLAG, 50, &raised));
  DONE(stretto_wait_signal(region, OTHER, 1, NULL));
  CHECK(mine[BYTES - 1] == left_rank() + 1);
  free_region(region);
}

void test_notifications(void) {
  uint64_t sent = 0;
  uint64_t received = 0;
  DONE(stretto_notify(runtime, right_rank(), &sent));
  DONE(stretto_wait_notify(runtime, left_rank(), &received));
  CHECK(sent >= 1 && sent == received);
}

void test_atomics(void) {
  stretto_region* region = new_region(64);
  int64_t before64 = -1;
  int32_t before32 = -1;
  DONE(stretto_fetch_add_int64(region, 0, 0, 2, &before64));
  CHECK(before64 >= 0 && before64 < 2 * ranks && before64 % 2 == 0);
  DONE(stretto_fetch_add_int32(region, 0, 8, -1, &before32));
  CHECK(before32 <= 0 && before32 > -ranks);
  DONE(stretto_barrier(runtime));
  if (me == 0) CHECK(*(const int64_t*)local_part(region) == 2 * ranks);

  DONE(stretto_swap_int64(region, right_rank(), 16, 10 + me, &before64));
  CHECK(before64 == 0);
  DONE(stretto_swap_int32(region, right_rank(), 24, 20 + me, &before32));
  CHECK(before32 == 0);
  DONE(stretto_compare_swap_int64(region, right_rank(), 16, 10 + me, 30, &before64));
  CHECK(before64 == 10 + me);
  DONE(stretto_compare_swap_int64(region, right_rank(), 16, 10 + me, 40, &before64));
  CHECK(before64 == 30);
  DONE(stretto_compare_swap_int32(region, right_rank(), 24, 20 + me, 30, &before32));
  CHECK(before32 == 20 + me);
  DONE(stretto_barrier(runtime));
  CHECK(((const int64_t*)local_part(region))[2] == 30 && ((const int32_t*)local_part(region))[6] == 30);
  free_region(region);
}

/* Updates of every type by operation, blocking and not, with the value before and without. */
void test_values(void) {
  stretto_region* region = new_region(64);
  const int right = right_rank();
  stretto_handle* handle = NULL;
  double real = 0.5;
  double real_before = -1;
  float narrow = 2;
  uint32_t word = 12;
  uint32_t before = 1;
  DONE(stretto_atomic(region, right, 0, STRETTO_FLOAT64, STRETTO_ATOMIC_ADD, &real, &real_before));
  CHECK(real_before == 0);
  DONE(stretto_nonblocking_atomic(region, right, 0, STRETTO_FLOAT64, STRETTO_ATOMIC_ADD, &real, NULL,
                                  &handle));
  DONE(stretto_wait_remote(&handle));
  DONE(stretto_atomic(region, right, 0, STRETTO_FLOAT64, STRETTO_ATOMIC_FETCH, NULL, &real_before));
  CHECK(real_before == 1);
  DONE(stretto_atomic(region, right, 8, STRETTO_FLOAT32, STRETTO_ATOMIC_SET, &narrow, NULL));
  DONE(stretto_atomic(region, right, 12, STRETTO_UINT32, STRETTO_ATOMIC_OR, &word, NULL));
  word = 10;
  DONE(stretto_atomic(region, right, 12, STRETTO_UINT32, STRETTO_ATOMIC_AND, &word, &before));
  CHECK(before == 12);
  DONE(stretto_nonblocking_atomic(region, right, 12, STRETTO_UINT32, STRETTO_ATOMIC_XOR, &word, &before,
                                  &handle));
  DONE(stretto_wait(runtime, &handle));
  CHECK(before == 8);
  before = 2;
  DONE(stretto_nonblocking_compare_swap(region, right, 12, STRETTO_UINT32, &before, &word, &before, &handle));
  DONE(stretto_wait(runtime, &handle));
  CHECK(before == 2);
  REFUSED(STRETTO_ERROR_ARGUMENT, "operation",
          stretto_atomic(region, right, 0, STRETTO_FLOAT64, STRETTO_ATOMIC_OR, &real, NULL));
  REFUSED(STRETTO_ERROR_ARGUMENT, "fetched",
          stretto_atomic(region, right, 0, STRETTO_INT64, STRETTO_ATOMIC_FETCH, NULL, NULL));
  REFUSED(STRETTO_ERROR_ARGUMENT, "type",
          stretto_atomic(region, right, 0, STRETTO_COMPLEX64, STRETTO_ATOMIC_ADD, &real, NULL));
  DONE(stretto_barrier(runtime));
  CHECK(((const float*)local_part(region))[2] == 2 && ((const uint32_t*)local_part(region))[3] == 10);
  free_region(region);
}

void test_mutexes(void) {
  enum { ROUNDS = 20 };
  stretto_region* region = new_region(8);
  stretto_mutexes* mutexes = NULL;
  DONE(stretto_mutexes_create(runtime, me == 0 ? 2 : 0, &mutexes));
  for (int i = 0; i < ROUNDS; ++i) {
    int64_t value = 0;
    DONE(stretto_mutexes_lock(mutexes, 0, 1));
    DONE(stretto_get(region, 0, 0, &value, sizeof value));
    ++value;
    DONE(stretto_put(region, 0, 0, &value, sizeof value));
    DONE(stretto_mutexes_unlock(mutexes, 0, 1));
  }
  REFUSED(STRETTO_ERROR_ARGUMENT, "index", stretto_mutexes_unlock(mutexes, 0, 1));
  DONE(stretto_mutexes_lock(mutexes, 0, 0));
  REFUSED(STRETTO_ERROR_ARGUMENT, "index", stretto_mutexes_lock(mutexes, 0, 0));
  DONE(stretto_mutexes_unlock(mutexes, 0, 0));
  DONE(stretto_barrier(runtime));
  if (me == 0) CHECK(*(const int64_t*)local_part(region) == ROUNDS * ranks);
  DONE(stretto_barrier(runtime));
  DONE(stretto_mutexes_free(&mutexes));
  CHECK(mutexes == NULL);
  free_region(region);
}
