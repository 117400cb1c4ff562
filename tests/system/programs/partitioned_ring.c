/* SPDX-License-Identifier: BSD-3-Clause
   A ring of partitioned messages. `partitioned_ring ROUNDS STARTS`: in each round both operations are made,
   started so many times, and freed. Prints "ok". Exit status 77: this MPI has no such operations. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#if MPI_VERSION >= 4 || OMPI_MAJOR_VERSION >= 5

enum { PARTS = 4, COUNT = 2, ALL = PARTS * COUNT };

static double in[ALL];
static double out[ALL];

static void start(MPI_Request* receive, MPI_Request* send, int value) {
  for (int i = 0; i < ALL; ++i) {
    out[i] = value + i;
    in[i] = -1;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Start(receive);
  MPI_Start(send);
  for (int part = 0; part < PARTS; ++part) MPI_Pready(part, *send);
  for (int part = 0; part < PARTS; ++part) {
    for (int arrived = 0; arrived == 0;) MPI_Parrived(*receive, part, &arrived);
  }
  MPI_Wait(receive, MPI_STATUS_IGNORE);
  MPI_Wait(send, MPI_STATUS_IGNORE);
  for (int i = 0; i < ALL; ++i) {
    if (in[i] != value + i) MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

int main(int argc, char** argv) {
  int rank = 0;
  int ranks = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int rounds = atoi(argv[1]);
  const int starts = atoi(argv[2]);
  for (int round = 0; round < rounds; ++round) {
    MPI_Request receive = MPI_REQUEST_NULL;
    MPI_Request send = MPI_REQUEST_NULL;
    MPI_Psend_init(out, PARTS, COUNT, MPI_DOUBLE, (rank + 1) % ranks, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                   &send);
    MPI_Precv_init(in, PARTS, COUNT, MPI_DOUBLE, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                   &receive);
    for (int n = 0; n < starts; ++n) start(&receive, &send, round + n);
    MPI_Request_free(&send);
    MPI_Request_free(&receive);
  }
  if (rank == 0) puts("ok");
  MPI_Finalize();
  return 0;
}

#else

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  return 77;
}

#endif
