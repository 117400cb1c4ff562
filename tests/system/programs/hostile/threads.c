/* SPDX-License-Identifier: BSD-3-Clause
 * Threads that call at the worst moment. */
#include <pthread.h>
#include <stdatomic.h>

#include "hostile.h"

enum { THREADS = 4, ROUNDS = 300 };

static stretto_region* counters;
static atomic_int turns;

/* Counts at one rank after the other, by every kind of update, waits for each in its own way. */
static void* count_everywhere(void* argument) {
  const size_t offset = 8 * (size_t)(intptr_t)argument;
  const int64_t one = 1;
  for (int round = 0; round < ROUNDS; ++round) {
    const int target = (me + round) % ranks;
    int64_t before = 0;
    stretto_handle* handle = NULL;
    switch (round % 5) {
      case 0:
        DONE(stretto_fetch_add_int64(counters, target, offset, 1, &before));
        break;
      case 1:
        DONE(stretto_nonblocking_atomic(counters, target, offset, STRETTO_INT64, STRETTO_ATOMIC_ADD, &one,
                                        &before, &handle));
        DONE(stretto_wait(runtime, &handle));
        break;
      case 2:
        DONE(stretto_atomic(counters, target, offset, STRETTO_INT64, STRETTO_ATOMIC_ADD, &one, NULL));
        break;
      case 3:
        DONE(stretto_raise_signal(counters, target, offset, 1, STRETTO_FLAG_ADD));
        DONE(stretto_fence(runtime, target));
        break;
      default:
        DONE(stretto_nonblocking_raise_signal(counters, target, offset, 1, STRETTO_FLAG_ADD, &handle));
        for (int complete = 0; !complete;) DONE(stretto_test_remote(&handle, &complete));
    }
    ++turns;
  }
  return NULL;
}

/* While others communicate, one thread makes and frees all that is collective. */
void threads_and_collectives(void) {
  pthread_t threads[THREADS];
  counters = new_region(8 * THREADS);
  for (intptr_t i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, count_everywhere, (void*)i);
  for (int round = 0; round < 20; ++round) {
    stretto_region* region = new_region(64 * (size_t)round);
    stretto_team* team = NULL;
    stretto_team* part = NULL;
    stretto_mutexes* mutexes = NULL;
    DONE(stretto_team_world(runtime, &team));
    DONE(stretto_team_split(team, me % 2, -me, &part));
    DONE(stretto_mutexes_create(runtime, 1, &mutexes));
    DONE(stretto_mutexes_lock(mutexes, 0, 0));
    DONE(stretto_mutexes_unlock(mutexes, 0, 0));
    DONE(stretto_barrier(runtime));
    DONE(stretto_mutexes_free(&mutexes));
    DONE(stretto_team_free(&part));
    DONE(stretto_team_free(&team));
    DONE(stretto_region_free(&region));
  }
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  DONE(stretto_barrier(runtime));
  const int64_t* const mine = local_part(counters);
  for (int i = 0; i < THREADS; ++i) CHECK(mine[i] == ROUNDS);
  CHECK(turns == THREADS * ROUNDS);
  free_region(counters);
}

static void* raise_all(void* argument) {
  stretto_region* const region = argument;
  sleep_ms(50);
  for (int rank = 0; rank < ranks; ++rank) DONE(stretto_raise_signal(region, rank, 0, 1, STRETTO_FLAG_ADD));
  uint64_t count = 0;
  for (int rank = 0; rank < ranks; ++rank) DONE(stretto_notify(runtime, rank, &count));
  return NULL;
}

/* A thread waits in the runtime for what another thread of its own rank does. */
void one_thread_waits_for_another(void) {
  pthread_t other;
  uint64_t count = 0;
  stretto_region* region = new_region(8);
  DONE(stretto_barrier(runtime));
  pthread_create(&other, NULL, raise_all, region);
  DONE(stretto_wait_signal(region, 0, (uint64_t)ranks, NULL));
  for (int rank = 0; rank < ranks; ++rank) {
    DONE(stretto_wait_notify(runtime, rank, &count));
    CHECK(count == 1);
  }
  pthread_join(other, NULL);
  free_region(region);
}
