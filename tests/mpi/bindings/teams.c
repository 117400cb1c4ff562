/* SPDX-License-Identifier: BSD-3-Clause
 * Teams that are split, their collectives, memory of the program, and active messages. */
#include <stdlib.h>
#include <string.h>

#include "checks.h"

/* The ranks of this one's parity, in descending order. */
static stretto_team* half(void) {
  stretto_team* world = NULL;
  stretto_team* part = NULL;
  DONE(stretto_team_world(runtime, &world));
  DONE(stretto_team_split(world, me % 2, -me, &part));
  CHECK(stretto_team_size(part) == (ranks + 1 - me % 2) / 2);
  int rank = -1;
  DONE(stretto_team_translate(part, stretto_team_rank(part), world, &rank));
  CHECK(rank == me);
  DONE(stretto_team_runtime_rank(part, 0, &rank));
  CHECK(rank % 2 == me % 2 && rank >= ranks - 2);
  stretto_team* none = part;
  DONE(stretto_team_split(world, -1, 0, &none));
  CHECK(none == NULL);
  REFUSED(STRETTO_ERROR_ARGUMENT, "member", stretto_team_translate(part, ranks, world, &rank));
  DONE(stretto_team_free(&world));
  return part;
}

static void wait_or_test(stretto_request** request, int test) {
  int complete = 0;
  if (!test) DONE(stretto_request_wait(request));
  while (test && !complete) DONE(stretto_request_test(request, &complete));
  CHECK(*request == NULL);
}

static void check_collectives(const stretto_team* team, int later) {
  const int size = stretto_team_size(team);
  const int rank = stretto_team_rank(team);
  stretto_request* request = NULL;
  int32_t word = rank == size - 1 ? 77 : 0;
  double sum[2] = {0, 0};
  const double mine[2] = {1, rank};
  uint64_t bits = UINT64_C(1) << rank;
  uint64_t all_bits = 0;
  int32_t all[MAX_RANKS];
  int32_t blocks[MAX_RANKS];
  int32_t received[MAX_RANKS];
  for (int i = 0; i < size; ++i) blocks[i] = 100 * rank + i;
  if (later) {
    DONE(stretto_nonblocking_team_broadcast(team, &word, sizeof word, size - 1, &request));
    wait_or_test(&request, 0);
    DONE(stretto_nonblocking_team_reduce(team, mine, sum, 2, STRETTO_FLOAT64, STRETTO_SUM, 0, &request));
    wait_or_test(&request, 1);
    DONE(stretto_nonblocking_team_allreduce(team, &bits, &all_bits, 1, STRETTO_UINT64, STRETTO_BIT_OR,
                                            &request));
    wait_or_test(&request, 0);
    DONE(stretto_nonblocking_team_allgather(team, &rank, sizeof rank, all, &request));
    wait_or_test(&request, 1);
    DONE(stretto_nonblocking_team_alltoall(team, blocks, sizeof *blocks, received, &request));
    wait_or_test(&request, 0);
    DONE(stretto_nonblocking_team_barrier(team, &request));
    wait_or_test(&request, 1);
  } else {
    DONE(stretto_team_broadcast(team, &word, sizeof word, size - 1));
    DONE(stretto_team_reduce(team, mine, sum, 2, STRETTO_FLOAT64, STRETTO_SUM, 0));
    DONE(stretto_team_allreduce(team, &bits, &all_bits, 1, STRETTO_UINT64, STRETTO_BIT_OR));
    DONE(stretto_team_allgather(team, &rank, sizeof rank, all));
    DONE(stretto_team_alltoall(team, blocks, sizeof *blocks, received));
  }
  CHECK(word == 77);
  CHECK(rank != 0 || (sum[0] == size && sum[1] == size * (size - 1) / 2.0));
  CHECK(all_bits == (UINT64_C(1) << size) - 1);
  for (int i = 0; i < size; ++i) CHECK(all[i] == i && received[i] == 100 * i + rank);
}

void test_team_collectives(void) {
  stretto_team* team = half();
  check_collectives(team, 0);
  check_collectives(team, 1);
  float value = 1;
  REFUSED(STRETTO_ERROR_ARGUMENT, "reduction",
          stretto_team_allreduce(team, &value, &value, 1, STRETTO_FLOAT32, STRETTO_BIT_AND));
  REFUSED(STRETTO_ERROR_ARGUMENT, "type", stretto_team_allreduce(team, &value, &value, 1, 99, STRETTO_SUM));
  REFUSED(STRETTO_ERROR_ARGUMENT, "root",
          stretto_team_reduce(team, &value, &value, 1, STRETTO_FLOAT32, STRETTO_SUM, -1));
  DONE(stretto_team_free(&team));
}

void test_own_memory(void) {
  int64_t* memory = calloc(4, sizeof *memory);
  stretto_region* region = NULL;
  stretto_team* world = NULL;
  const int64_t value = 1000 + me;
  memory[3] = me;
  DONE(stretto_region_create_over(runtime, memory, 4 * sizeof *memory, &region));
  CHECK(local_part(region) == memory && memory[3] == me);
  DONE(stretto_put(region, right_rank(), 8, &value, sizeof value));
  DONE(stretto_barrier(runtime));
  CHECK(memory[1] == 1000 + left_rank());
  free_region(region);
  DONE(stretto_team_world(runtime, &world));
  DONE(stretto_region_create_over_on(world, memory, 8, &region));
  DONE(stretto_put(region, right_rank(), 0, &value, sizeof value));
  DONE(stretto_barrier(runtime));
  CHECK(memory[0] == 1000 + left_rank());
  free_region(region);
  DONE(stretto_team_free(&world));
  free(memory);
}

struct Received {
  int calls;
  int from_left;
  int64_t last;
};

static void receive(int source, const void* payload, size_t size_bytes, void* context) {
  struct Received* received = context;
  ++received->calls;
  if (source == left_rank()) ++received->from_left;
  if (size_bytes == sizeof received->last) memcpy(&received->last, payload, size_bytes);
}

void test_remote_functions(void) {
  struct Received received = {0, 0, -1};
  stretto_remote_function* remote = NULL;
  size_t most = 0;
  DONE(stretto_remote_function_create(runtime, receive, &received, &remote));
  DONE(stretto_remote_function_most_bytes(remote, &most));
  CHECK(most >= 256);
  for (int64_t i = 0; i < 20; ++i) DONE(stretto_remote_function_call(remote, right_rank(), &i, sizeof i));
  DONE(stretto_barrier(runtime));
  CHECK(received.calls == 20 && received.from_left == 20 && received.last == 19);
  REFUSED(STRETTO_ERROR_ARGUMENT, "payload",
          stretto_remote_function_call(remote, right_rank(), &most, most + 1));
  DONE(stretto_remote_function_free(&remote));
  CHECK(remote == NULL);
  REFUSED(STRETTO_ERROR_ARGUMENT, "function", stretto_remote_function_create(runtime, NULL, NULL, &remote));
}
