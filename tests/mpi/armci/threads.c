/* SPDX-License-Identifier: BSD-3-Clause
 * Mutexes between the threads of one process: a second thread waits, as another process does, and serves the
 * other processes then. For both kinds of mutexes. */
#include <armcix.h>
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>

#include "checks.h"

enum { rounds = 10 };

static armcix_mutex_hdl_t set; /* NULL: the mutexes of ARMCI_Create_mutexes */
static void* memory[MAX_PROCESSES];
static atomic_int started;
static atomic_int unlocked;
static atomic_int thread_failures;

static void lock(int mutex, int owner) {
  if (set != NULL) {
    ARMCIX_Lock_hdl(set, mutex, owner);
  } else {
    ARMCI_Lock(mutex, owner);
  }
}

static void unlock(int mutex, int owner) {
  if (set != NULL) {
    ARMCIX_Unlock_hdl(set, mutex, owner);
  } else {
    ARMCI_Unlock(mutex, owner);
  }
}

/* check() counts for one thread alone. */
static void thread_check(int holds) { atomic_fetch_add(&thread_failures, !holds); }

static void* lock_second(void* unused) {
  (void)unused;
  if (set != NULL) thread_check(ARMCIX_Trylock_hdl(set, 0, me) == 1);
  atomic_store(&started, 1);
  lock(0, me);
  thread_check(atomic_load(&unlocked) == 1);
  unlock(0, me);
  if (set != NULL) {
    thread_check(ARMCIX_Trylock_hdl(set, 0, me) == 0);
    unlock(0, me);
  }
  return NULL;
}

/* The first thread of an even process waits in MPI, which serves nobody, for one that needs to be served. */
static void test_second_thread_waits(void) {
  pthread_t second;
  atomic_store(&started, 0);
  atomic_store(&unlocked, 0);
  lock(0, me);
  CHECK(pthread_create(&second, NULL, lock_second, NULL) == 0);
  while (atomic_load(&started) == 0) ARMCIX_Progress();
  for (int i = 0; i < 1000; ++i) ARMCIX_Progress();
  char byte = 0;
  if (me % 2 == 1) {
    CHECK(ARMCI_PutValueLong(0, (long*)memory[me - 1] + 1, me - 1) == 0);
    ARMCI_Fence(me - 1);
    MPI_Send(&byte, 1, MPI_CHAR, me - 1, 9, MPI_COMM_WORLD);
  } else if (me + 1 < processes) {
    MPI_Recv(&byte, 1, MPI_CHAR, me + 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  atomic_store(&unlocked, 1);
  unlock(0, me);
  CHECK(pthread_join(second, NULL) == 0);
}

static void* increment(void* unused) {
  (void)unused;
  for (int owner = 0; owner < processes; ++owner) {
    for (int i = 0; i < rounds; ++i) {
      lock(0, owner);
      const long before = ARMCI_GetValueLong(memory[owner], owner);
      thread_check(ARMCI_PutValueLong(before + 1, memory[owner], owner) == 0);
      unlock(0, owner);
      long fetched = 0;
      thread_check(ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &fetched, (long*)memory[owner] + 1, 1, owner) == 0);
    }
  }
  return NULL;
}

static void test_threads_increment(void) {
  pthread_t others[2];
  long* const mine = memory[me];
  mine[0] = mine[1] = 0;
  ARMCI_Barrier();
  for (int i = 0; i < 2; ++i) CHECK(pthread_create(&others[i], NULL, increment, NULL) == 0);
  (void)increment(NULL);
  for (int i = 0; i < 2; ++i) CHECK(pthread_join(others[i], NULL) == 0);
  ARMCI_Barrier();
  CHECK(mine[0] == 3L * rounds * processes && mine[1] == mine[0]);
}

void test_threads(void) {
  int provided = MPI_THREAD_SINGLE;
  ARMCI_Group world;
  MPI_Query_thread(&provided);
  CHECK(provided == MPI_THREAD_MULTIPLE);
  if (provided != MPI_THREAD_MULTIPLE) return;
  ARMCI_Group_get_world(&world);
  CHECK(ARMCI_Malloc(memory, 2 * sizeof(long)) == 0);
  atomic_store(&thread_failures, 0);
  CHECK(ARMCI_Create_mutexes(1) == 0);
  CHECK(ARMCI_Create_mutexes(1) != 0); /* one set at a time */
  test_second_thread_waits();
  test_threads_increment();
  CHECK(ARMCI_Destroy_mutexes() == 0);
  set = ARMCIX_Create_mutexes_hdl(1, &world);
  test_second_thread_waits();
  test_threads_increment();
  CHECK(ARMCIX_Destroy_mutexes_hdl(set) == 0);
  set = NULL;
  CHECK(atomic_load(&thread_failures) == 0);
  CHECK(ARMCI_Free(memory[me]) == 0);
}
