/* SPDX-License-Identifier: BSD-3-Clause
 * What cannot be returns the code that the interface has for it, and moves nothing. */
#include <string.h>

#include "checks.h"

static void refuse_transfers(char* there, char* mine, int other) {
  char here[32] = "must not arrive";
  int strides[1] = {16};
  int falling[1] = {-16};
  int count[2] = {8, 2};
  int negative[2] = {8, -2};
  double factor = 1;
  REFUSED(FAIL, ARMCI_Put(NULL, there, 8, other));
  REFUSED(FAIL, ARMCI_Get(there, NULL, 8, other));
  REFUSED(FAIL3, ARMCI_Put(here, there, -1, other));
  REFUSED(FAIL5, ARMCI_Put(here, there, 8, processes));
  REFUSED(FAIL5, ARMCI_Put(here, there, 8, -1));
  REFUSED(FAIL6, ARMCI_Put(here, there + 25, 8, other)); /* reaches beyond its end */
  REFUSED(FAIL6, ARMCI_Put(here, here, 8, other));       /* memory that ARMCI does not know */
  REFUSED(FAIL6, ARMCI_Put(mine, mine + 4, 8, me));      /* overlaps */
  REFUSED(FAIL2, ARMCI_PutS(here, NULL, there, strides, count, 1, other));
  REFUSED(FAIL2, ARMCI_PutS(here, falling, there, strides, count, 1, other));
  REFUSED(FAIL3, ARMCI_PutS(here, strides, there, strides, negative, 1, other));
  REFUSED(FAIL4, ARMCI_PutS(here, strides, there, strides, count, ARMCI_MAX_STRIDE_LEVEL + 1, other));
  REFUSED(FAIL6, ARMCI_Acc(99, &factor, here, there, 8, other));
  REFUSED(FAIL, ARMCI_Acc(ARMCI_ACC_DBL, NULL, here, there, 8, other));
  REFUSED(FAIL6, ARMCI_Acc(ARMCI_ACC_DBL, &factor, here, there, 7, other));
  REFUSED(FAIL, ARMCI_Put_flag(here, there, 8, NULL, 1, other));
  long value = 0;
  REFUSED(FAIL6, ARMCI_Rmw(99, &value, there, 1, other));
  REFUSED(FAIL, ARMCI_Rmw(ARMCI_SWAP, NULL, there, 1, other));
  REFUSED(FAIL6, ARMCI_Rmw(ARMCI_SWAP_LONG, &value, there + 4, 1, other)); /* not aligned */
}

static void refuse_vectors(char* there, int other) {
  char here[8] = "nothing";
  void* source[1] = {here};
  void* target[1] = {there};
  armci_giov_t vector = {source, target, 1, 8};
  REFUSED(FAIL, ARMCI_PutV(&vector, 0, other));
  REFUSED(FAIL5, ARMCI_PutV(&vector, 1, processes));
  vector.bytes = 0;
  REFUSED(FAIL3, ARMCI_PutV(&vector, 1, other));
  vector.bytes = 8;
  vector.ptr_array_len = 0;
  REFUSED(FAIL4, ARMCI_PutV(&vector, 1, other));
  vector.ptr_array_len = 1;
  vector.src_ptr_array = NULL;
  REFUSED(FAIL2, ARMCI_PutV(&vector, 1, other));
}

static void refuse_handles(char* there, int other) {
  double numbers[2] = {0, 0};
  armci_hdl_t handle;
  armci_hdl_t copy;
  memset(&handle, 0x5A, sizeof handle); /* never initialised */
  REFUSED(FAIL, ARMCI_Wait(NULL));
  REFUSED(FAIL, ARMCI_Test(NULL));
  REFUSED(FAIL6, ARMCI_Wait(&handle));
  CHECK(ARMCI_NbPut(numbers, there, 8, other, &handle) == 0); /* yet it serves for a new operation */
  CHECK(ARMCI_Wait(&handle) == 0);
  ARMCI_INIT_HANDLE(&handle);
  ARMCI_SET_AGGREGATE_HANDLE(&handle);
  CHECK(ARMCI_NbPut(numbers, there, 8, other, &handle) == 0);
  copy = handle;
  REFUSED(FAIL6, ARMCI_NbGet(there + 8, numbers + 1, 8, other, &handle)); /* a put and a get */
  if (processes > 1) REFUSED(FAIL5, ARMCI_NbPut(numbers, there, 8, processes, &handle));
  CHECK(ARMCI_Wait(&handle) == 0);
  REFUSED(FAIL6, ARMCI_Wait(&copy));
}

static void refuse_two_targets(void** memory) {
  char here[8] = "nothing";
  armci_hdl_t handle;
  if (processes == 1) return;
  ARMCI_INIT_HANDLE(&handle);
  ARMCI_SET_AGGREGATE_HANDLE(&handle);
  CHECK(ARMCI_NbGet(memory[0], here, 8, 0, &handle) == 0);
  REFUSED(FAIL6, ARMCI_NbGet(memory[1], here, 8, 1, &handle));
  CHECK(ARMCI_Wait(&handle) == 0);
}

/* An operation under way keeps its memory, at all processes. */
static void refuse_free(void** memory) {
  double number = 0;
  armci_hdl_t handle;
  ARMCI_INIT_HANDLE(&handle);
  ARMCI_SET_AGGREGATE_HANDLE(&handle);
  if (me == 0) CHECK(ARMCI_NbGet(memory[0], &number, sizeof number, 0, &handle) == 0);
  REFUSED(FAIL6, ARMCI_Free(memory[me]));
  CHECK(ARMCI_Wait(&handle) == 0);
}

void test_refusals(void) {
  void* memory[MAX_PROCESSES];
  const int other = right_neighbour();
  CHECK(ARMCI_Malloc(memory, 32) == 0);
  refuse_transfers(memory[other], memory[me], other);
  refuse_vectors(memory[other], other);
  refuse_handles(memory[other], other);
  refuse_two_targets(memory);
  REFUSED(FAIL6, ARMCI_Destroy_mutexes());
  REFUSED(FAIL3, ARMCI_Malloc(memory + 1, me == 0 ? -1 : 8)); /* refused by all */
  ARMCI_Barrier();
  for (int i = 0; i < 32; ++i) CHECK(((char*)memory[me])[i] == 0);
  refuse_free(memory);
  REFUSED(FAIL6, ARMCI_Free((char*)memory[me] + 8));
  CHECK(ARMCI_Free(memory[me]) == 0);
  REFUSED(FAIL6, ARMCI_Free(memory[me]));
}
