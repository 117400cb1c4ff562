/* SPDX-License-Identifier: BSD-3-Clause
 * Handles: explicit, implicit, aggregate; and how others learn that data is there. */
#include "checks.h"

enum { length = 3000 };

static double source[length];
static double sink[length];

static void fill_source(double seed) {
  for (int i = 0; i < length; ++i) {
    source[i] = seed + me * 10000.0 + i;
    sink[i] = -1;
  }
}

static void check_sink(const double* expected) {
  int differing = 0;
  for (int i = 0; i < length; ++i) differing += sink[i] != expected[i];
  CHECK(differing == 0);
}

void test_nonblocking(void) {
  void* memory[MAX_PROCESSES];
  const int other = right_neighbour();
  CHECK(ARMCI_Malloc(memory, sizeof source) == 0);
  double* there = memory[other];
  armci_hdl_t handle;
  ARMCI_INIT_HANDLE(&handle);
  CHECK(ARMCI_Test(&handle) == 0); /* stands for nothing */

  fill_source(0.5);
  CHECK(ARMCI_NbPut(source, there, sizeof source, other, &handle) == 0);
  CHECK(ARMCI_Wait(&handle) == 0);
  CHECK(ARMCI_Wait(&handle) == 0);
  ARMCI_Fence(other);
  CHECK(ARMCI_NbGet(there, sink, sizeof sink, other, &handle) == 0);
  while (ARMCI_Test(&handle) == 1) {
  }
  check_sink(source);

  /* Implicit: every second number by a strided put, the others one by one. */
  fill_source(0.25);
  int strides[1] = {2 * sizeof(double)};
  int count[2] = {sizeof(double), length / 2};
  CHECK(ARMCI_NbPutS(source, strides, there, strides, count, 1, other, NULL) == 0);
  for (int i = 1; i < length; i += 2)
    CHECK(ARMCI_NbPut(source + i, there + i, sizeof(double), other, NULL) == 0);
  CHECK(ARMCI_WaitProc(other) == 0);
  ARMCI_Fence(other);
  CHECK(ARMCI_NbGetS(there, strides, sink, strides, count, 1, other, NULL) == 0);
  CHECK(ARMCI_NbGetS(there + 1, strides, sink + 1, strides, count, 1, other, NULL) == 0);
  CHECK(ARMCI_WaitAll() == 0);
  check_sink(source);

  /* A handle in use is waited for before it stands for something else. */
  double one = 1;
  CHECK(ARMCI_NbAcc(ARMCI_ACC_DBL, &one, source, there, sizeof source, other, &handle) == 0);
  CHECK(ARMCI_NbAccS(ARMCI_ACC_DBL, &one, source, strides, there, strides, count, 1, other, &handle) == 0);
  CHECK(ARMCI_Wait(&handle) == 0);
  ARMCI_AllFence();
  CHECK(ARMCI_Get(there, sink, sizeof sink, other) == 0);
  for (int i = 0; i < length; ++i) CHECK(sink[i] == (i % 2 == 0 ? 3 : 2) * source[i]);
  ARMCI_Barrier();
  CHECK(ARMCI_Free(memory[me]) == 0);
}

/* A mix of shapes to one process, and a handle that is memory without an initial value but for its mark. */
void test_aggregate(void) {
  void* memory[MAX_PROCESSES];
  const int other = right_neighbour();
  CHECK(ARMCI_Malloc(memory, sizeof source) == 0);
  double* there = memory[other];
  armci_hdl_t handle;
  ARMCI_INIT_HANDLE(&handle);
  ARMCI_SET_AGGREGATE_HANDLE(&handle);

  fill_source(0.125);
  int strides[1] = {4 * sizeof(double)};
  int count[2] = {sizeof(double), length / 4};
  CHECK(ARMCI_NbPutS(source, strides, there, strides, count, 1, other, &handle) == 0);
  for (int i = 1; i < length; i += 4)
    CHECK(ARMCI_NbPut(source + i, there + i, sizeof(double), other, &handle) == 0);
  void* here[length / 2];
  void* places[length / 2];
  for (int i = 0; i < length / 2; ++i) {
    const int number = 4 * (i / 2) + 2 + i % 2;
    here[i] = source + number;
    places[i] = there + number;
  }
  armci_giov_t rest = {here, places, length / 2, sizeof(double)};
  CHECK(ARMCI_NbPutV(&rest, 1, other, &handle) == 0);
  CHECK(ARMCI_Wait(&handle) == 0);
  ARMCI_Fence(other);
  for (int i = 0; i < length; ++i)
    CHECK(ARMCI_NbGet(there + i, sink + i, sizeof(double), other, &handle) == 0);
  while (ARMCI_Test(&handle) == 1) {
  }
  check_sink(source);

  /* An accumulate goes by itself, and is waited for with the others. */
  double one = 1;
  ARMCI_Barrier();
  CHECK(ARMCI_NbAcc(ARMCI_ACC_DBL, &one, source, there, sizeof(double), other, &handle) == 0);
  CHECK(ARMCI_NbPut(source, there + 1, sizeof(double), other, &handle) == 0);
  CHECK(ARMCI_Wait(&handle) == 0);
  ARMCI_Barrier();
  const double* mine = memory[me];
  const double first = 0.125 + left_neighbour() * 10000.0;
  CHECK(mine[0] == 2 * first && mine[1] == first);
  ARMCI_Barrier();
  CHECK(ARMCI_Free(memory[me]) == 0);
}

/* Calls of ARMCI in the loop serve others where no thread does. */
static void await_flag(int* flag, int value) {
  while (ARMCI_GetValueInt(flag, me) != value) {
  }
}

void test_flags(void) {
  enum { flag_place = length };
  void* memory[MAX_PROCESSES];
  void* flags[MAX_PROCESSES];
  const int other = right_neighbour();
  CHECK(ARMCI_Malloc(memory, sizeof source + 2 * sizeof(int)) == 0);
  CHECK(ARMCI_Malloc(flags, sizeof(int)) == 0);
  double* there = memory[other];
  double* mine = memory[me];
  int* flag_there = (int*)(there + flag_place) + 1; /* aligned to an int only */
  int* flag_here = (int*)(mine + flag_place) + 1;
  int strides[1] = {2 * sizeof(double)};
  int count[2] = {sizeof(double), length / 2};
  fill_source(0.75);
  CHECK(ARMCI_Put_flag(source, there, sizeof source, flag_there, 7, other) == 0);
  await_flag(flag_here, 7);
  CHECK(mine[length - 1] == 0.75 + left_neighbour() * 10000.0 + length - 1);
  CHECK(flag_here[-1] == 0);
  ARMCI_Barrier();
  fill_source(0.5);
  CHECK(ARMCI_PutS_flag(source, strides, there, strides, count, 1, flag_there, 8, other) == 0);
  await_flag(flag_here, 8);
  CHECK(mine[length - 2] == 0.5 + left_neighbour() * 10000.0 + length - 2);
  ARMCI_Barrier();
  fill_source(0.25); /* the flag in memory of its own */
  CHECK(ARMCI_PutS_flag_dir(source, strides, there, strides, count, 1, flags[other], 9, other) == 0);
  await_flag(flags[me], 9);
  CHECK(mine[length - 2] == 0.25 + left_neighbour() * 10000.0 + length - 2);
  ARMCI_Barrier();
  CHECK(ARMCI_Free(flags[me]) == 0);
  CHECK(ARMCI_Free(memory[me]) == 0);
}

/* A number goes from process to process, one more at each. */
void test_notify(void) {
  enum { rounds = 5 };
  void* memory[MAX_PROCESSES];
  CHECK(ARMCI_Malloc(memory, sizeof(long)) == 0);
  long* mine = memory[me];
  for (int round = 1; round <= rounds; ++round) {
    int waited = 0;
    if (me > 0) {
      CHECK(armci_notify_wait(me - 1, &waited) >= round);
      CHECK(waited == round);
      CHECK(*mine == 100L * round + me - 1);
    } else {
      *mine = 100L * round - 1;
    }
    if (me < processes - 1) {
      CHECK(ARMCI_PutValueLong(*mine + 1, memory[me + 1], me + 1) == 0);
      CHECK(armci_notify(me + 1) == round);
    }
    ARMCI_Barrier(); /* the next round overwrites */
  }
  CHECK(ARMCI_Free(memory[me]) == 0);
}
