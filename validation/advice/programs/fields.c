// SPDX-License-Identifier: BSD-3-Clause
// Three fields on a 3-D grid, each with its halo exchange right before its stencil: split the loop.
#include "frame.h"

enum { fields = 3 };

static void stencil(double* v, const double* u, int plane, int first, int last) {
  for (int at = first; at <= last; ++at) {
    for (int i = at * plane; i < (at + 1) * plane; ++i) v[i] = mix(u[i], u[i - plane], u[i + plane]);
  }
}

int main(int argc, char** argv) {
  const Run run = begin_run(argc, argv);
  const int plane = run.message, planes = run.cells / run.message;
  double *u[fields], *v[fields];
  for (int field = 0; field < fields; ++field) {
    u[field] = array_of(run.cells + 2 * plane, run.rank + field);
    v[field] = array_of(run.cells + 2 * plane, 0.0);
  }
  for (int step = 0; step < run.steps; ++step) {
    for (int field = 0; field < fields; ++field) {
      MPI_Request requests[4];
      double *low = u[field], *high = u[field] + planes * plane;
      MPI_Irecv(low, plane, MPI_DOUBLE, run.other, 1, MPI_COMM_WORLD, &requests[0]);
      MPI_Irecv(high + plane, plane, MPI_DOUBLE, run.other, 2, MPI_COMM_WORLD, &requests[1]);
      MPI_Isend(high, plane, MPI_DOUBLE, run.other, 1, MPI_COMM_WORLD, &requests[2]);
      MPI_Isend(low + plane, plane, MPI_DOUBLE, run.other, 2, MPI_COMM_WORLD, &requests[3]);
#ifdef CHANGED
      stencil(v[field], u[field], plane, 2, planes - 1);
      MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
      stencil(v[field], u[field], plane, 1, 1);
      stencil(v[field], u[field], plane, planes, planes);
#else
      MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
      stencil(v[field], u[field], plane, 1, planes);
#endif
      exchange_pointers(&u[field], &v[field]);
    }
  }
  end_run(&run, u[0] + plane, run.cells);
  return 0;
}
