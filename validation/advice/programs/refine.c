// SPDX-License-Identifier: BSD-3-Clause
// Control dependence: the first element that comes says whether the domain is refined. The refinement reads
// nothing that came, and yet may not run before the wait.
#include "frame.h"

static void refine(double* w, int cells) {
  for (int i = 1; i < cells - 1; ++i) {
    w[i] = mix(w[i], w[i - 1], w[i + 1]) + 0.01;
  }
}

static void boundary(double* u, const double* in, int message) {
  for (int i = 1; i < message; ++i) u[i] = mix(u[i], in[i], 1.0);
}

int main(int argc, char** argv) {
  const Run run = begin_run(argc, argv);
  double *u = array_of(run.message, run.rank), *w = array_of(run.cells, 0.0);
  double *in = array_of(run.message, 0.0), *out = array_of(run.message, 0.0);
  for (int step = 0; step < run.steps; ++step) {
    MPI_Request requests[2];
    out[0] = (step + run.rank) % 4 == 3 ? 0.0 : 1.0;
    for (int i = 1; i < run.message; ++i) out[i] = u[i];
    MPI_Irecv(in, run.message, MPI_DOUBLE, run.other, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, run.message, MPI_DOUBLE, run.other, 0, MPI_COMM_WORLD, &requests[1]);
#ifdef TEMPTING
    refine(w, run.cells);
#endif
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
#ifndef TEMPTING
    if (in[0] > 0.5) refine(w, run.cells);
#endif
    boundary(u, in, run.message);
  }
  end_run(&run, w, run.cells);
  return 0;
}
