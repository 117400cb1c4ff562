/* SPDX-License-Identifier: BSD-3-Clause
 * ARMCI over some of the processes: `armci_subworld RANKS`. Even and odd ranks are worlds of their own, the
 * odd ones in falling order. ARMCI_Finalize is left out: MPI_Finalize ends it. */
#include <armci.h>
#include <message.h>
#include <stdio.h>
#include <stdlib.h>

static int failures;

static void check(int holds, const char* what) {
  if (holds) return;
  ++failures;
  fprintf(stderr, "does not hold: %s\n", what);
}
#define CHECK(condition) check((condition) != 0, #condition)

int main(int argc, char** argv) {
  int rank = 0;
  int size = 0;
  int provided = 0;
  MPI_Comm half;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank % 2 == 0 ? rank : -rank, &half);
  CHECK((rank % 3 == 0 ? ARMCI_Init_mpi_comm(half) : ARMCI_Init_thread_comm(MPI_THREAD_SINGLE, half)) == 0);
  int me = -1;
  int processes = 0;
  MPI_Comm_rank(half, &me);
  MPI_Comm_size(half, &processes);
  CHECK(armci_msg_me() == me && armci_msg_nproc() == processes);
  CHECK(ARMCI_Init_thread(MPI_THREAD_MULTIPLE) == 0); /* counts */
  ARMCI_Finalize();

  void** memory = malloc((size_t)processes * sizeof *memory);
  const int next = (me + 1) % processes;
  CHECK(ARMCI_Malloc(memory, sizeof(int)) == 0);
  CHECK(ARMCI_PutValueInt(rank, memory[next], next) == 0);
  ARMCI_Barrier();
  const int before = (me + processes - 1) % processes;
  CHECK(*(int*)memory[me] == (rank % 2 == 0 ? 2 * before : 2 * (processes - 1 - before) + 1));
  int sum = 1;
  armci_msg_igop(&sum, 1, "+");
  CHECK(sum == processes);
  MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  free(memory);
  MPI_Comm_free(&half);
  MPI_Finalize();
  if (rank == 0 && failures == 0) printf("two worlds of %d processes\n", size);
  return failures == 0 ? 0 : 1;
}
