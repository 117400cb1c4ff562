// SPDX-License-Identifier: BSD-3-Clause
// An edge is ready long before it is sent.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { interior = 60000, edge_count = 20000 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int steps = argc > 1 ? atoi(argv[1]) : 12;
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double* u = malloc(interior * sizeof *u);
  double* edge = malloc(edge_count * sizeof *edge);
  double* halo = malloc(edge_count * sizeof *halo);
  for (int i = 0; i < interior; ++i) u[i] = rank + i % 7;
  double sum = 0;
  for (int step = 0; step < steps; ++step) {
    MPI_Request arriving, leaving;
    MPI_Irecv(halo, edge_count, MPI_DOUBLE, (rank + 1) % ranks, 0, MPI_COMM_WORLD, &arriving);
    for (int i = 0; i < edge_count; ++i) edge[i] = u[i] + step;
    for (int round = 0; round < 12; ++round)
      for (int i = 1; i < interior - 1; ++i) u[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1]);
    MPI_Isend(edge, edge_count, MPI_DOUBLE, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, &leaving);
    MPI_Wait(&arriving, MPI_STATUS_IGNORE);
    for (int i = 0; i < edge_count; ++i) sum += halo[i];
    MPI_Wait(&leaving, MPI_STATUS_IGNORE);
  }
  printf("%d %.17g %.17g\n", rank, sum, u[interior / 2]);
  MPI_Finalize();
  return 0;
}
