/* SPDX-License-Identifier: BSD-3-Clause
 * Memory that one process allocates and tells another of, and the second names of functions. */
#include <parmci.h>
#include <string.h>

#include "checks.h"

enum { tag = 7, numbers = 50 };

/* Two pieces at once, the second given back and had again. */
static void allocate(armci_meminfo_t* kept) {
  armci_meminfo_t other;
  armci_meminfo_t again;
  ARMCI_Memget(numbers * sizeof(int), kept, 0);
  CHECK(kept->cpid == me && kept->size == numbers * sizeof(int) && kept->addr != NULL);
  ARMCI_Memget(1000, &other, 0);
  CHECK(other.addr >= kept->addr + kept->size || other.addr + other.size <= kept->addr);
  char* const address = other.addr;
  ARMCI_Memctl(&other);
  CHECK(other.addr == NULL);
  ARMCI_Memget(1000, &again, 0);
  CHECK(again.addr == address);
  ARMCI_Memctl(&again);
}

void test_noncollective(void) {
  struct armci_meminfo_ds mine; /* by its tag, as published */
  armci_meminfo_t theirs;
  allocate(&mine);
  CHECK(ARMCI_Memat(&mine, 0) == mine.addr);
  CHECK(ARMCI_Free(mine.addr) == FAIL6); /* is not ARMCI_Malloc's */
  memset(mine.addr, 0, mine.size);
  if (processes > 1) {
    armci_msg_snd(tag, &mine, sizeof mine, right_neighbour());
    armci_msg_rcv(tag, &theirs, sizeof theirs, NULL, left_neighbour());
  } else {
    theirs = mine;
  }
  CHECK(theirs.cpid == left_neighbour());
  int* const place = ARMCI_Memat(&theirs, 0);
  int values[numbers];
  int back[numbers];
  int one = 1;
  for (int i = 0; i < numbers; ++i) values[i] = 100 * me + i;
  CHECK(ARMCI_Put(values, place, sizeof values, theirs.cpid) == 0);
  CHECK(ARMCI_Acc(ARMCI_ACC_INT, &one, values, place, sizeof values, theirs.cpid) == 0);
  CHECK(ARMCI_Get(place, back, sizeof back, theirs.cpid) == 0);
  for (int i = 0; i < numbers; ++i) CHECK(back[i] == 2 * values[i]);
  ARMCI_Memdt(&theirs, 0);
  ARMCI_Barrier();
  CHECK(((int*)mine.addr)[numbers - 1] == 2 * (100 * right_neighbour() + numbers - 1));
  ARMCI_Memctl(&mine);
  ARMCI_Barrier();
}

static int floats_put;

/* As a profiler does it: in place of the library's, which it calls by the second name. */
int ARMCI_PutValueFloat(float src, void* dst, int proc) {
  ++floats_put;
  return PARMCI_PutValueFloat(src, dst, proc);
}

void test_second_names(void) {
  void* memory[MAX_PROCESSES];
  const int before = floats_put;
  CHECK(PARMCI_Malloc(memory, sizeof(float)) == 0);
  CHECK(ARMCI_PutValueFloat(2.5F, memory[right_neighbour()], right_neighbour()) == 0);
  CHECK(floats_put == before + 1);
  PARMCI_Barrier();
  parmci_msg_barrier();
  CHECK(*(float*)memory[me] == 2.5F);
  CHECK(PARMCI_Put == ARMCI_Put && PARMCI_NbGetS == ARMCI_NbGetS && PARMCI_WaitAll == ARMCI_WaitAll);
  CHECK(PARMCI_Free(memory[me]) == 0);
}
