/* SPDX-License-Identifier: BSD-3-Clause
   A halo exchange of a two-dimensional grid by one-sided MPI; ranks have bands of rows.

     mpiexec -n 2 halo_one_sided put|get ROWS COLUMNS STEPS

   put: each rank puts its outer rows into its neighbours' memory between two fences. get: each rank gets its
   neighbours' outer rows under MPI_Win_lock_all and waits by MPI_Win_flush_all; barriers keep the steps apart. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *grid;
static long rows;
static int columns;

static double *row(long number) { return grid + number * columns; }

static void relax(double *next) {
  for (long i = 1; i <= rows; ++i) {
    for (int j = 1; j < columns - 1; ++j) {
      next[i * columns + j] = 0.25 * (row(i - 1)[j] + row(i + 1)[j] + row(i)[j - 1] + row(i)[j + 1]);
    }
  }
  memcpy(row(1), next + columns, sizeof(double) * (size_t)rows * (size_t)columns);
}

static void put_rows(int above, int below, MPI_Win window) {
  MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
  MPI_Put(row(1), columns, MPI_DOUBLE, above, (rows + 1) * columns, columns, MPI_DOUBLE, window);
  MPI_Put(row(rows), columns, MPI_DOUBLE, below, 0, columns, MPI_DOUBLE, window);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
}

static void get_rows(int above, int below, MPI_Win window) {
  MPI_Win_sync(window);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Get(row(0), columns, MPI_DOUBLE, above, rows * columns, columns, MPI_DOUBLE, window);
  MPI_Get(row(rows + 1), columns, MPI_DOUBLE, below, columns, columns, MPI_DOUBLE, window);
  MPI_Win_flush_all(window);
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (argc != 5) {
    fputs("usage: halo_one_sided put|get ROWS COLUMNS STEPS\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const int puts = strcmp(argv[1], "put") == 0;
  rows = atol(argv[2]);
  columns = atoi(argv[3]);
  const long steps = atol(argv[4]);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  const int below = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  const MPI_Aint bytes = (MPI_Aint)sizeof(double) * (rows + 2) * columns;
  MPI_Win window;
  MPI_Win_allocate(bytes, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &grid, &window);
  double *next = calloc((size_t)(rows + 2) * (size_t)columns, sizeof(double));
  for (long i = 0; i < (rows + 2) * columns; ++i) grid[i] = (double)((i + rank) % 17);
  MPI_Barrier(MPI_COMM_WORLD);
  if (!puts) MPI_Win_lock_all(0, window);
  for (long step = 0; step < steps; ++step) {
    (puts ? put_rows : get_rows)(above, below, window);
    relax(next);
  }
  if (!puts) MPI_Win_unlock_all(window);
  double sum = 0, all = 0;
  for (long i = columns; i < (rows + 1) * columns; ++i) sum += grid[i];
  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%.17g\n", all);
  free(next);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
