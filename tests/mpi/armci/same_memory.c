/* SPDX-License-Identifier: BSD-3-Clause
 * Operations of memory onto itself, and operations of which one part is refused: then no part has moved. */
#include <string.h>

#include "checks.h"

/* 5 + 5 is 10, by every function that adds. */
static void add_to_itself(int* mine) {
  int one = 1;
  int count[2] = {4, 2};
  int strides[1] = {8};
  void* addresses[2] = {&mine[0], &mine[2]};
  armci_giov_t vector = {addresses, addresses, 2, 4};
  armci_hdl_t handle;
  ARMCI_INIT_HANDLE(&handle);
  const int before[4] = {5, 7, 11, 13};
  memcpy(mine, before, sizeof before);
  CHECK(ARMCI_Acc(ARMCI_ACC_INT, &one, mine, mine, 16, me) == 0);
  ARMCI_Fence(me); /* the next one reads what this one has added */
  CHECK(mine[0] == 10 && mine[1] == 14 && mine[2] == 22 && mine[3] == 26);
  CHECK(ARMCI_AccS(ARMCI_ACC_INT, &one, mine, strides, mine, strides, count, 1, me) == 0);
  ARMCI_Fence(me);
  CHECK(mine[0] == 20 && mine[1] == 14 && mine[2] == 44 && mine[3] == 26);
  CHECK(ARMCI_AccV(ARMCI_ACC_INT, &one, &vector, 1, me) == 0);
  ARMCI_Fence(me);
  CHECK(mine[0] == 40 && mine[1] == 14 && mine[2] == 88 && mine[3] == 26);
  CHECK(ARMCI_NbAcc(ARMCI_ACC_INT, &one, mine, mine, 16, me, &handle) == 0);
  CHECK(ARMCI_Wait(&handle) == 0);
  ARMCI_Fence(me);
  CHECK(ARMCI_NbAcc(ARMCI_ACC_INT, &one, mine, mine, 16, me, NULL) == 0);
  CHECK(ARMCI_WaitAll() == 0);
  ARMCI_AllFence();
  CHECK(mine[0] == 160 && mine[1] == 56 && mine[2] == 352 && mine[3] == 104);
  REFUSED(FAIL6, ARMCI_Acc(ARMCI_ACC_INT, &one, mine, mine + 1, 8, me)); /* overlaps, and is not the same */
  CHECK(ARMCI_Put(mine, mine, 16, me) == 0);
  CHECK(ARMCI_PutV(&vector, 1, me) == 0);
  CHECK(mine[0] == 160 && mine[1] == 56 && mine[2] == 352 && mine[3] == 104);
  REFUSED(FAIL6, ARMCI_Put(mine, mine, 20, me)); /* beyond its end */
}

/* The second segment reaches beyond its allocation. */
static void refuse_second_segment(char* first, char* second, int other) {
  char here[16] = "must not arrive";
  int factor = 1;
  armci_hdl_t handle;
  void* local[2] = {here, here + 8};
  void* remote[2] = {first, second + 12};
  armci_giov_t put = {local, remote, 2, 8};
  armci_giov_t get = {remote, local, 2, 8};
  ARMCI_INIT_HANDLE(&handle);
  REFUSED(FAIL6, ARMCI_PutV(&put, 1, other));
  REFUSED(FAIL6, ARMCI_AccV(ARMCI_ACC_INT, &factor, &put, 1, other));
  REFUSED(FAIL6, ARMCI_GetV(&get, 1, other));
  REFUSED(FAIL6, ARMCI_NbPutV(&put, 1, other, &handle));
  REFUSED(FAIL6, ARMCI_NbGetV(&get, 1, other, NULL));
  ARMCI_SET_AGGREGATE_HANDLE(&handle);
  REFUSED(FAIL6, ARMCI_NbPutV(&put, 1, other, &handle));
  CHECK(ARMCI_Wait(&handle) == 0);
  ARMCI_UNSET_AGGREGATE_HANDLE(&handle);
  REFUSED(FAIL6, ARMCI_Put_flag(here, first, 8, (int*)(second + 14), 1, other));
  CHECK(strcmp(here, "must not arrive") == 0);
}

/* One process alone gives an address that is none: all refuse, and the memory stays. */
static void refuse_free_of_one(void** memory) {
  int stranger = 0;
  for (int one = 0; one < processes; ++one) {
    REFUSED(FAIL6, ARMCI_Free(me == one ? (void*)&stranger : memory[me]));
  }
}

void test_same_memory(void) {
  void* first[MAX_PROCESSES];
  void* second[MAX_PROCESSES];
  const int other = right_neighbour();
  CHECK(ARMCI_Malloc(first, 16) == 0);
  CHECK(ARMCI_Malloc(second, 16) == 0);
  refuse_second_segment(first[other], second[other], other);
  ARMCI_Barrier();
  for (int i = 0; i < 16; ++i) CHECK(((char*)first[me])[i] == 0 && ((char*)second[me])[i] == 0);
  ARMCI_Barrier();
  add_to_itself(first[me]);
  ARMCI_Barrier();
  refuse_free_of_one(first);
  CHECK(ARMCI_Free(first[me]) == 0);
  CHECK(ARMCI_Free(second[me]) == 0);
}
