/* SPDX-License-Identifier: BSD-3-Clause
   Two ranks exchange blocks in the way that the argument names. Then one loop overwrites what was sent, and
   another one stores elsewhere: only that one may come before the wait. Neither reads what came. */
#include <mpi.h>
#include <string.h>

enum { count = 16384, steps = 12 };

static double in[2 * count], out[2 * count], apart[2 * count];

static void overwrite(void) {
  for (int i = 0; i < 2 * count; ++i) out[i] = 0.5 * out[i] + i;
}

static void other(void) {
  for (int i = 0; i < 2 * count; ++i) apart[i] = 0.5 * apart[i] + i;
}

int main(int argc, char** argv) {
  int rank;
  double sum = 0;
  const char* way = argc > 1 ? argv[1] : "isend";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int to = 1 - rank;
  for (int step = 0; step < steps; ++step) {
    MPI_Request requests[2];
    if (strcmp(way, "isend") == 0) {
      MPI_Irecv(in, 2 * count, MPI_DOUBLE, to, 0, MPI_COMM_WORLD, &requests[0]);
      MPI_Isend(out, 2 * count, MPI_DOUBLE, to, 0, MPI_COMM_WORLD, &requests[1]);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else if (strcmp(way, "sendrecv") == 0) {
      MPI_Sendrecv(out, 2 * count, MPI_DOUBLE, to, 0, in, 2 * count, MPI_DOUBLE, to, 0, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
    } else {
      MPI_Alltoall(out, count, MPI_DOUBLE, in, count, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    overwrite();
    other();
    for (int i = 0; i < 2 * count; ++i) sum += in[i];
    out[0] = sum;
  }
  MPI_Finalize();
  return 0;
}
