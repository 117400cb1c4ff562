// SPDX-License-Identifier: BSD-3-Clause
// The program of docs/tutorial.md: a grid in strips, one per rank, whose edge rows are exchanged in every sweep.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 64, POINTS = 16384, SWEEPS = 50 };
static double grid[ROWS + 2][POINTS], next[ROWS + 2][POINTS];

static void relax(int from, int to) {
  for (int i = from; i < to; ++i)
    for (int j = 1; j < POINTS - 1; ++j)
      next[i][j] = 0.25 * (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]);
}

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int overlap = argc > 1 && strcmp(argv[1], "overlap") == 0;
  const int up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  const int down = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
  for (int i = 1; i <= ROWS; ++i)
    for (int j = 0; j < POINTS; ++j) grid[i][j] = (rank * ROWS + i) % 7 + j % 5;

  for (int sweep = 0; sweep < SWEEPS; ++sweep) {
    MPI_Request requests[4];
    MPI_Irecv(grid[0], POINTS, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(grid[ROWS + 1], POINTS, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(grid[1], POINTS, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(grid[ROWS], POINTS, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, &requests[3]);
    if (overlap) relax(2, ROWS); /* the inner rows need no row of another rank */
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    if (overlap) {
      relax(1, 2);
      relax(ROWS, ROWS + 1);
    } else {
      relax(1, ROWS + 1);
    }
    memcpy(grid[1], next[1], ROWS * sizeof next[1]);
  }

  double sum = 0, total = 0;
  for (int i = 1; i <= ROWS; ++i)
    for (int j = 0; j < POINTS; ++j) sum += grid[i][j];
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("halo: %.10e\n", total);
  MPI_Finalize();
  return 0;
}
