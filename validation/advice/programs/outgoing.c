// SPDX-License-Identifier: BSD-3-Clause
// A reused send buffer: when the message is out, the buffer holds intermediate values of other work. That work
// reads nothing that comes, and overwrites what is sent where it runs before the wait.
#include "frame.h"

static void consume(double* u, const double* in, int message) {
  for (int i = 0; i < message; ++i) u[i] = mix(u[i], in[i], 1.0);
}

static void smooth(double* w, double* scratch, int message, int cells) {
  for (int first = 0; first < cells; first += message) {
    for (int i = 0; i < message; ++i) scratch[i] = mix(w[first + i], w[(first + i + 1) % cells], 1.0);
    for (int i = 0; i < message; ++i) w[first + i] = 0.5 * (w[first + i] + scratch[i]);
  }
}

int main(int argc, char** argv) {
  const Run run = begin_run(argc, argv);
  double *u = array_of(run.message, run.rank), *w = array_of(run.cells, run.rank);
  double *in = array_of(run.message, 0.0), *out = array_of(run.message, 0.0);
  MPI_Request requests[2];
  MPI_Recv_init(in, run.message, MPI_DOUBLE, run.other, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(out, run.message, MPI_DOUBLE, run.other, 0, MPI_COMM_WORLD, &requests[1]);
  for (int step = 0; step < run.steps; ++step) {
    for (int i = 0; i < run.message; ++i) out[i] = w[run.cells - run.message + i];
#ifdef TEMPTING
    MPI_Start(&requests[0]);
    smooth(w, out, run.message, run.cells);
    MPI_Start(&requests[1]);  // as late as any MPI may read it
#else
    MPI_Startall(2, requests);
#endif
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
#ifndef TEMPTING
    smooth(w, out, run.message, run.cells);
#endif
    consume(u, in, run.message);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  end_run(&run, u, run.message);
  return 0;
}
