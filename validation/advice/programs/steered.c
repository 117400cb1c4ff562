// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients until a sum is small: the solution is updated only if the loop goes on, although the
// update reads nothing of the sum. Split the product's loop.
#include "frame.h"

static void product(double* q, const double* p, int plane, int first, int last) {
  for (int i = first * plane; i < (last + 1) * plane; ++i) q[i] = 3.0 * p[i] - p[i - plane] - p[i + plane];
}

static double dot(const double* a, const double* b, int count) {
  double sum = 0.0;
  for (int i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

static void add(double* to, double factor, const double* from, int count) {
  for (int i = 0; i < count; ++i) to[i] += factor * from[i];
}

int main(int argc, char** argv) {
  const Run run = begin_run(argc, argv);
  const int plane = run.message, planes = run.cells / run.message;
  double *x = array_of(run.cells, 0.0), *r = array_of(run.cells, run.rank);
  double *all = array_of(run.cells + 2 * plane, 0.0), *q = array_of(run.cells + 2 * plane, 0.0);
  double *p = all + plane, before = 0.0, mine = dot(r, r, run.cells);
  for (int i = 0; i < run.cells; ++i) p[i] = r[i];
  MPI_Allreduce(&mine, &before, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  const double least = 1e-6 / run.steps * before;
  for (int step = 0; step < 1000; ++step) {
    MPI_Request requests[4];
    double sum = 0.0;
    MPI_Irecv(all, plane, MPI_DOUBLE, run.other, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(p + run.cells, plane, MPI_DOUBLE, run.other, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(p + run.cells - plane, plane, MPI_DOUBLE, run.other, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(p, plane, MPI_DOUBLE, run.other, 2, MPI_COMM_WORLD, &requests[3]);
#ifdef CHANGED
    product(q, all, plane, 2, planes - 1);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    product(q, all, plane, 1, 1);
    product(q, all, plane, planes, planes);
#else
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    product(q, all, plane, 1, planes);
#endif
    mine = dot(p, q + plane, run.cells);
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    const double alpha = before / sum;
    add(r, -alpha, q + plane, run.cells);
    mine = dot(r, r, run.cells);
#ifdef TEMPTING
    MPI_Request reduced;
    MPI_Iallreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &reduced);
    add(x, alpha, p, run.cells);
    MPI_Wait(&reduced, MPI_STATUS_IGNORE);
    if (sum < least) break;
#else
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (sum < least) break;
    add(x, alpha, p, run.cells);
#endif
    for (int i = 0; i < run.cells; ++i) p[i] = r[i] + sum / before * p[i];
    before = sum;
  }
  end_run(&run, x, run.cells);
  return 0;
}
