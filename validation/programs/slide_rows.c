/* SPDX-License-Identifier: BSD-3-Clause
   What the slides of Sancho et al. found in HYCOM's barotropic solver and in Sweep3D, as a program: its
   variables are theirs, and its work takes the slides' times. Two ranks exchange edges, wait, and compute.

     mpiexec -n 2 slide_rows hycom|sweep3d STEPS

   The recorder divides a message into eight parts; a message here has eight numbers. Each loop over them
   spends its time between the numbers, so that it ends with the last of them. All values change in each step,
   because a store of the value that was loaded counts as a copy. */
#define _POSIX_C_SOURCE 199309L
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define APART __attribute__((noinline))
#define NOT_RECORDED __attribute__((noinline, no_sanitize_thread))

enum { NUMBERS = 8, INNER = 1024, GAPS = NUMBERS - 1 };

/* [0] is sent, [1] has arrived. */
static double ubavg[2][NUMBERS];
static double pbavg[2][NUMBERS];
static double vbavg[2][NUMBERS];
static double phiib[2][NUMBERS];
static double phijb[2][NUMBERS];
static double sums[NUMBERS];
static double inner[INNER];
static double tendency[NUMBERS];
static double deadline_us;
static double time_of_model;

static double now_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

/* Computes until `us` after the work before, so that what a recorder costs is part of it. */
static NOT_RECORDED void work(double us) {
  deadline_us += us;
  while (now_us() < deadline_us) {
  }
}

static void start(double (*field)[NUMBERS], int tag, MPI_Request* requests) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Irecv(field[1], NUMBERS, MPI_DOUBLE, 1 - rank, tag, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(field[0], NUMBERS, MPI_DOUBLE, 1 - rank, tag, MPI_COMM_WORLD, &requests[1]);
}

static NOT_RECORDED void wait_all(MPI_Request* requests, int count) {
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  deadline_us = now_us();
}

/* Needs all three halos, number by number. */
static APART void continuity(void) {
  for (int j = 0; j < NUMBERS; ++j) {
    if (j > 0) work(37.3 / GAPS);
    sums[j] = ubavg[1][j] + pbavg[1][j] + vbavg[1][j];
  }
}

static APART void pressure(void) {
  for (int j = 0; j < NUMBERS; ++j) {
    if (j > 0) work(27.7 / GAPS);
    pbavg[0][j] = 0.5 * pbavg[0][j] + 0.1 * sums[j] + time_of_model;
  }
}

/* One loop whose iterations take equally long; some need nothing of the neighbour. */
static APART void tendencies(double us, double independent_us) {
  const double share = independent_us / us;
  for (int i = 0; i < INNER; ++i) {
    work(us / INNER);
    if ((int)(share * (i + 1)) > (int)(share * i)) {
      inner[i] = 0.5 * inner[i] + time_of_model;
    } else {
      tendency[i % NUMBERS] = 0.5 * tendency[i % NUMBERS] + sums[i % NUMBERS] + time_of_model;
    }
  }
}

static APART void velocity_v(void) {
  for (int j = 0; j < NUMBERS; ++j) {
    if (j > 0) work(12.2 / GAPS);
    vbavg[0][j] = 0.5 * vbavg[0][j] + 0.1 * tendency[j] + time_of_model;
  }
}

static APART void velocity_u(void) {
  work(282);
  for (int j = 0; j < NUMBERS; ++j) {
    ubavg[0][j] = 0.5 * ubavg[0][j] + 0.1 * tendency[j] + time_of_model;
  }
}

static void hycom_step(void) {
  MPI_Request requests[6];
  start(ubavg, 1, requests);
  start(pbavg, 2, requests + 2);
  start(vbavg, 3, requests + 4);
  wait_all(requests, 6);
  continuity();
  pressure();
  tendencies(576 - 282 - 12.2, 192); /* from the last number of pbavg to the send it is 576 */
  velocity_v();
  velocity_u();
}

/* A line needs a number of phiib, and ends with one. Every line changes all of phijb, each number 45 ns after
   another. */
static void sweep3d_step(void) {
  MPI_Request requests[4];
  start(phiib, 1, requests);
  start(phijb, 2, requests + 2);
  wait_all(requests, 4);
  for (int j = 0; j < NUMBERS; ++j) sums[j] = 0.5 * sums[j] + 0.1 * phijb[1][j];
  for (int j = 0; j < NUMBERS; ++j) {
    if (j > 0) work(4.73 / GAPS);
    sums[j] += 0.1 * phiib[1][j];
  }
  for (int j = 0; j < NUMBERS; ++j) {
    if (j > 0) work(4.73 / GAPS - NUMBERS * 0.045);
    phiib[0][j] = 0.1 * sums[j] + time_of_model;
    for (int k = 0; k < NUMBERS; ++k) {
      work(0.045);
      phijb[0][k] = 0.5 * phijb[0][k] + 0.1 * sums[j] + time_of_model;
    }
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int steps = argc == 3 ? atoi(argv[2]) : 0;
  if (steps < 1) {
    fprintf(stderr, "slide_rows hycom|sweep3d STEPS\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  void (*const step)(void) = strcmp(argv[1], "hycom") == 0 ? hycom_step : sweep3d_step;
  for (int i = 0; i < steps; ++i) {
    time_of_model += 1;
    step();
  }
  MPI_Finalize();
  return 0;
}
