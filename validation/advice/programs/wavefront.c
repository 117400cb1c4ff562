// SPDX-License-Identifier: BSD-3-Clause
// A wavefront: rank 0 sends a block when it is computed, and rank 1 computes the same block with it. Work on
// other blocks may not be moved before the receive, but the next block can travel into a second buffer.
#include "frame.h"

static void block(double* flux, double* edge, int message, int cells) {
  for (int line = 0; line < message; ++line) {
    double carried = edge[line];
    for (int i = 0; i < cells / message; ++i) {
      carried = mix(carried, flux[line * (cells / message) + i], 1.0);
      flux[line * (cells / message) + i] = carried;
    }
    edge[line] = carried;
  }
}

int main(int argc, char** argv) {
  const Run run = begin_run(argc, argv);
  double* flux = array_of(run.cells, run.rank);
  double* edges[2] = {array_of(run.message, 0.0), array_of(run.message, 0.0)};
#ifdef CHANGED
  MPI_Request request = MPI_REQUEST_NULL;
  if (run.rank == 1) MPI_Irecv(edges[0], run.message, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &request);
  for (int step = 0; step < run.steps; ++step) {
    double* edge = edges[step % 2];
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (run.rank == 1 && step + 1 < run.steps)
      MPI_Irecv(edges[(step + 1) % 2], run.message, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &request);
    if (run.rank == 0) {
      for (int i = 0; i < run.message; ++i) edge[i] = 1.0 + 0.01 * (step % 10);
    }
    block(flux, edge, run.message, run.cells);
    if (run.rank == 0) MPI_Send(edge, run.message, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  }
#else
  for (int step = 0; step < run.steps; ++step) {
    double* edge = edges[0];
#ifdef TEMPTING
    block(flux, edge, run.message, run.cells);
#endif
    if (run.rank == 1) MPI_Recv(edge, run.message, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (run.rank == 0) {
      for (int i = 0; i < run.message; ++i) edge[i] = 1.0 + 0.01 * (step % 10);
    }
#ifndef TEMPTING
    block(flux, edge, run.message, run.cells);
#endif
    if (run.rank == 0) MPI_Send(edge, run.message, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  }
#endif
  end_run(&run, flux, run.cells);
  return 0;
}
