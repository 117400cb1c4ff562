// SPDX-License-Identifier: BSD-3-Clause
// An unmodified program that checks the effects of libstretto_progress.so, on two ranks or more.
// `progressed MODE`: prints `ok` on rank 0, or exits in the way that MODE names.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define BYTES (8 << 20)

static int rank, size;

static void fail(const char* what) {
  fprintf(stderr, "rank %d: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Rank 1 makes no MPI call until rank 0 has sent, which a file shows; at most ten seconds. */
static void rendezvous(const char* file) {
  char* data = malloc(BYTES);
  MPI_Request request;
  memset(data, rank == 0 ? 7 : 0, BYTES);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Isend(data, BYTES, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    fclose(fopen(file, "w"));
  } else if (rank == 1) {
    struct stat found;
    int waits = 0;
    MPI_Irecv(data, BYTES, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request);
    while (stat(file, &found) != 0 && ++waits < 1000) usleep(10000);
    const int progressed = stat(file, &found) == 0;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (data[0] != 7 || data[BYTES - 1] != 7) fail("wrong data");
    puts(progressed ? "sent while the receiver computed" : "sent when the receiver waited");
  }
  free(data);
}

/* Every way to start and to complete requests; the data is checked. */
static void exchange(void) {
  enum { count = 6 };
  int sent[count], received[count], indices[2 * count], done = 0, flag = 0, index = 0;
  MPI_Request requests[2 * count];
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  for (int way = 0; way < 6; ++way) {
    for (int i = 0; i < count; ++i) {
      sent[i] = 100 * rank + i;
      MPI_Irecv(&received[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, &requests[i]);
      MPI_Isend(&sent[i], 1, MPI_INT, right, i, MPI_COMM_WORLD, &requests[count + i]);
    }
    switch (way) {
      case 0: MPI_Waitall(2 * count, requests, MPI_STATUSES_IGNORE); break;
      case 1: for (int i = 0; i < 2 * count; ++i) MPI_Wait(&requests[i], MPI_STATUS_IGNORE); break;
      case 2: do { MPI_Testall(2 * count, requests, &flag, MPI_STATUSES_IGNORE); } while (!flag); break;
      case 3: do { MPI_Waitany(2 * count, requests, &index, MPI_STATUS_IGNORE); } while (index != MPI_UNDEFINED); break;
      case 4: while (MPI_Waitsome(2 * count, requests, &done, indices, MPI_STATUSES_IGNORE), done != MPI_UNDEFINED) {} break;
      default: for (int i = 0; i < 2 * count; ++i) do { MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE); } while (!flag);
    }
    for (int i = 0; i < count; ++i) if (received[i] != 100 * left + i) fail("wrong number");
  }
  int sum = 0;
  MPI_Request request;
  MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (sum != size * (size - 1) / 2) fail("wrong sum");
  MPI_Request both[2];
  MPI_Send_init(&rank, 1, MPI_INT, right, 9, MPI_COMM_WORLD, &both[0]);
  MPI_Recv_init(&sum, 1, MPI_INT, left, 9, MPI_COMM_WORLD, &both[1]);
  for (int i = 0; i < 3; ++i) {
    MPI_Startall(2, both);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    if (sum != left) fail("wrong persistent number");
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE); /* inactive */
  }
  MPI_Request_free(&both[0]);
  MPI_Request_free(&both[1]);
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "exchange";
  int provided = -1, queried = -1;
  if (strcmp(mode, "plain-init") == 0) {
    MPI_Init(&argc, &argv);
    MPI_Query_thread(&provided);
    if (provided != MPI_THREAD_SINGLE) return 3;
  } else {
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Query_thread(&queried);
    if (provided != MPI_THREAD_FUNNELED || queried != provided) return 3;
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (strcmp(mode, "rendezvous") == 0) {
    rendezvous(argv[2]);
  } else if (strcmp(mode, "abort") == 0) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) MPI_Abort(MPI_COMM_WORLD, 5);
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (strcmp(mode, "fork") == 0) {
    const pid_t child = fork();
    int status = -1;
    if (child == 0) exit(6); /* runs the handlers of exit() without the thread */
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 6) fail("the child did not exit with 6");
  } else if (strcmp(mode, "pending") == 0) {
    static int never;
    MPI_Request request;
    MPI_Irecv(&never, 1, MPI_INT, rank, 77, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Request_free(&request);
  }
  exchange();
  if (rank == 0) puts("ok");
  MPI_Finalize();
  return strcmp(mode, "status") == 0 ? 4 : 0;
}
