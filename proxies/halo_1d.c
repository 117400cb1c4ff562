/* SPDX-License-Identifier: BSD-3-Clause
   A halo exchange in one dimension: rows of a field in a ring of ranks, a five-point sweep. Rows are sent
   from where they stand and arrive where they are read. With `--overlap` the inner rows are swept before the
   wait. */
#include "program.h"

enum { UP, DOWN, SIDES };

static int rows = 512;
static int columns = 512;
static int steps = 20;
static int overlap = 0;
static int neighbour[SIDES];

#define ROW(u, i) ((u) + (size_t)(i) * (size_t)columns)

static void start(double* u, MPI_Request* requests) {
  MPI_Irecv(ROW(u, 0), columns, MPI_DOUBLE, neighbour[UP], DOWN, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(ROW(u, rows + 1), columns, MPI_DOUBLE, neighbour[DOWN], UP, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(ROW(u, 1), columns, MPI_DOUBLE, neighbour[UP], UP, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(ROW(u, rows), columns, MPI_DOUBLE, neighbour[DOWN], DOWN, MPI_COMM_WORLD, &requests[3]);
}

/* The first and the last column do not change. */
static void sweep(const double* u, double* v, int top, int bottom) {
  for (int i = top; i <= bottom; ++i) {
    const double* above = ROW(u, i - 1);
    const double* here = ROW(u, i);
    const double* below = ROW(u, i + 1);
    double* to = ROW(v, i);
    for (int j = 1; j < columns - 1; ++j) {
      to[j] = 0.5 * here[j] + 0.125 * (above[j] + below[j] + here[j - 1] + here[j + 1]);
    }
  }
}

static void step(double* u, double* v) {
  MPI_Request requests[2 * SIDES];
  start(u, requests);
  if (overlap) {
    sweep(u, v, 2, rows - 1);
    MPI_Waitall(2 * SIDES, requests, MPI_STATUSES_IGNORE);
    sweep(u, v, 1, 1);
    sweep(u, v, rows, rows);
  } else {
    MPI_Waitall(2 * SIDES, requests, MPI_STATUSES_IGNORE);
    sweep(u, v, 1, rows);
  }
}

int main(int argc, char** argv) {
  const struct option options[] = {
      {"--rows", &rows, 3}, {"--columns", &columns, 3}, {"--steps", &steps, 1}, {"--overlap", &overlap, -1}};
  MPI_Init(&argc, &argv);
  read_options(argc, argv, "options: --rows N --columns N --steps N --overlap; give a number from 1", options,
               4);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  neighbour[UP] = (rank + ranks - 1) % ranks;
  neighbour[DOWN] = (rank + 1) % ranks;
  const size_t all = (size_t)(rows + 2) * (size_t)columns;
  double* u = new_doubles(all);
  double* v = new_doubles(all);
  for (size_t k = 0; k < all; ++k) u[k] = v[k] = (double)((k * 7 + (size_t)rank) % 101);

  MPI_Barrier(MPI_COMM_WORLD);
  const double begin_s = MPI_Wtime();
  for (int n = 0; n < steps; ++n) {
    step(u, v);
    double* swapped = u;
    u = v;
    v = swapped;
  }
  const double own_s = MPI_Wtime() - begin_s;

  double sum = 0;
  for (int i = 1; i <= rows; ++i) {
    for (int j = 0; j < columns; ++j) sum += ROW(u, i)[j];
  }
  print_result("halo_1d", own_s, sum, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
