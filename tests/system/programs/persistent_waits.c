/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent messages that are complete before the program waits for any of them. Rank 0 prints "ok". */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int rank, turn, i, in[2], out[2];
  MPI_Request all[4];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (i = 0; i < 2; ++i) {
    out[i] = rank;
    MPI_Recv_init(&in[i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &all[i]);
    MPI_Send_init(&out[i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &all[2 + i]);
  }
  for (turn = 0; turn < 20; ++turn) {
    MPI_Startall(4, all);
    usleep(2000);
    for (i = 0; i < 4; ++i) {
      int index;
      MPI_Waitany(4, all, &index, MPI_STATUS_IGNORE);
      if (index == MPI_UNDEFINED) MPI_Abort(MPI_COMM_WORLD, 9);
    }
  }
  for (i = 0; i < 4; ++i) MPI_Request_free(&all[i]);
  if (rank == 0) printf("ok\n");
  MPI_Finalize();
  return 0;
}
