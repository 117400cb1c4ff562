// SPDX-License-Identifier: BSD-3-Clause
// A block goes round a ring. It ages in place, and then other work reads it: that work may come after the
// send, and the ageing may not.
#include "frame.h"

static void age(double* block, int message) {
  for (int i = 0; i < message; ++i) block[i] = mix(block[i], 0.9, 1.0);
}

static void work(double* sums, const double* block, int message, int cells) {
  for (int first = 0; first < cells; first += message) {
    for (int i = 0; i < message; ++i) sums[first + i] = mix(sums[first + i], block[i], 1.0);
  }
}

int main(int argc, char** argv) {
  const Run run = begin_run(argc, argv);
  double *sums = array_of(run.cells, 0.0), *block = array_of(run.message, run.rank);
  double* next = array_of(run.message, 0.0);
  for (int step = 0; step < run.steps; ++step) {
    MPI_Request requests[2];
#ifndef TEMPTING
    age(block, run.message);
#endif
#ifndef CHANGED
#ifndef TEMPTING
    work(sums, block, run.message, run.cells);
#endif
#endif
    MPI_Irecv(next, run.message, MPI_DOUBLE, run.other, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(block, run.message, MPI_DOUBLE, run.other, 0, MPI_COMM_WORLD, &requests[1]);
#ifdef CHANGED
    work(sums, block, run.message, run.cells);
#endif
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
#ifdef TEMPTING
    age(block, run.message);
    work(sums, block, run.message, run.cells);
#endif
    exchange_pointers(&block, &next);
  }
  end_run(&run, sums, run.cells);
  return 0;
}
