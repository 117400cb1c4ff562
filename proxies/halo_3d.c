/* SPDX-License-Identifier: BSD-3-Clause
   A halo exchange in three dimensions: a cube of cells per rank, a seven-point stencil, packed faces. With
   `--overlap`, each face leaves when it is packed, the sweep over the interior precedes all waits, and that
   over the layers of a dimension follows the wait for its faces. */
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

/* The cells of one layer: the index of the first one, and the distances between rows and between cells. */
struct face {
  size_t first;
  size_t row;
  size_t cell;
};

/* The layer normal to a side's dimension. */
static struct face face_of(int side, int layer) {
  const size_t width = (size_t)(cells + 2);
  if (side / 2 == 0) return (struct face){at(layer, 1, 1), width, 1};
  if (side / 2 == 1) return (struct face){at(1, layer, 1), width * width, 1};
  return (struct face){at(1, 1, layer), width * width, width};
}

static void pack(const double* u, int side) {
  const struct face face = face_of(side, side % 2 ? cells : 1);
  double* to = out[side];
  for (int i = 0; i < cells; ++i) {
    const double* row = u + face.first + (size_t)i * face.row;
    for (int k = 0; k < cells; ++k) *to++ = row[(size_t)k * face.cell];
  }
}

static void unpack(double* u, int side) {
  const struct face face = face_of(side, side % 2 ? cells + 1 : 0);
  const double* from = in[side];
  for (int i = 0; i < cells; ++i) {
    double* row = u + face.first + (size_t)i * face.row;
    for (int k = 0; k < cells; ++k) row[(size_t)k * face.cell] = *from++;
  }
}

static void receive_faces(MPI_Request* requests) {
  for (int side = 0; side < SIDES; ++side) {
    const int facing = side ^ 1; /* the neighbour's side that faces this one */
    MPI_Irecv(in[side], cells * cells, MPI_DOUBLE, neighbour[side], facing, grid, &requests[side]);
  }
}

static void send_face(int side, MPI_Request* request) {
  MPI_Isend(out[side], cells * cells, MPI_DOUBLE, neighbour[side], side, grid, request);
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

/* Sweeps both outermost layers of a dimension, without the cells of such layers of earlier dimensions. */
static void sweep_layers(const double* u, double* v, int dimension) {
  int first[DIMENSIONS] = {1, 1, 1};
  int last[DIMENSIONS] = {cells, cells, cells};
  for (int earlier = 0; earlier < dimension; ++earlier) {
    first[earlier] = 2;
    last[earlier] = cells - 1;
  }
  last[dimension] = 1;
  sweep(u, v, first, last);
  first[dimension] = last[dimension] = cells;
  sweep(u, v, first, last);
}

static void step(double* u, double* v) {
  const int first[DIMENSIONS] = {1, 1, 1};
  const int last[DIMENSIONS] = {cells, cells, cells};
  MPI_Request requests[2 * SIDES];
  for (int side = 0; side < SIDES; ++side) pack(u, side);
  receive_faces(requests);
  for (int side = 0; side < SIDES; ++side) send_face(side, &requests[SIDES + side]);
  MPI_Waitall(2 * SIDES, requests, MPI_STATUSES_IGNORE);
  for (int side = 0; side < SIDES; ++side) unpack(u, side);
  sweep(u, v, first, last);
}

/* The faces of the first dimension, which MPI_Dims_create divides first, leave first and are needed last. */
static void overlapped_step(double* u, double* v) {
  const int first[DIMENSIONS] = {2, 2, 2};
  const int last[DIMENSIONS] = {cells - 1, cells - 1, cells - 1};
  MPI_Request receives[SIDES];
  MPI_Request sends[SIDES];
  receive_faces(receives);
  for (int side = 0; side < SIDES; ++side) {
    pack(u, side);
    send_face(side, &sends[side]);
  }
  sweep(u, v, first, last);
  for (int dimension = DIMENSIONS - 1; dimension >= 0; --dimension) {
    MPI_Waitall(2, receives + 2 * dimension, MPI_STATUSES_IGNORE);
    unpack(u, 2 * dimension);
    unpack(u, 2 * dimension + 1);
    sweep_layers(u, v, dimension);
  }
  MPI_Waitall(SIDES, sends, MPI_STATUSES_IGNORE);
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
    (overlap ? overlapped_step : step)(u, v);
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
