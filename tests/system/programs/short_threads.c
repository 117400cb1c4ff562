// SPDX-License-Identifier: BSD-3-Clause
// Threads that end soon, one after the other, each of which exchanges messages: short_threads THREADS.
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

static int rank, ranks;

static void* exchange(void* unused) {
  char from[16] = {0}, to[16];
  for (int i = 0; i < 40; ++i) {
    MPI_Sendrecv(from, 16, MPI_CHAR, (rank + 1) % ranks, 1, to, 16, MPI_CHAR, (rank + ranks - 1) % ranks, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return unused;
}

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < atoi(argv[1]); ++i) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, exchange, NULL) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
    pthread_join(thread, NULL);
  }
  MPI_Finalize();
  return 0;
}
