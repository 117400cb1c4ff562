// SPDX-License-Identifier: BSD-3-Clause
// A halo of received data is waited for before the interior, which needs none of it, is computed.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { interior = 60000, halo_count = 20000 };

static void relax(double* u, int n) {
  for (int round = 0; round < 12; ++round)
    for (int i = 1; i < n - 1; ++i) u[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1]);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int steps = argc > 1 ? atoi(argv[1]) : 12;
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double* u = malloc(interior * sizeof *u);
  double* edge = malloc(halo_count * sizeof *edge);
  double* halo = malloc(halo_count * sizeof *halo);
  for (int i = 0; i < interior; ++i) u[i] = rank + i % 7;
  double sum = 0;
  for (int step = 0; step < steps; ++step) {
    MPI_Request requests[2];
    for (int i = 0; i < halo_count; ++i) edge[i] = u[i] + step;
    MPI_Irecv(halo, halo_count, MPI_DOUBLE, (rank + 1) % ranks, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(edge, halo_count, MPI_DOUBLE, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    relax(u, interior);
    for (int i = 0; i < halo_count; ++i) sum += halo[i];
  }
  printf("%d %.17g %.17g\n", rank, sum, u[interior / 2]);
  MPI_Finalize();
  return 0;
}
