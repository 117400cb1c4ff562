/* SPDX-License-Identifier: BSD-3-Clause
 * Aggregates, and what is refused. */
#include <string.h>

#include "checks.h"

static void aggregate_puts(stretto_aggregate* aggregate, stretto_region* region, const double* values) {
  const size_t counts[] = {8, 4};
  const size_t local[] = {8};
  const size_t remote[] = {16};
  const stretto_put_piece pieces[] = {{values, 200, 16}, {values + 2, 232, 8}};
  for (size_t i = 0; i < 4; ++i)
    DONE(stretto_aggregate_put(aggregate, region, right_rank(), 8 * i, values + i, 8));
  DONE(stretto_aggregate_put_strided(aggregate, region, right_rank(), 64, values, 1, counts, local, remote));
  DONE(stretto_aggregate_put_vector(aggregate, region, right_rank(), 2, pieces));
}

static void aggregate_gets(stretto_aggregate* aggregate, stretto_region* region, double* back) {
  const size_t counts[] = {8, 4};
  const size_t local[] = {8};
  const size_t remote[] = {16};
  const stretto_get_piece pieces[] = {{back + 8, 200, 16}, {back + 10, 232, 8}};
  for (size_t i = 0; i < 4; ++i)
    DONE(stretto_aggregate_get(aggregate, region, right_rank(), 8 * i, back + i, 8));
  DONE(
      stretto_aggregate_get_strided(aggregate, region, right_rank(), 64, back + 4, 1, counts, local, remote));
  DONE(stretto_aggregate_get_vector(aggregate, region, right_rank(), 2, pieces));
}

void test_aggregates(void) {
  stretto_region* region = new_region(256);
  const double values[] = {me + 0.1, me + 0.2, me + 0.3, me + 0.4};
  double back[11] = {0};
  stretto_aggregate* aggregate = NULL;
  int pending = -1;
  DONE(stretto_aggregate_create(runtime, &aggregate));
  DONE(stretto_aggregate_pending(aggregate, &pending));
  CHECK(pending == 0);
  aggregate_puts(aggregate, region, values);
  DONE(stretto_aggregate_pending(aggregate, &pending));
  CHECK(pending == 1);
  REFUSED(STRETTO_ERROR_HANDLE, "", stretto_aggregate_free(&aggregate));
  REFUSED(STRETTO_ERROR_HANDLE, "", stretto_aggregate_get(aggregate, region, right_rank(), 0, back, 8));
  DONE(stretto_aggregate_wait(runtime, aggregate));
  DONE(stretto_fence(runtime, right_rank()));
  aggregate_gets(aggregate, region, back);
  int complete = 0;
  while (!complete) DONE(stretto_aggregate_test(runtime, aggregate, &complete));
  for (int i = 0; i < 11; ++i) CHECK(back[i] == values[i % 4]);
  DONE(stretto_aggregate_free(&aggregate));
  CHECK(aggregate == NULL);
  free_region(region);
}

void test_refusals(void) {
  stretto_region* region = new_region(64);
  stretto_handle* handle = NULL;
  double value = 0;
  stretto_team* team = NULL;
  stretto_runtime* other = NULL;
  stretto_options options;
  REFUSED(STRETTO_ERROR_ARGUMENT, "", stretto_put(region, 0, 60, &value, sizeof value));
  REFUSED(STRETTO_ERROR_ARGUMENT, "", stretto_nonblocking_put(region, 0, 100, &value, 8, &handle));
  CHECK(handle == NULL);
  REFUSED(STRETTO_ERROR_ARGUMENT, "ranks: ", stretto_team_create(runtime, 1, &ranks, &team));
  CHECK(team == NULL);
  DONE(stretto_options_init(&options));
  options.progress = 7;
  REFUSED(STRETTO_ERROR_ARGUMENT, "progress: 7 ", stretto_runtime_create(MPI_COMM_WORLD, &options, &other));
  CHECK(other == NULL);

  DONE(stretto_nonblocking_put(region, me, 0, &value, 8, &handle));
  REFUSED(STRETTO_ERROR_REGION_IN_USE, "the region is in use", stretto_region_free(&region));
  CHECK(region != NULL && strlen(stretto_error_message()) > 0);
  REFUSED(STRETTO_ERROR_HANDLE, "finalize: ", stretto_runtime_free(&runtime));
  DONE(stretto_wait(runtime, &handle));
  REFUSED(STRETTO_ERROR_REGION_IN_USE, "finalize: ", stretto_runtime_free(&runtime));
  CHECK(runtime != NULL);
  free_region(region);
}
