/* SPDX-License-Identifier: BSD-3-Clause
 * A function that refuses NULL has done nothing: no notification, no update, no message has left. */
#include <string.h>

#include "checks.h"

#define NULL_REFUSED(argument, call) REFUSED(STRETTO_ERROR_ARGUMENT, argument ": is NULL", call)

static void check_updates(stretto_region* region) {
  NULL_REFUSED("before", stretto_fetch_add_int32(region, right_rank(), 0, 1, NULL));
  NULL_REFUSED("before", stretto_fetch_add_int64(region, right_rank(), 0, 1, NULL));
  NULL_REFUSED("before", stretto_swap_int32(region, right_rank(), 0, 1, NULL));
  NULL_REFUSED("before", stretto_swap_int64(region, right_rank(), 0, 1, NULL));
  NULL_REFUSED("before", stretto_compare_swap_int32(region, right_rank(), 0, 0, 1, NULL));
  NULL_REFUSED("before", stretto_compare_swap_int64(region, right_rank(), 0, 0, 1, NULL));
}

static void check_sources(stretto_region* region) {
  const int target = right_rank();
  const size_t counts[] = {8, 2};
  const size_t strides[] = {8};
  const uint64_t value = 3;
  const stretto_put_piece puts[] = {{&value, 0, 8}, {NULL, 8, 8}};
  const stretto_get_piece gets[] = {{NULL, 8, 8}};
  stretto_handle* handle = NULL;
  NULL_REFUSED("source", stretto_put(region, target, 0, NULL, 8));
  NULL_REFUSED("source", stretto_put_strided(region, target, 0, NULL, 1, counts, strides, strides));
  NULL_REFUSED("source", stretto_put_vector(region, target, 2, puts));
  NULL_REFUSED("sink", stretto_get(region, target, 0, NULL, 8));
  NULL_REFUSED("sink", stretto_get_strided(region, target, 0, NULL, 1, counts, strides, strides));
  NULL_REFUSED("sink", stretto_get_vector(region, target, 1, gets));
  NULL_REFUSED("source", stretto_nonblocking_put(region, target, 0, NULL, 8, &handle));
  NULL_REFUSED("source", stretto_implicit_put(region, target, 0, NULL, 8));
  NULL_REFUSED("source", stretto_accumulate(region, target, 0, NULL, 8, STRETTO_INT64, NULL));
  NULL_REFUSED("source", stretto_put_signal(region, target, 0, NULL, 8, 8, 1, STRETTO_FLAG_SET));
  CHECK(handle == NULL);
  DONE(stretto_put(region, target, 0, NULL, 0)); /* nothing may be anywhere */
}

static void check_aggregates(stretto_region* region) {
  const uint64_t value = 3;
  int pending = 0;
  stretto_aggregate* aggregate = NULL;
  DONE(stretto_aggregate_create(runtime, &aggregate));
  NULL_REFUSED("source", stretto_aggregate_put(aggregate, region, right_rank(), 0, NULL, 8));
  DONE(stretto_aggregate_pending(aggregate, &pending));
  CHECK(pending == 0);
  DONE(stretto_aggregate_put(aggregate, region, right_rank(), 8, &value, 8));
  NULL_REFUSED("source", stretto_aggregate_put(aggregate, region, right_rank(), 0, NULL, 8));
  NULL_REFUSED("complete", stretto_aggregate_test(runtime, aggregate, NULL));
  DONE(stretto_aggregate_pending(aggregate, &pending));
  CHECK(pending == 1);
  DONE(stretto_aggregate_wait(runtime, aggregate));
  DONE(stretto_aggregate_free(&aggregate));
}

static void check_notifications(void) {
  uint64_t count = 0;
  uint64_t before = 0;
  DONE(stretto_notify(runtime, right_rank(), &before));
  NULL_REFUSED("count", stretto_notify(runtime, right_rank(), NULL));
  DONE(stretto_notify(runtime, right_rank(), &count));
  CHECK(count == before + 1);
  DONE(stretto_wait_notify(runtime, left_rank(), &before));
  NULL_REFUSED("count", stretto_wait_notify(runtime, left_rank(), NULL));
  DONE(stretto_wait_notify(runtime, left_rank(), &count));
  CHECK(count == before + 1);
}

void test_nulls(void) {
  stretto_region* region = new_region(24);
  const uint64_t* const mine = local_part(region);
  DONE(stretto_barrier(runtime));
  check_updates(region);
  check_sources(region);
  DONE(stretto_barrier(runtime));
  CHECK(mine[0] == 0 && mine[1] == 0 && mine[2] == 0);
  DONE(stretto_barrier(runtime));
  check_aggregates(region);
  DONE(stretto_barrier(runtime));
  CHECK(mine[0] == 0 && mine[1] == 3);
  check_notifications();

  size_t number = 7;
  void* address = region;
  NULL_REFUSED("address", stretto_region_local(region, NULL, &number));
  NULL_REFUSED("size_bytes", stretto_region_local(region, &address, NULL));
  CHECK(number == 7 && address == (void*)region);
  free_region(region);
}
