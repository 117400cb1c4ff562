// SPDX-License-Identifier: BSD-3-Clause
// A program for `smpirun -trace-ti`: messages and collectives with computation between them, one message at a
// time in each direction.
#include <mpi.h>

static double outgoing[10000], incoming[10000];
static volatile double result;

static void compute(int amount) {
  for (int i = 0; i < amount; ++i) result += i;
}

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int ahead = (rank + 1) % ranks, behind = (rank + ranks - 1) % ranks;
  for (int step = 0; step < 10; ++step) {
    MPI_Request requests[2];
    MPI_Irecv(incoming, 1000 * (step + 1), MPI_DOUBLE, behind, step, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(outgoing, 1000 * (step + 1), MPI_DOUBLE, ahead, step, MPI_COMM_WORLD, &requests[1]);
    compute(100000 * (1 + (rank + step) % ranks));
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    if (rank % 2 == 0) {
      MPI_Send(outgoing, 500, MPI_INT, ahead, 99, MPI_COMM_WORLD);
    } else {
      MPI_Recv(incoming, 500, MPI_INT, behind, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Allreduce(outgoing, incoming, 100, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    compute(50000);
    MPI_Bcast(incoming, 1000, MPI_DOUBLE, step % ranks, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
