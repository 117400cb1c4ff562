/* SPDX-License-Identifier: BSD-3-Clause
 * Names, regions, teams and counters. */
#include <mpi.h>
#include <string.h>

#include "checks.h"

void test_names(void) {
  CHECK(strcmp(stretto_version(), STRETTO_VERSION) == 0);
  CHECK(strcmp(stretto_error_name(STRETTO_SUCCESS), "success") == 0);
  CHECK(strcmp(stretto_error_name(STRETTO_ERROR_TIMEOUT), "timeout") == 0);
  CHECK(strcmp(stretto_error_name(STRETTO_ERROR_INTERRUPTED), "interrupted") == 0);
  CHECK(strcmp(stretto_error_name(99), "unknown") == 0);
  MPI_Comm communicator = MPI_COMM_NULL;
  int size = 0;
  int handle = 0;
  DONE(stretto_communicator(runtime, &communicator));
  MPI_Comm_size(communicator, &size);
  CHECK(size == ranks);
  DONE(stretto_communicator_fortran(runtime, &handle));
  CHECK(MPI_Comm_f2c(handle) == communicator);
  DONE(stretto_poll(runtime));
}

void test_regions(void) {
  const size_t own = 64 * (size_t)(me + 1);
  stretto_region* region = new_region(own);
  void* address = NULL;
  size_t size_bytes = 0;
  DONE(stretto_region_local(region, &address, &size_bytes));
  CHECK(size_bytes == own && (uintptr_t)address % 64 == 0);
  for (size_t i = 0; i < own; ++i) CHECK(((const char*)address)[i] == 0);
  CHECK(stretto_region_rank(region) == me && stretto_region_size(region) == ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    DONE(stretto_region_size_bytes(region, rank, &size_bytes));
    CHECK(size_bytes == 64 * (size_t)(rank + 1));
  }
  void* node_local = NULL;
  DONE(stretto_region_node_local(region, me, &node_local));
  CHECK(node_local == NULL || node_local == address);
  stretto_team* team = NULL;
  DONE(stretto_region_team(region, &team));
  CHECK(stretto_team_size(team) == ranks);
  DONE(stretto_team_free(&team));
  free_region(region);
}

/* Of the ranks that have this one's parity, in descending order. */
static stretto_team* half(int* members) {
  int list[MAX_RANKS];
  *members = 0;
  for (int rank = ranks - 1; rank >= 0; --rank) {
    if (rank % 2 == me % 2) list[(*members)++] = rank;
  }
  stretto_team* team = NULL;
  DONE(stretto_team_create(runtime, *members, list, &team));
  return team;
}

void test_teams(void) {
  stretto_team* world = NULL;
  DONE(stretto_team_world(runtime, &world));
  CHECK(stretto_team_rank(world) == me && stretto_team_size(world) == ranks);
  int node = -1;
  DONE(stretto_team_node(world, me, &node));
  CHECK(node >= 0 && node <= me);
  DONE(stretto_team_free(&world));
  CHECK(world == NULL);

  int members = 0;
  stretto_team* team = half(&members);
  CHECK(stretto_team_size(team) == members);
  int other = -1;
  DONE(stretto_team_runtime_rank(team, stretto_team_rank(team), &other));
  CHECK(other == me);
  DONE(stretto_team_rank_of(team, me, &other));
  CHECK(other == stretto_team_rank(team));
  if (ranks > 1) {
    DONE(stretto_team_rank_of(team, right_rank(), &other));
    CHECK((other == -1) == (right_rank() % 2 != me % 2));
  }
  MPI_Comm communicator = MPI_COMM_NULL;
  int size = 0;
  DONE(stretto_team_communicator(team, &communicator));
  MPI_Comm_size(communicator, &size);
  CHECK(size == members);
  int handle = 0;
  DONE(stretto_team_communicator_fortran(team, &handle));
  CHECK(MPI_Comm_f2c(handle) == communicator);

  stretto_region* region = NULL;
  DONE(stretto_region_create_on(team, sizeof(int), &region));
  const int next = (stretto_team_rank(team) + 1) % members;
  DONE(stretto_put(region, next, 0, &me, sizeof me));
  DONE(stretto_team_barrier(team));
  const int previous = (stretto_team_rank(team) + members - 1) % members;
  DONE(stretto_team_runtime_rank(team, previous, &other));
  CHECK(*(const int*)local_part(region) == other);
  DONE(stretto_team_barrier(team));
  DONE(stretto_region_free(&region));
  DONE(stretto_team_free(&team));
}

void test_counters(void) {
  stretto_region* region = new_region(64);
  DONE(stretto_counters_reset(runtime));
  const double value = 1;
  DONE(stretto_put(region, right_rank(), 0, &value, sizeof value));
  DONE(stretto_put(region, right_rank(), 8, &value, sizeof value));
  stretto_counters all;
  stretto_counters one;
  DONE(stretto_counters_all(runtime, &all));
  DONE(stretto_counters_of(runtime, right_rank(), &one));
  CHECK(all.direct.operations + all.rma.operations + all.message.operations == 2);
  CHECK(one.direct.bytes + one.rma.bytes + one.message.bytes == 16);
  DONE(stretto_counters_reset(runtime));
  DONE(stretto_counters_all(runtime, &all));
  CHECK(all.direct.operations + all.rma.operations + all.message.operations == 0);
  free_region(region);
}
