/* SPDX-License-Identifier: BSD-3-Clause
 * What test_simulated.py runs on simulated machines: one word says which behaviour is wanted. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char* buffer;

/* Half a round trip, in seconds. */
static double ping_pong(int rank, int bytes) {
  double started = 0;
  for (int i = 0; i < 11; i++) {
    if (i == 1) started = MPI_Wtime();
    if (rank == 0) MPI_Send(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(buffer, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  }
  return (MPI_Wtime() - started) / 20;
}

/* Both ranks send and receive `bytes` at once; seconds. */
static double exchange(int rank, int bytes) {
  MPI_Request two[2];
  MPI_Barrier(MPI_COMM_WORLD);
  double started = MPI_Wtime();
  MPI_Irecv(buffer, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, &two[0]);
  MPI_Isend(buffer + bytes, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, &two[1]);
  MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
  return MPI_Wtime() - started;
}

static double put_and_flush(int rank) {
  MPI_Win window;
  void* base;
  MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window);
  MPI_Win_lock_all(0, window);
  MPI_Barrier(MPI_COMM_WORLD);
  double started = MPI_Wtime();
  if (rank == 0) MPI_Put(buffer, 8, MPI_BYTE, 1, 0, 8, MPI_BYTE, window);
  if (rank == 0) MPI_Win_flush(1, window);
  double took = MPI_Wtime() - started;
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  return took;
}

/* The receiver works until an eager message must be there: what is left is its overhead. */
static double late_receive(int rank) {
  MPI_Request request;
  double took = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) usleep(100000);
  if (rank == 0) MPI_Isend(buffer, 8, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &request);
  if (rank == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
  double started = MPI_Wtime();
  if (rank == 1) MPI_Recv(buffer, 8, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  took = MPI_Wtime() - started;
  MPI_Bcast(&took, 1, MPI_DOUBLE, 1, MPI_COMM_WORLD);
  return took;
}

/* (T_c + T_w - T_t) / min(T_c, T_w) of one exchange against as much work. */
static double eta(int rank, int bytes) {
  double alone = exchange(rank, bytes);
  MPI_Request two[2];
  MPI_Barrier(MPI_COMM_WORLD);
  double started = MPI_Wtime();
  MPI_Irecv(buffer, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, &two[0]);
  MPI_Isend(buffer + bytes, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, &two[1]);
  double working = MPI_Wtime();
  smpi_execute_flops(1e9 * alone);
  double work = MPI_Wtime() - working;
  MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
  double together = MPI_Wtime() - started;
  return (alone + work - together) / (alone < work ? alone : work);
}

int main(int argc, char** argv) {
  int rank, length;
  char name[MPI_MAX_PROCESSOR_NAME];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Get_processor_name(name, &length);
  buffer = malloc(2 << 24);
  const char* what = argv[1];
  if (!strcmp(what, "where")) printf("%d %s\n", rank, name);
  if (!strcmp(what, "arguments") && rank == 0)
    for (int i = 2; i < argc; i++) printf("%s\n", argv[i]);
  if (!strcmp(what, "deadlock"))
    MPI_Recv(buffer, 1, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (!strcmp(what, "abort") && rank == 1) MPI_Abort(MPI_COMM_WORLD, 3);
  if (!strcmp(what, "crash") && rank == 1) abort();
  if (!strcmp(what, "status")) return 5;
  if (!strcmp(what, "spin"))
    while (1) MPI_Wtime();
  if (!strcmp(what, "measure")) {
    double figures[] = {ping_pong(rank, 8),  ping_pong(rank, 1 << 24), exchange(rank, 1 << 24),
                        put_and_flush(rank), late_receive(rank),       eta(rank, 1 << 20)};
    if (rank == 0)
      for (int i = 0; i < 6; i++) printf("%.12g\n", figures[i]);
  }
  MPI_Finalize();
  return 0;
}
