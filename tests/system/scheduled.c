/* SPDX-License-Identifier: BSD-3-Clause
 * What test_replay_simulated.py runs on a simulated machine: a schedule from a file, `RANK OPERATION PEER BYTES NS` a
 * line. `S` sends and `R` receives while it computes for NS, and waits; prints when the last rank was done. */
#include <mpi.h>
#include <smpi/smpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, of, peer, bytes;
  long ns;
  char operation;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  FILE* file = fopen(argv[1], "r");
  char* buffer = malloc(1 << 24);
  double began = MPI_Wtime();
  while (fscanf(file, "%d %c %d %d %ld", &of, &operation, &peer, &bytes, &ns) == 5) {
    if (of != rank) continue;
    MPI_Request request;
    if (operation == 'S') {
      MPI_Isend(buffer, bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD, &request);
    } else {
      MPI_Irecv(buffer, bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD, &request);
    }
    if (ns > 0) smpi_execute_flops((double)ns); /* of a machine of 1 Gflop/s */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  double took = MPI_Wtime() - began, longest = 0;
  MPI_Reduce(&took, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%.12f\n", longest);
  free(buffer);
  fclose(file);
  MPI_Finalize();
  return 0;
}
