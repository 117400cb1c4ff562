// SPDX-License-Identifier: BSD-3-Clause
// A reduction of many sums, whose result is used after other work: a nonblocking collective.
#include "frame.h"

static void partial_sums(double* sums, const double* u, int message, int cells) {
  for (int i = 0; i < message; ++i) {
    sums[i] = 0.0;
    for (int k = i; k < cells; k += message) sums[i] += u[k];
  }
}

static void other_work(double* w, int cells) {
  for (int i = 1; i < cells - 1; ++i) {
    w[i] = mix(w[i], w[i - 1], w[i + 1]);
  }
}

static void scale(double* u, const double* sums, int message, int cells) {
  for (int k = 0; k < cells; ++k) u[k] = mix(u[k], sums[k % message] * message / cells, 1.0);
}

int main(int argc, char** argv) {
  const Run run = begin_run(argc, argv);
  double *u = array_of(run.cells, run.rank), *w = array_of(run.cells, 1.0);
  double *mine = array_of(run.message, 0.0), *all = array_of(run.message, 0.0);
  for (int step = 0; step < run.steps; ++step) {
    partial_sums(mine, u, run.message, run.cells);
#ifdef CHANGED
    MPI_Request request;
    MPI_Iallreduce(mine, all, run.message, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    other_work(w, run.cells);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#else
    MPI_Allreduce(mine, all, run.message, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    other_work(w, run.cells);
#endif
    scale(u, all, run.message, run.cells);
  }
  for (int k = 0; k < run.cells; ++k) u[k] += w[k];
  end_run(&run, u, run.cells);
  return 0;
}
