/* SPDX-License-Identifier: BSD-3-Clause
   A sweep over CELLS x CELLS cells that stores four fields of each; one reads the neighbours, and on the
   boundary what came. A cell of the boundary cannot be computed before the wait, though three of its four
   stores read nothing that came.

     mpiexec -n 2 several_fields CELLS STEPS */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int cells;
#define AT(field, i, j) field[(size_t)(i) * (size_t)(cells + 2) + (size_t)(j)]

__attribute__((noinline)) static void sweep(double* const* out, const double* in) {
  for (int i = 1; i <= cells; ++i) {
    for (int j = 1; j <= cells; ++j) {
      AT(out[0], i, j) = 0.5 * AT(in, i, j);
      AT(out[1], i, j) = 0.3 * AT(in, i, j);
      AT(out[2], i, j) = 0.2 * AT(in, i, j);
      AT(out[3], i, j) = AT(in, i - 1, j) + AT(in, i + 1, j) + AT(in, i, j - 1) + AT(in, i, j + 1);
    }
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 3) MPI_Abort(MPI_COMM_WORLD, 2);
  cells = atoi(argv[1]);
  const int steps = atoi(argv[2]);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const size_t all = (size_t)(cells + 2) * (size_t)(cells + 2);
  double* const in = calloc(all, sizeof *in);
  double* out[4];
  for (int k = 0; k < 4; ++k) out[k] = calloc(all, sizeof *out[k]);
  MPI_Datatype column;
  MPI_Type_vector(cells, 1, cells + 2, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  const int other = 1 - rank, last = cells, behind = cells + 1;
  for (int step = 0; step < steps; ++step) {
    MPI_Request requests[8];
    MPI_Irecv(&AT(in, 1, 0), 1, column, other, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&AT(in, 1, behind), 1, column, other, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Irecv(&AT(in, 0, 1), cells, MPI_DOUBLE, other, 3, MPI_COMM_WORLD, &requests[2]);
    MPI_Irecv(&AT(in, behind, 1), cells, MPI_DOUBLE, other, 4, MPI_COMM_WORLD, &requests[3]);
    MPI_Isend(&AT(in, 1, last), 1, column, other, 1, MPI_COMM_WORLD, &requests[4]);
    MPI_Isend(&AT(in, 1, 1), 1, column, other, 2, MPI_COMM_WORLD, &requests[5]);
    MPI_Isend(&AT(in, last, 1), cells, MPI_DOUBLE, other, 3, MPI_COMM_WORLD, &requests[6]);
    MPI_Isend(&AT(in, 1, 1), cells, MPI_DOUBLE, other, 4, MPI_COMM_WORLD, &requests[7]);
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
    sweep(out, in);
  }
  printf("%g\n", AT(out[3], 1, 1));
  MPI_Finalize();
  return 0;
}
