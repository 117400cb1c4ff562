/* SPDX-License-Identifier: BSD-3-Clause
 * Objects that are empty, different on the ranks, or used in another order. */
#include <stdlib.h>
#include <string.h>

#include "hostile.h"

/* Parts, transfers, teams and collectives of no byte and no member. */
void nothing_at_all(void) {
  stretto_region* region = new_region(0);
  stretto_region* odd = new_region(me % 2 == 0 ? 0 : 8);
  stretto_region* own = NULL;
  stretto_team* world = NULL;
  stretto_team* none = NULL;
  stretto_handle* handle = NULL;
  stretto_aggregate* aggregate = NULL;
  const size_t no_blocks[] = {8, 0};
  const size_t no_bytes[] = {0, 5};
  const size_t strides[] = {8};
  int complete = 0;
  size_t index = 0;
  void* address = &region;
  DONE(stretto_region_local(region, &address, &index));
  CHECK(index == 0);
  DONE(stretto_put(region, right_rank(), 0, NULL, 0));
  DONE(stretto_get(region, right_rank(), 0, NULL, 0));
  DONE(stretto_put_vector(region, right_rank(), 0, NULL));
  DONE(stretto_put_strided(odd, right_rank(), 0, NULL, 1, no_blocks, strides, strides));
  DONE(stretto_get_strided(odd, right_rank(), 0, NULL, 1, no_bytes, strides, strides));
  DONE(stretto_accumulate(odd, right_rank(), 0, NULL, 0, STRETTO_FLOAT64, NULL));
  DONE(stretto_nonblocking_put(region, right_rank(), 0, NULL, 0, &handle));
  DONE(stretto_wait_source(handle));
  DONE(stretto_wait_remote(&handle));
  DONE(stretto_nonblocking_get_vector(region, right_rank(), 0, NULL, &handle));
  DONE(stretto_wait_any(runtime, 1, &handle, &index));
  CHECK(index == 0 && handle == NULL);
  DONE(stretto_wait_all(runtime, 0, NULL));
  REFUSED(STRETTO_ERROR_HANDLE, "", stretto_wait_any(runtime, 0, NULL, &index));
  DONE(stretto_implicit_get(region, right_rank(), 0, NULL, 0));
  DONE(stretto_wait_implicit_all(runtime));
  DONE(stretto_aggregate_create(runtime, &aggregate));
  DONE(stretto_aggregate_put(aggregate, region, right_rank(), 0, NULL, 0));
  DONE(stretto_aggregate_wait(runtime, aggregate));
  DONE(stretto_aggregate_test(runtime, aggregate, &complete));
  CHECK(complete == 1);
  DONE(stretto_aggregate_free(&aggregate));
  REFUSED(STRETTO_ERROR_ARGUMENT, "", stretto_raise_signal(region, right_rank(), 0, 1, STRETTO_FLAG_SET));
  DONE(stretto_region_create_over(runtime, NULL, 0, &own));
  DONE(stretto_put(own, right_rank(), 0, NULL, 0));
  DONE(stretto_team_world(runtime, &world));
  DONE(stretto_team_split(world, -1, 0, &none));
  CHECK(none == NULL);
  DONE(stretto_team_allreduce(world, NULL, NULL, 0, STRETTO_INT32, STRETTO_SUM));
  DONE(stretto_team_broadcast(world, NULL, 0, ranks - 1));
  DONE(stretto_team_allgather(world, NULL, 0, NULL));
  DONE(stretto_team_alltoall(world, NULL, 0, NULL));
  CHECK(stretto_team_rank(NULL) == -1 && stretto_region_size(NULL) == -1 && stretto_size(NULL) == -1);
  DONE(stretto_team_free(&world));
  free_region(own);
  free_region(odd);
  free_region(region);
}

/* What ranks give must be the same. Where it is not, no rank crashes, and all agree or all refuse. */
void different_options(void) {
  for (int which = 0; which < 6; ++which) {
    stretto_runtime* other = NULL;
    stretto_region* region = NULL;
    stretto_options mine = options;
    const int odd = me % 2;
    if (which == 0) mine.segment_bytes = odd ? 256 : 1 << 16;
    if (which == 1) mine.outstanding = odd ? 1 : 64;
    if (which == 2) mine.contexts = odd ? 1 : 4;
    if (which == 3) mine.progress = odd ? STRETTO_PROGRESS_POLL : STRETTO_PROGRESS_THREAD;
    if (which == 4) mine.timeout_s = odd ? 0 : 20;
    if (which == 5) mine.node_ranks = odd ? 1 : 0;
    const int code = stretto_runtime_create(MPI_COMM_WORLD, &mine, &other);
    int least = code;
    int most = code;
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK(least == most);
    if (code != STRETTO_SUCCESS) continue;
    enum { BYTES = 300000 };
    char* data = malloc(BYTES);
    memset(data, 1 + me, BYTES);
    DONE(stretto_region_create(other, BYTES, &region));
    DONE(stretto_put(region, right_rank(), 0, data, BYTES));
    DONE(stretto_barrier(other));
    DONE(stretto_get(region, right_rank(), 0, data, BYTES));
    CHECK(data[0] == 1 + me && data[BYTES - 1] == 1 + me);
    const char* const local = local_part(region);
    CHECK(local[0] == 1 + left_rank() && local[BYTES - 1] == 1 + left_rank());
    DONE(stretto_barrier(other));
    DONE(stretto_region_free(&region));
    DONE(stretto_runtime_free(&other));
    free(data);
  }
}

/* All ranks raise the same flags of all, behind data of every size, with values that wrap around. */
void flags_at_once(void) {
  enum { TIMES = 100, MOST = 70000 };
  static char data[MOST];
  stretto_region* region = new_region(MOST + 16);
  DONE(stretto_barrier(runtime));
  for (int i = 0; i < TIMES; ++i) {
    const size_t size_bytes = (size_t)(i * i * 7) % MOST;
    for (int rank = 0; rank < ranks; ++rank) {
      const int target = (me + rank) % ranks;
      DONE(stretto_put_signal(region, target, 0, data, size_bytes, MOST + 8 - MOST % 8, 1, STRETTO_FLAG_ADD));
      DONE(stretto_raise_signal(region, target, MOST - MOST % 8, UINT64_MAX, STRETTO_FLAG_ADD));
    }
  }
  const uint64_t all = (uint64_t)TIMES * (uint64_t)ranks;
  DONE(stretto_wait_signal(region, MOST + 8 - MOST % 8, all, NULL));
  const stretto_signal_condition below = {MOST - MOST % 8, 0 - all, STRETTO_EQUAL};
  DONE(stretto_wait_all_signals(region, 1, &below));
  free_region(region);
}

/* Objects are freed in the order in which they were made, and the runtime only after all of them. */
void out_of_order(void) {
  stretto_runtime* other = NULL;
  stretto_region* regions[3] = {NULL, NULL, NULL};
  stretto_team* world = NULL;
  stretto_team* parts[2] = {NULL, NULL};
  const double value = 1 + me;
  DONE(stretto_runtime_create(MPI_COMM_WORLD, &options, &other));
  DONE(stretto_team_world(other, &world));
  DONE(stretto_team_split(world, me / 2, -me, &parts[0]));
  DONE(stretto_team_split(parts[0], 0, me, &parts[1]));
  DONE(stretto_region_create_on(parts[0], 8, &regions[0]));
  DONE(stretto_region_create_on(parts[1], 8, &regions[1]));
  DONE(stretto_region_create(other, 8, &regions[2]));
  DONE(stretto_team_free(&world));
  REFUSED(STRETTO_ERROR_REGION_IN_USE, "", stretto_runtime_free(&other));
  for (int i = 0; i < 3; ++i) {
    const int size = stretto_region_size(regions[i]);
    const int next = (stretto_region_rank(regions[i]) + 1) % size;
    DONE(stretto_put(regions[i], next, 0, &value, 8));
  }
  DONE(stretto_barrier(other));
  for (int i = 0; i < 3; ++i) {
    CHECK(*(const double*)local_part(regions[i]) >= 1);
    DONE(stretto_region_free(&regions[i]));
  }
  DONE(stretto_team_free(&parts[0]));
  DONE(stretto_team_free(&parts[1]));
  DONE(stretto_runtime_free(&other));
}
