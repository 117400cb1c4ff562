/* SPDX-License-Identifier: BSD-3-Clause
   Walsh-Hadamard transforms of a square matrix in two dimensions: the rows of a rank are transformed, and the
   matrix is transposed among all ranks. Without `--overlap` blocks leave when all rows are done. With it,
   they leave in `--pieces` as their rows are done, and each piece is unpacked when it has come. */
#include "program.h"

static int order = 512; /* of the matrix, a power of two */
static int steps = 20;
static int pieces = 8;
static int overlap = 0;
static int ranks = 1;
static int own; /* rows of a rank */
static double* matrix;
static double* out; /* block by block of own x own, row by row */
static double* in;

static double* block(double* blocks, int other) { return blocks + (size_t)other * (size_t)own * (size_t)own; }

static void transform(int first, int last) {
  const double scale = 0.70710678118654752; /* the transform keeps the norm */
  for (int i = first; i < last; ++i) {
    double* row = matrix + (size_t)i * (size_t)order;
    for (int half = 1; half < order; half *= 2) {
      for (int from = 0; from < order; from += 2 * half) {
        for (int k = from; k < from + half; ++k) {
          const double one = row[k];
          const double other = row[k + half];
          row[k] = scale * (one + other);
          row[k + half] = scale * (one - other);
        }
      }
    }
  }
}

static void pack(int first, int last) {
  for (int i = first; i < last; ++i) {
    for (int other = 0; other < ranks; ++other) {
      const double* from = matrix + (size_t)i * (size_t)order + (size_t)other * (size_t)own;
      double* to = block(out, other) + (size_t)i * (size_t)own;
      for (int k = 0; k < own; ++k) to[k] = from[k];
    }
  }
}

/* The rows from `first` to `last` of each block that has come. */
static void unpack(int first, int last) {
  for (int other = 0; other < ranks; ++other) {
    const double* from = block(in, other);
    for (int i = first; i < last; ++i) {
      for (int k = 0; k < own; ++k) {
        matrix[(size_t)k * (size_t)order + (size_t)other * (size_t)own + (size_t)i] =
            from[(size_t)i * (size_t)own + (size_t)k];
      }
    }
  }
}

static int begin_of(int piece, int count) { return (int)((long)own * piece / count); }

/* All messages of a piece of the rows: they begin with row `first` of each block. */
static void send_piece(int first, int last, int tag, MPI_Request* requests) {
  const int count = (last - first) * own;
  for (int other = 0; other < ranks; ++other) {
    MPI_Isend(block(out, other) + (size_t)first * (size_t)own, count, MPI_DOUBLE, other, tag, MPI_COMM_WORLD,
              &requests[other]);
  }
}

static void receive_piece(int first, int last, int tag, MPI_Request* requests) {
  const int count = (last - first) * own;
  for (int other = 0; other < ranks; ++other) {
    MPI_Irecv(block(in, other) + (size_t)first * (size_t)own, count, MPI_DOUBLE, other, tag, MPI_COMM_WORLD,
              &requests[other]);
  }
}

static void step(MPI_Request* requests) {
  const int count = overlap ? pieces : 1;
  MPI_Request* leaving = requests + (size_t)count * (size_t)ranks;
  if (overlap) {
    for (int piece = 0; piece < count; ++piece) {
      receive_piece(begin_of(piece, count), begin_of(piece + 1, count), piece, requests + piece * ranks);
    }
    for (int piece = 0; piece < count; ++piece) {
      const int first = begin_of(piece, count);
      const int last = begin_of(piece + 1, count);
      transform(first, last);
      pack(first, last);
      send_piece(first, last, piece, leaving + piece * ranks);
    }
    for (int piece = 0; piece < count; ++piece) {
      MPI_Waitall(ranks, requests + piece * ranks, MPI_STATUSES_IGNORE);
      unpack(begin_of(piece, count), begin_of(piece + 1, count));
    }
    MPI_Waitall(count * ranks, leaving, MPI_STATUSES_IGNORE);
  } else {
    transform(0, own);
    pack(0, own);
    receive_piece(0, own, 0, requests);
    send_piece(0, own, 0, leaving);
    MPI_Waitall(2 * ranks, requests, MPI_STATUSES_IGNORE);
    unpack(0, own);
  }
}

int main(int argc, char** argv) {
  const struct option options[] = {
      {"--order", &order, 2}, {"--steps", &steps, 1}, {"--pieces", &pieces, 1}, {"--overlap", &overlap, -1}};
  MPI_Init(&argc, &argv);
  read_options(argc, argv, "options: --order N --steps N --pieces N --overlap; give a number from 1", options,
               4);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (order % ranks != 0 || (order & (order - 1)) != 0) {
    if (rank == 0) fprintf(stderr, "%s: --order: must be a power of two, and divide by the ranks\n", argv[0]);
    MPI_Finalize();
    return 2;
  }
  own = order / ranks;
  if (pieces > own) pieces = own;
  const size_t all = (size_t)order * (size_t)own;
  matrix = new_doubles(all);
  out = new_doubles(all);
  in = new_doubles(all);
  for (size_t k = 0; k < all; ++k) matrix[k] = (double)((k * 7 + (size_t)rank) % 101);
  MPI_Request* requests = calloc(2 * (size_t)pieces * (size_t)ranks, sizeof *requests);
  if (requests == NULL) MPI_Abort(MPI_COMM_WORLD, 1);

  MPI_Barrier(MPI_COMM_WORLD);
  const double begin_s = MPI_Wtime();
  for (int n = 0; n < steps; ++n) step(requests);
  const double own_s = MPI_Wtime() - begin_s;

  double sum = 0;
  for (size_t k = 0; k < all; ++k) sum += matrix[k];
  print_result("transposition", own_s, sum, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
