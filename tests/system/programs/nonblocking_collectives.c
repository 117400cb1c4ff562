// SPDX-License-Identifier: BSD-3-Clause
// Nonblocking collectives that complete only if MPI moves them on inside other calls. On 4 ranks; in a 2 x 2
// grid with root 0, rank 1 leads the column of rank 3.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { COUNT = 4096, RANKS = 4 };

// Rank 1 is in a receive when rank 3 waits for its data. A second phase that rank 1 starts would never start.
static int in_a_receive(int rank) {
  int data[COUNT] = {0}, token = rank;
  MPI_Request request;
  for (int i = 0; i < COUNT; ++i) data[i] = rank == 0 ? i : -1;
  MPI_Ibcast(data, COUNT, MPI_INT, 0, MPI_COMM_WORLD, &request);
  if (rank == 1) MPI_Recv(&token, 1, MPI_INT, 3, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank == 3) MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  return data[COUNT - 1] != COUNT - 1;
}

// Rank 1 starts after a message that rank 0 sends after its own start. A start that waited for all ranks
// would not end.
static int started_late(int rank) {
  MPI_Comm fresh;
  MPI_Comm_dup(MPI_COMM_WORLD, &fresh);
  int one = 1, sum = 0, token = 0;
  MPI_Request request;
  if (rank == 1) MPI_Recv(&token, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, fresh, &request);
  if (rank == 0) MPI_Ssend(&token, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&fresh);
  return sum != RANKS;
}

// Every operation next to messages, in one array of requests that is completed piece by piece.
static int mixed(int rank) {
  int mine[RANKS], all[RANKS], exchanged[RANKS], scattered = -1, reduced[RANKS], part = -1, next = -1,
                                                 done = 0;
  int gathered[RANKS], counts[RANKS] = {1, 1, 1, 1}, places[RANKS] = {3, 2, 1, 0}, spread[RANKS];
  MPI_Request requests[9];
  for (int i = 0; i < RANKS; ++i) mine[i] = 10 * rank + i;
  MPI_Iallgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, &requests[0]);
  MPI_Ialltoall(mine, 1, MPI_INT, exchanged, 1, MPI_INT, MPI_COMM_WORLD, &requests[1]);
  MPI_Irecv(&next, 1, MPI_INT, (rank + 1) % RANKS, 2, MPI_COMM_WORLD, &requests[2]);
  MPI_Iscatter(mine, 1, MPI_INT, &scattered, 1, MPI_INT, 2, MPI_COMM_WORLD, &requests[3]);
  MPI_Ireduce(mine, reduced, RANKS, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &requests[4]);
  MPI_Isend(&rank, 1, MPI_INT, (rank + RANKS - 1) % RANKS, 2, MPI_COMM_WORLD, &requests[5]);
  MPI_Ireduce_scatter(mine, &part, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[6]);
  MPI_Igather(&rank, 1, MPI_INT, gathered, 1, MPI_INT, 1, MPI_COMM_WORLD, &requests[7]);
  MPI_Iallgatherv(&rank, 1, MPI_INT, spread, counts, places, MPI_INT, MPI_COMM_WORLD, &requests[8]);
  while (done != MPI_UNDEFINED) {
    int indices[9];
    MPI_Testsome(9, requests, &done, indices, MPI_STATUSES_IGNORE);
  }
  int wrong = next != (rank + 1) % RANKS || scattered != 20 + rank || part != 60 + 4 * rank;
  for (int i = 0; i < RANKS; ++i) {
    wrong |= all[i] != i || exchanged[i] != 10 * i + rank || spread[i] != RANKS - 1 - i;
    wrong |= (rank == 0 && reduced[i] != 60 + 4 * i) || (rank == 1 && gathered[i] != i);
  }
  return wrong;
}

int main(int argc, char** argv) {
  int rank, all_wrong;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char* what = argc > 1 ? argv[1] : "";
  int wrong = 1;
  if (strcmp(what, "in-a-receive") == 0) wrong = in_a_receive(rank);
  if (strcmp(what, "started-late") == 0) wrong = started_late(rank);
  if (strcmp(what, "mixed") == 0) wrong = mixed(rank);
  MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) puts(all_wrong ? "wrong" : "right");
  MPI_Finalize();
  return all_wrong;
}
