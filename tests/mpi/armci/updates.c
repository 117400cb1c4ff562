/* SPDX-License-Identifier: BSD-3-Clause
 * Concurrent updates by many processes: none is lost. */
#include "checks.h"

static int total_of_ranks(void) { return processes * (processes - 1) / 2; }

#define ACCUMULATE(type, optype, factor_value)                                                  \
  do {                                                                                          \
    type numbers[24];                                                                           \
    type factor = (factor_value);                                                               \
    int strides[1] = {2 * (int)sizeof(type)};                                                   \
    int count[2] = {(int)sizeof(type), 12};                                                     \
    for (int i = 0; i < 24; ++i) numbers[i] = (type)(me + i);                                   \
    CHECK(ARMCI_Malloc(memory, sizeof numbers) == 0);                                           \
    CHECK(ARMCI_Acc(optype, &factor, numbers, memory[0], (int)sizeof numbers, 0) == 0);         \
    /* again on even processes */                                                               \
    CHECK(ARMCI_AccS(optype, &factor, numbers, strides, memory[0], strides, count, 1, 0) == 0); \
    ARMCI_Barrier();                                                                            \
    for (int i = 0; me == 0 && i < 24; ++i) {                                                   \
      const type once = (type)(factor * (type)(total_of_ranks() + processes * i));              \
      CHECK(((type*)memory[0])[i] == (i % 2 == 0 ? 2 * once : once));                           \
    }                                                                                           \
    ARMCI_Barrier();                                                                            \
    CHECK(ARMCI_Free(memory[me]) == 0);                                                         \
  } while (0)

static void accumulate_complex(void) {
  void* memory[MAX_PROCESSES];
  double number[2] = {me + 1.0, -2.0};
  double factor[2] = {0.0, 1.0}; /* the imaginary unit */
  float small[2] = {(float)number[0], (float)number[1]};
  float small_factor[2] = {0.0F, 1.0F};
  CHECK(ARMCI_Malloc(memory, sizeof number + sizeof small) == 0);
  double* there = memory[0];
  CHECK(ARMCI_Acc(ARMCI_ACC_DCP, factor, number, there, sizeof number, 0) == 0);
  CHECK(ARMCI_Acc(ARMCI_ACC_CPL, small_factor, small, there + 2, sizeof small, 0) == 0);
  ARMCI_Barrier();
  if (me == 0) {
    const float* small_there = (float*)(there + 2);
    CHECK(there[0] == 2.0 * processes && there[1] == total_of_ranks() + processes);
    CHECK(small_there[0] == 2.0F * (float)processes &&
          small_there[1] == (float)(total_of_ranks() + processes));
  }
  ARMCI_Barrier();
  CHECK(ARMCI_Free(memory[me]) == 0);
}

void test_accumulate(void) {
  void* memory[MAX_PROCESSES];
  ACCUMULATE(int, ARMCI_ACC_INT, 3);
  ACCUMULATE(long, ARMCI_ACC_LNG, -2);
  ACCUMULATE(float, ARMCI_ACC_FLT, 0.5F);
  ACCUMULATE(double, ARMCI_ACC_DBL, 0.25);
  accumulate_complex();
}

void test_atomics(void) {
  enum { times = 20 };
  void* memory[MAX_PROCESSES];
  CHECK(ARMCI_Malloc(memory, 4 * sizeof(long)) == 0);
  long* there = memory[processes - 1];
  const int owner = processes - 1;
  int before_int = 0;
  long before = 0;
  for (int i = 0; i < times; ++i) {
    CHECK(ARMCI_Rmw(ARMCI_FETCH_AND_ADD, &before_int, there, 2, owner) == 0);
    CHECK(before_int >= 2 * i && before_int <= 2 * (times * processes - 1));
    CHECK(ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &before, there + 1, 3, owner) == 0);
  }
  /* Values are swapped: the set of all values never changes. */
  int held = me + 1;
  long held_long = -(me + 1);
  for (int i = 0; i < times; ++i) {
    CHECK(ARMCI_Rmw(ARMCI_SWAP, &held, there + 2, 0, owner) == 0);
    CHECK(ARMCI_Rmw(ARMCI_SWAP_LONG, &held_long, there + 3, 0, owner) == 0);
  }
  ARMCI_Barrier();
  long sums[2] = {held, held_long};
  armci_msg_lgop(sums, 2, "+");
  if (me == owner) {
    CHECK(*(int*)there == 2 * times * processes);
    CHECK(there[1] == 3L * times * processes);
    const long all = (long)processes * (processes + 1) / 2;
    CHECK(sums[0] + *(int*)(there + 2) == all);
    CHECK(sums[1] + there[3] == -all);
  }
  ARMCI_Barrier();
  CHECK(ARMCI_Free(memory[me]) == 0);
}

/* All processes increment a number under a mutex, for each process's mutex. */
void test_mutexes(void) {
  enum { times = 4 };
  void* memory[MAX_PROCESSES];
  CHECK(ARMCI_Create_mutexes(me + 1) == 0);
  CHECK(ARMCI_Malloc(memory, sizeof(long)) == 0);
  for (int owner = 0; owner < processes; ++owner) {
    const int mutex = owner; /* the process's last mutex */
    for (int i = 0; i < times; ++i) {
      ARMCI_Lock(mutex, owner);
      const long before = ARMCI_GetValueLong(memory[owner], owner);
      CHECK(ARMCI_PutValueLong(before + 1, memory[owner], owner) == 0);
      ARMCI_Unlock(mutex, owner);
    }
  }
  ARMCI_Barrier();
  CHECK(*(long*)memory[me] == times * processes);
  CHECK(ARMCI_Destroy_mutexes() == 0);
  CHECK(ARMCI_Free(memory[me]) == 0);
}
