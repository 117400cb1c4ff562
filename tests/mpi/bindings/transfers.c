/* SPDX-License-Identifier: BSD-3-Clause
 * Put and get, of every shape and completion, and handles. */
#include <string.h>

#include "checks.h"

enum { COUNT = 500, ROWS = 6, COLUMNS = 5, PIECES = 20 };
enum { PLAIN, NONBLOCKING, IMPLICIT, COMPLETIONS };

static void wait_for(int completion, stretto_handle* handle, int target) {
  if (completion == NONBLOCKING) DONE(stretto_wait(runtime, &handle));
  if (completion == IMPLICIT && target % 2 == 0) DONE(stretto_wait_implicit(runtime, target));
  if (completion == IMPLICIT && target % 2 == 1) DONE(stretto_wait_implicit_all(runtime));
  CHECK(handle == NULL);
}

void test_contiguous(void) {
  const int right = right_rank();
  for (int completion = 0; completion < COMPLETIONS; ++completion) {
    stretto_region* region = new_region(COUNT * sizeof(double));
    stretto_handle* handle = NULL;
    double row[COUNT];
    for (int i = 0; i < COUNT; ++i) row[i] = 1000.0 * me + i;
    if (completion == PLAIN) DONE(stretto_put(region, right, 0, row, sizeof row));
    if (completion == NONBLOCKING) DONE(stretto_nonblocking_put(region, right, 0, row, sizeof row, &handle));
    if (completion == IMPLICIT) DONE(stretto_implicit_put(region, right, 0, row, sizeof row));
    wait_for(completion, handle, right);
    memset(row, 0, sizeof row);
    DONE(stretto_fence(runtime, right));
    handle = NULL;
    if (completion == PLAIN) DONE(stretto_get(region, right, 0, row, sizeof row));
    if (completion == NONBLOCKING) DONE(stretto_nonblocking_get(region, right, 0, row, sizeof row, &handle));
    if (completion == IMPLICIT) DONE(stretto_implicit_get(region, right, 0, row, sizeof row));
    wait_for(completion, handle, right);
    for (int i = 0; i < COUNT; ++i) CHECK(row[i] == 1000.0 * me + i);
    DONE(stretto_barrier(runtime));
    const double* mine = local_part(region);
    CHECK(mine[0] == 1000.0 * left_rank() && mine[COUNT - 1] == 1000.0 * left_rank() + COUNT - 1);
    free_region(region);
  }
}

/* A block of ROWS x COLUMNS within rows of COUNT numbers there, packed here. */
void test_strided(void) {
  const int right = right_rank();
  const size_t counts[] = {COLUMNS * sizeof(double), ROWS};
  const size_t local[] = {COLUMNS * sizeof(double)};
  const size_t remote[] = {COUNT * sizeof(double)};
  const size_t offset = 7 * sizeof(double);
  for (int completion = 0; completion < COMPLETIONS; ++completion) {
    stretto_region* region = new_region(ROWS * COUNT * sizeof(double));
    stretto_handle* handle = NULL;
    double block[ROWS][COLUMNS];
    for (int i = 0; i < ROWS * COLUMNS; ++i) block[i / COLUMNS][i % COLUMNS] = 100 * me + i + 1;
    if (completion == PLAIN)
      DONE(stretto_put_strided(region, right, offset, block, 1, counts, local, remote));
    if (completion == NONBLOCKING) {
      DONE(stretto_nonblocking_put_strided(region, right, offset, block, 1, counts, local, remote, &handle));
    }
    if (completion == IMPLICIT) {
      DONE(stretto_implicit_put_strided(region, right, offset, block, 1, counts, local, remote));
    }
    wait_for(completion, handle, right);
    memset(block, 0, sizeof block);
    DONE(stretto_fence_all(runtime));
    handle = NULL;
    if (completion == PLAIN)
      DONE(stretto_get_strided(region, right, offset, block, 1, counts, local, remote));
    if (completion == NONBLOCKING) {
      DONE(stretto_nonblocking_get_strided(region, right, offset, block, 1, counts, local, remote, &handle));
    }
    if (completion == IMPLICIT) {
      DONE(stretto_implicit_get_strided(region, right, offset, block, 1, counts, local, remote));
    }
    wait_for(completion, handle, right);
    for (int i = 0; i < ROWS * COLUMNS; ++i) CHECK(block[i / COLUMNS][i % COLUMNS] == 100 * me + i + 1);
    DONE(stretto_barrier(runtime));
    const double* mine = local_part(region);
    double sum = 0;
    for (int i = 0; i < ROWS * COUNT; ++i) sum += mine[i];
    CHECK(sum == ROWS * COLUMNS * (100.0 * left_rank() + 1) + ROWS * COLUMNS * (ROWS * COLUMNS - 1) / 2.0);
    CHECK(mine[COUNT + 7] == 100 * left_rank() + COLUMNS + 1);
    free_region(region);
  }
}

void test_vectors(void) {
  const int right = right_rank();
  for (int completion = 0; completion < COMPLETIONS; ++completion) {
    stretto_region* region = new_region(PIECES * 16);
    stretto_handle* handle = NULL;
    int64_t values[PIECES];
    int64_t back[PIECES];
    stretto_put_piece out[PIECES];
    stretto_get_piece in[PIECES];
    for (int i = 0; i < PIECES; ++i) {
      values[i] = 100 * me + i;
      out[i] = (stretto_put_piece){&values[i], 16 * (size_t)i, sizeof *values};
      in[i] = (stretto_get_piece){&back[PIECES - 1 - i], 16 * (size_t)i, sizeof *back};
    }
    if (completion == PLAIN) DONE(stretto_put_vector(region, right, PIECES, out));
    if (completion == NONBLOCKING) DONE(stretto_nonblocking_put_vector(region, right, PIECES, out, &handle));
    if (completion == IMPLICIT) DONE(stretto_implicit_put_vector(region, right, PIECES, out));
    wait_for(completion, handle, right);
    DONE(stretto_fence(runtime, right));
    handle = NULL;
    if (completion == PLAIN) DONE(stretto_get_vector(region, right, PIECES, in));
    if (completion == NONBLOCKING) DONE(stretto_nonblocking_get_vector(region, right, PIECES, in, &handle));
    if (completion == IMPLICIT) DONE(stretto_implicit_get_vector(region, right, PIECES, in));
    wait_for(completion, handle, right);
    for (int i = 0; i < PIECES; ++i) CHECK(back[PIECES - 1 - i] == values[i]);
    DONE(stretto_barrier(runtime));
    const int64_t* mine = local_part(region);
    for (int i = 0; i < PIECES; ++i) CHECK(mine[2 * i] == 100 * left_rank() + i && mine[2 * i + 1] == 0);
    free_region(region);
  }
}

void test_handles(void) {
  enum { HANDLES = 10 };
  stretto_region* region = new_region(2 * HANDLES * sizeof(double));
  stretto_handle* handles[HANDLES] = {NULL};
  double values[HANDLES];
  DONE(stretto_wait(runtime, &handles[0])); /* NULL is complete */
  for (int i = 0; i < HANDLES; ++i) {
    values[i] = me + i / 10.0;
    DONE(stretto_nonblocking_put(region, right_rank(), (size_t)i * 8, &values[i], 8, &handles[i]));
  }
  size_t index = HANDLES;
  stretto_handle* twice[] = {handles[0], NULL, handles[1], NULL, handles[0]};
  REFUSED(STRETTO_ERROR_HANDLE, "handles: 0 and 4", stretto_wait_all(runtime, 5, twice));
  REFUSED(STRETTO_ERROR_HANDLE, "handles: 0 and 4", stretto_wait_any(runtime, 5, twice, &index));
  CHECK(index == HANDLES && twice[0] == handles[0] && twice[2] == handles[1] && twice[4] == handles[0]);
  DONE(stretto_wait_any(runtime, HANDLES, handles, &index));
  CHECK(index < HANDLES && handles[index] == NULL);
  int complete = 0;
  const size_t other = index == 3 ? 4 : 3;
  while (!complete) DONE(stretto_test(runtime, &handles[other], &complete));
  CHECK(handles[other] == NULL);
  DONE(stretto_wait_all(runtime, HANDLES, handles));
  for (int i = 0; i < HANDLES; ++i) CHECK(handles[i] == NULL);
  REFUSED(STRETTO_ERROR_HANDLE, "wait_any", stretto_wait_any(runtime, HANDLES, handles, &index));
  DONE(stretto_barrier(runtime));
  const double* mine = local_part(region);
  for (int i = 0; i < HANDLES; ++i) CHECK(mine[i] == left_rank() + i / 10.0);
  free_region(region);
}
