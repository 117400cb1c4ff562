/* SPDX-License-Identifier: BSD-3-Clause
   Rank 0 polls in bursts for a message that comes late, with or without work between the bursts. It prints how
   often each kind of poll found nothing, for how long it worked between the first burst and the last, and how long
   the polls took. virtual_clock.c has the time.
   Arguments: the work between two bursts in us, the number of bursts, and of tags to probe in rotation. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { OF_A_BURST = 40 };

double polled_s(void);

static double now_s(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Returns for how long it has worked. */
static double work(double for_s) {
  const double begin_s = now_s();
  double passed_s = 0;
  while ((passed_s = now_s() - begin_s) < for_s) continue;
  return passed_s;
}

int main(int argc, char** argv) {
  const double each_s = argc > 1 ? 1e-6 * atof(argv[1]) : 0;
  const int bursts = argc > 2 ? atoi(argv[2]) : 2000;
  const int tags = argc > 3 ? atoi(argv[3]) : 1;
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    long tests = 0;
    long probes = 0;
    double worked_s = 0;
    int flag = 0;
    int index = 0;
    int numbers[2] = {0, 0};
    MPI_Request requests[2];
    for (int i = 0; i < 2; ++i) MPI_Irecv(&numbers[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
    for (int burst = 0; burst < bursts; ++burst) {
      for (int i = 0; i < OF_A_BURST; ++i) {
        MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
        tests += !flag;
        MPI_Iprobe(1, 2 + i % tags, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        probes += !flag;
      }
      if (each_s > 0 && burst + 1 < bursts) worked_s += work(each_s);
    }
    MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    for (int done = 0; done < 2;) {
      MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
      tests += !flag;
      done += flag;
    }
    printf("%ld tests, %ld probes, worked %.6f s, polled %.6f s\n", tests, probes, worked_s, polled_s());
  } else if (rank == 1) {
    int number = 0;
    MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 2; ++i) MPI_Send(&number, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
