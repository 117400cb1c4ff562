/* SPDX-License-Identifier: BSD-3-Clause
 * ARMCI in C: memory of all processes, an aggregate of small puts, an accumulate and a counter. The program
 * knows no MPI: ARMCI_Init initialises it, and armci_msg_finalize ends it.
 */
#include <armci.h>
#include <message.h>
#include <stdio.h>

enum { VALUES = 100, APART = 10, PROCESSES = 64 };

int main(void) {
  void* memory[PROCESSES]; /* what this process calls the memory of each */
  void* counters[PROCESSES];
  ARMCI_Init();
  const int me = armci_msg_me();
  const int processes = armci_msg_nproc();
  const int right = (me + 1) % processes;
  const int left = (me + processes - 1) % processes;
  ARMCI_Malloc(memory, VALUES * APART * sizeof(double));
  ARMCI_Malloc(counters, sizeof(long));
  *(long*)counters[me] = 0;
  ARMCI_Barrier();

  /* Puts with a marked handle leave as one message when they are waited for. */
  armci_hdl_t handle;
  ARMCI_INIT_HANDLE(&handle);
  ARMCI_SET_AGGREGATE_HANDLE(&handle);
  double values[VALUES];
  for (int i = 0; i < VALUES; ++i) {
    values[i] = 1000.0 * me + i;
    ARMCI_NbPut(&values[i], (double*)memory[right] + APART * i, sizeof(double), right, &handle);
  }
  ARMCI_Wait(&handle); /* values may be changed */
  ARMCI_Barrier();     /* and the puts are there, everywhere */

  int wrong = 0;
  for (int i = 0; i < VALUES; ++i) wrong += ((double*)memory[me])[APART * i] != 1000.0 * left + i;
  ARMCI_Barrier();

  /* Every process adds 2 * 1 to the first number of process 0, and draws a number from its counter. */
  double scale = 2;
  double one = 1;
  ARMCI_Acc(ARMCI_ACC_DBL, &scale, &one, memory[0], sizeof(double), 0);
  long drawn = -1;
  ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &drawn, counters[0], 1, 0);
  wrong += drawn < 0 || drawn >= processes;
  ARMCI_Barrier();
  if (me == 0) {
    wrong += *(double*)memory[0] != 1000.0 * left + 2.0 * processes;
    wrong += *(long*)counters[0] != processes;
  }

  armci_msg_igop(&wrong, 1, "+");
  if (me == 0) printf(wrong == 0 ? "armci (C): puts, accumulates and the counter agree\n" : "WRONG\n");
  ARMCI_Free(counters[me]);
  ARMCI_Free(memory[me]);
  ARMCI_Finalize();
  armci_msg_finalize();
  return wrong == 0 ? 0 : 1;
}
