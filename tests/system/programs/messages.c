// SPDX-License-Identifier: BSD-3-Clause
// A ring of messages with pauses, for so many seconds: it leaves the processor to others. Rank 0 prints each
// rank's host.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, length;
  char host[MPI_MAX_PROCESSOR_NAME];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Get_processor_name(host, &length);
  char* all = malloc((size_t)ranks * MPI_MAX_PROCESSOR_NAME);
  MPI_Gather(host, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, all, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < ranks; ++i) printf("rank %d on %s\n", i, all + i * MPI_MAX_PROCESSOR_NAME);
  fflush(stdout);
  const int rounds = argc > 1 ? atoi(argv[1]) * 20 : 4;
  for (int round = 0; round < rounds; ++round) {
    int out = round, in = -1;
    MPI_Request requests[2];
    MPI_Irecv(&in, 1, MPI_INT, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&out, 1, MPI_INT, (rank + 1) % ranks, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    if (in != round) MPI_Abort(MPI_COMM_WORLD, 3);
    usleep(50000);
  }
  MPI_Finalize();
  return argc > 2 ? atoi(argv[2]) : 0;
}
