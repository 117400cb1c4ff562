// SPDX-License-Identifier: BSD-3-Clause
// What the programs in C share: two ranks, each the other's neighbour; their arguments, timing and output.
// A program has up to three forms: as written, with its best change (CHANGED), and with a change that looks
// as good and is wrong (TEMPTING).
#pragma once

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int rank;
  int other;
  int message;  // elements of one
  int cells;    // of the domain, a multiple of `message`
  int steps;
  double begin_s;
} Run;

static inline Run begin_run(int argc, char** argv) {
  Run run = {.message = 4096, .cells = 1 << 18, .steps = 20};
  int ranks = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &run.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks != 2) MPI_Abort(MPI_COMM_WORLD, 2);
  run.other = 1 - run.rank;
  if (argc > 1) run.message = atoi(argv[1]);
  if (argc > 2) run.cells = atoi(argv[2]);
  if (argc > 3) run.steps = atoi(argv[3]);
  MPI_Barrier(MPI_COMM_WORLD);
  run.begin_s = MPI_Wtime();
  return run;
}

// Rank 0 prints the longer time of both ranks, and a sum of both ranks' results.
static inline void end_run(const Run* run, const double* result, int count) {
  double mine[2] = {MPI_Wtime() - run->begin_s, 0.0};
  double longest_s = 0.0, sum = 0.0;
  for (int i = 0; i < count; ++i) mine[1] += result[i] * (i % 7 + 1);
  MPI_Reduce(&mine[0], &longest_s, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Reduce(&mine[1], &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (run->rank == 0) printf("seconds %.6f sum %.17g\n", longest_s, sum);
  MPI_Finalize();
}

static inline double* array_of(int count, double phase) {
  double* made = malloc(sizeof *made * (size_t)count);
  for (int i = 0; i < count; ++i) made[i] = 1.0 + 0.5 * sin(phase + i);
  return made;
}

// Stays between the values that it is given.
static inline double mix(double a, double b, double c) {
  return sqrt((a * a + b * b + c * c) / 3.0) / (1.0 + 0.001 * a * b);
}

static inline void exchange_pointers(double** one, double** other) {
  double* kept = *one;
  *one = *other;
  *other = kept;
}
