/* SPDX-License-Identifier: BSD-3-Clause
   The textbook's halo exchange in two dimensions: a square of cells per rank, a five-point sweep. Without
   `--overlap` the sweep comes after the wait as a whole. With it, the interior is swept before the wait. */
#include "program.h"

enum { NORTH, SOUTH, WEST, EAST, SIDES };

static int cells = 512;
static int steps = 20;
static int overlap = 0;
static MPI_Comm grid;
static int neighbour[SIDES];
static double* out[SIDES];
static double* in[SIDES];

#define AT(u, i, j) (u)[(size_t)(i) * (size_t)(cells + 2) + (size_t)(j)]

static void pack(const double* u) {
  for (int k = 1; k <= cells; ++k) {
    out[NORTH][k - 1] = AT(u, 1, k);
    out[SOUTH][k - 1] = AT(u, cells, k);
    out[WEST][k - 1] = AT(u, k, 1);
    out[EAST][k - 1] = AT(u, k, cells);
  }
}

static void unpack(double* u) {
  for (int k = 1; k <= cells; ++k) {
    AT(u, 0, k) = in[NORTH][k - 1];
    AT(u, cells + 1, k) = in[SOUTH][k - 1];
    AT(u, k, 0) = in[WEST][k - 1];
    AT(u, k, cells + 1) = in[EAST][k - 1];
  }
}

static void start(MPI_Request* requests) {
  const int from[SIDES] = {SOUTH, NORTH, EAST, WEST}; /* the side of the neighbour that faces this one */
  for (int side = 0; side < SIDES; ++side) {
    MPI_Irecv(in[side], cells, MPI_DOUBLE, neighbour[side], from[side], grid, &requests[side]);
  }
  for (int side = 0; side < SIDES; ++side) {
    MPI_Isend(out[side], cells, MPI_DOUBLE, neighbour[side], side, grid, &requests[SIDES + side]);
  }
}

static void sweep(const double* u, double* v, int top, int bottom, int left, int right) {
  for (int i = top; i <= bottom; ++i) {
    for (int j = left; j <= right; ++j) {
      AT(v, i, j) =
          0.5 * AT(u, i, j) + 0.125 * (AT(u, i - 1, j) + AT(u, i + 1, j) + AT(u, i, j - 1) + AT(u, i, j + 1));
    }
  }
}

static void step(double* u, double* v) {
  MPI_Request requests[2 * SIDES];
  pack(u);
  start(requests);
  if (overlap) {
    sweep(u, v, 2, cells - 1, 2, cells - 1);
    MPI_Waitall(2 * SIDES, requests, MPI_STATUSES_IGNORE);
    unpack(u);
    sweep(u, v, 1, 1, 1, cells);
    sweep(u, v, cells, cells, 1, cells);
    sweep(u, v, 2, cells - 1, 1, 1);
    sweep(u, v, 2, cells - 1, cells, cells);
  } else {
    MPI_Waitall(2 * SIDES, requests, MPI_STATUSES_IGNORE);
    unpack(u);
    sweep(u, v, 1, cells, 1, cells);
  }
}

static void make_grid(void) {
  int ranks = 1;
  int extents[2] = {0, 0};
  const int periodic[2] = {1, 1};
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 2, extents);
  MPI_Cart_create(MPI_COMM_WORLD, 2, extents, periodic, 0, &grid);
  MPI_Cart_shift(grid, 0, 1, &neighbour[NORTH], &neighbour[SOUTH]);
  MPI_Cart_shift(grid, 1, 1, &neighbour[WEST], &neighbour[EAST]);
  for (int side = 0; side < SIDES; ++side) {
    out[side] = new_doubles((size_t)cells);
    in[side] = new_doubles((size_t)cells);
  }
}

int main(int argc, char** argv) {
  const struct option options[] = {
      {"--cells", &cells, 3}, {"--steps", &steps, 1}, {"--overlap", &overlap, -1}};
  MPI_Init(&argc, &argv);
  read_options(argc, argv, "options: --cells N (from 3) --steps N (from 1) --overlap", options, 3);
  make_grid();
  int rank = 0;
  MPI_Comm_rank(grid, &rank);
  const size_t all = (size_t)(cells + 2) * (size_t)(cells + 2);
  double* u = new_doubles(all);
  double* v = new_doubles(all);
  for (size_t k = 0; k < all; ++k) u[k] = (double)((k * 7 + (size_t)rank) % 101);

  MPI_Barrier(grid);
  const double begin_s = MPI_Wtime();
  for (int n = 0; n < steps; ++n) {
    step(u, v);
    double* swapped = u;
    u = v;
    v = swapped;
  }
  const double own_s = MPI_Wtime() - begin_s;

  double sum = 0;
  for (int i = 1; i <= cells; ++i) {
    for (int j = 1; j <= cells; ++j) sum += AT(u, i, j);
  }
  print_result("halo_2d", own_s, sum, grid);
  MPI_Finalize();
  return 0;
}
