/* SPDX-License-Identifier: BSD-3-Clause
   A halo exchange in three dimensions: a cube of cells per rank, a seven-point stencil, packed faces. With
   `--overlap`, the sweep over the interior precedes the wait, and the sweep over the six faces follows it. */
#include "program.h"

enum { DIMENSIONS = 3, SIDES = 2 * DIMENSIONS };

static int cells = 64;
static int steps = 20;
static int overlap = 0;
static MPI_Comm grid;
static int neighbour[SIDES]; /* in dimension d, side 2 d is before the cube, and side 2 d + 1 behind it */
static double* out[SIDES];
static double* in[SIDES];

/* The index of a cell; 1 to `cells` are the rank's own, 0 and cells + 1 the halo. */
static size_t at(int i, int j, int k) {
  const size_t width = (size_t)(cells + 2);
  return ((size_t)i * width + (size_t)j) * width + (size_t)k;
}

/* The index of cell (a, b) in layer `layer` normal to `dimension`. */
static size_t of_face(int dimension, int layer, int a, int b) {
  if (dimension == 0) return at(layer, a, b);
  return dimension == 1 ? at(a, layer, b) : at(a, b, layer);
}

static void pack(const double* u) {
  for (int side = 0; side < SIDES; ++side) {
    double* to = out[side];
    const int layer = side % 2 ? cells : 1;
    for (int a = 1; a <= cells; ++a) {
      for (int b = 1; b <= cells; ++b) *to++ = u[of_face(side / 2, layer, a, b)];
    }
  }
}

static void unpack(double* u) {
  for (int side = 0; side < SIDES; ++side) {
    const double* from = in[side];
    const int layer = side % 2 ? cells + 1 : 0;
    for (int a = 1; a <= cells; ++a) {
      for (int b = 1; b <= cells; ++b) u[of_face(side / 2, layer, a, b)] = *from++;
    }
  }
}

static void start(MPI_Request* requests) {
  const int count = cells * cells;
  for (int side = 0; side < SIDES; ++side) {
    const int facing = side ^ 1; /* the neighbour's side that faces this one */
    MPI_Irecv(in[side], count, MPI_DOUBLE, neighbour[side], facing, grid, &requests[side]);
  }
  for (int side = 0; side < SIDES; ++side) {
    MPI_Isend(out[side], count, MPI_DOUBLE, neighbour[side], side, grid, &requests[SIDES + side]);
  }
}

static void sweep(const double* u, double* v, const int* first, const int* last) {
  for (int i = first[0]; i <= last[0]; ++i) {
    for (int j = first[1]; j <= last[1]; ++j) {
      for (int k = first[2]; k <= last[2]; ++k) {
        v[at(i, j, k)] =
            0.4 * u[at(i, j, k)] + 0.1 * (u[at(i - 1, j, k)] + u[at(i + 1, j, k)] + u[at(i, j - 1, k)] +
                                          u[at(i, j + 1, k)] + u[at(i, j, k - 1)] + u[at(i, j, k + 1)]);
      }
    }
  }
}

/* Sweeps the outermost layers, which read the halo. A cell of several layers is swept with the first one. */
static void sweep_faces(const double* u, double* v) {
  int first[DIMENSIONS] = {1, 1, 1};
  int last[DIMENSIONS] = {cells, cells, cells};
  for (int dimension = 0; dimension < DIMENSIONS; ++dimension) {
    first[dimension] = last[dimension] = 1;
    sweep(u, v, first, last);
    first[dimension] = last[dimension] = cells;
    sweep(u, v, first, last);
    first[dimension] = 2;
    last[dimension] = cells - 1;
  }
}

static void step(double* u, double* v) {
  const int inner[2][DIMENSIONS] = {{2, 2, 2}, {cells - 1, cells - 1, cells - 1}};
  const int all[2][DIMENSIONS] = {{1, 1, 1}, {cells, cells, cells}};
  MPI_Request requests[2 * SIDES];
  pack(u);
  start(requests);
  if (overlap) {
    sweep(u, v, inner[0], inner[1]);
    MPI_Waitall(2 * SIDES, requests, MPI_STATUSES_IGNORE);
    unpack(u);
    sweep_faces(u, v);
  } else {
    MPI_Waitall(2 * SIDES, requests, MPI_STATUSES_IGNORE);
    unpack(u);
    sweep(u, v, all[0], all[1]);
  }
}

static void make_grid(void) {
  int ranks = 1;
  int extents[DIMENSIONS] = {0, 0, 0};
  const int periodic[DIMENSIONS] = {1, 1, 1};
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, DIMENSIONS, extents);
  MPI_Cart_create(MPI_COMM_WORLD, DIMENSIONS, extents, periodic, 0, &grid);
  for (int d = 0; d < DIMENSIONS; ++d) MPI_Cart_shift(grid, d, 1, &neighbour[2 * d], &neighbour[2 * d + 1]);
  for (int side = 0; side < SIDES; ++side) {
    out[side] = new_doubles((size_t)cells * (size_t)cells);
    in[side] = new_doubles((size_t)cells * (size_t)cells);
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
  const size_t all = at(cells + 1, cells + 1, cells + 1) + 1;
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
    for (int j = 1; j <= cells; ++j) {
      for (int k = 1; k <= cells; ++k) sum += u[at(i, j, k)];
    }
  }
  print_result("halo_3d", own_s, sum, grid);
  MPI_Finalize();
  return 0;
}
