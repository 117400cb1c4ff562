// SPDX-License-Identifier: BSD-3-Clause
// A halo exchange that is waited for at once. The interior reads nothing that comes: wait later.
#include "frame.h"

static void interior(double* v, const double* u, int message, int cells) {
  for (int i = message; i < cells - 1; ++i) {
    v[i] = mix(u[i], u[i - 1], u[i + 1]);
  }
  v[cells - 1] = u[cells - 1];
}

static void boundary(double* v, const double* u, const double* in, int message) {
  for (int i = 0; i < message; ++i) v[i] = mix(u[i], in[i], 1.0);
}

int main(int argc, char** argv) {
  const Run run = begin_run(argc, argv);
  double *u = array_of(run.cells, run.rank), *v = array_of(run.cells, 0.0);
  double *in = array_of(run.message, 0.0), *out = array_of(run.message, 0.0);
  for (int step = 0; step < run.steps; ++step) {
    MPI_Request requests[2];
    for (int i = 0; i < run.message; ++i) out[i] = u[i];
    MPI_Irecv(in, run.message, MPI_DOUBLE, run.other, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, run.message, MPI_DOUBLE, run.other, 0, MPI_COMM_WORLD, &requests[1]);
#ifdef CHANGED
    interior(v, u, run.message, run.cells);
#endif
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
#ifndef CHANGED
    interior(v, u, run.message, run.cells);
#endif
    boundary(v, u, in, run.message);
    exchange_pointers(&u, &v);
  }
  end_run(&run, u, run.cells);
  return 0;
}
