// SPDX-License-Identifier: BSD-3-Clause
// One operation whose other side computes: `driven OPERATION FILE`, on two ranks. Both start it. Rank 0 waits
// for it and makes FILE; rank 1 makes no MPI call until FILE exists, at most ten seconds. Prints whether that
// happened.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BYTES (8 << 20)
#define EACH (BYTES / 2)

static int rank;
static char *out, *in;

/* Starts the named operation. Returns whether this MPI has it. */
static int start(const char* name, MPI_Request* requests, int* count) {
  const int other = 1 - rank;
  *count = 1;
  if (strcmp(name, "point-to-point") == 0) {
    MPI_Irecv(in, BYTES, MPI_BYTE, other, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, BYTES, MPI_BYTE, other, 0, MPI_COMM_WORLD, &requests[1]);
    *count = 2;
  } else if (strcmp(name, "persistent") == 0) {
    MPI_Recv_init(in, BYTES, MPI_BYTE, other, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(out, BYTES, MPI_BYTE, other, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Startall(2, requests);
    *count = 2;
  } else if (strcmp(name, "alltoall") == 0) {
    MPI_Ialltoall(out, EACH, MPI_BYTE, in, EACH, MPI_BYTE, MPI_COMM_WORLD, requests);
  } else if (strcmp(name, "allreduce") == 0) {
    MPI_Iallreduce(out, in, BYTES, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD, requests);
  } else if (strcmp(name, "neighbour") == 0) {
    MPI_Comm ring;
    const int two = 2, periodic = 1;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &two, &periodic, 0, &ring);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Ineighbor_alltoall(out, EACH, MPI_BYTE, in, EACH, MPI_BYTE, ring, requests);
#if MPI_VERSION >= 4 || OMPI_MAJOR_VERSION >= 5
  } else if (strcmp(name, "persistent-alltoall") == 0) {
    MPI_Alltoall_init(out, EACH, MPI_BYTE, in, EACH, MPI_BYTE, MPI_COMM_WORLD, MPI_INFO_NULL, requests);
    MPI_Start(requests);
  } else if (strcmp(name, "partitioned") == 0) {
    MPI_Precv_init(in, 2, EACH, MPI_BYTE, other, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Psend_init(out, 2, EACH, MPI_BYTE, other, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    MPI_Startall(2, requests);
    MPI_Pready_range(0, 1, requests[1]);
    *count = 2;
#endif
  } else {
    return 0;
  }
  return 1;
}

/* Rank 0 adds to memory of rank 1, which must not call MPI for that. */
static void accumulate(MPI_Win window) {
  int* const numbers = calloc(1024, sizeof *numbers);
  for (int i = 0; i < 1024; ++i) numbers[i] = 5;
  MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
  MPI_Accumulate(numbers, 1024, MPI_INT, 1, 0, 1024, MPI_INT, MPI_SUM, window);
  MPI_Win_unlock(1, window);
  free(numbers);
}

static int compute_until(const char* file) {
  struct stat found;
  for (int waits = 0; stat(file, &found) != 0; ++waits) {
    if (waits == 1000) return 0;
    usleep(10000);
  }
  return 1;
}

int main(int argc, char** argv) {
  MPI_Request requests[2];
  MPI_Win window = MPI_WIN_NULL;
  int count = 0, driven = 1, *memory = NULL;
  if (argc != 3) return 2;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  out = malloc(BYTES);
  in = calloc(BYTES, 1);
  memset(out, 7, BYTES);
  const int on_window = strcmp(argv[1], "window") == 0;
  if (on_window) {
    MPI_Win_allocate(1024 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    memset(memory, 0, 1024 * sizeof(int));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (!on_window && !start(argv[1], requests, &count)) return 77;
  if (rank == 1) driven = compute_until(argv[2]);
  if (rank == 0 && on_window) accumulate(window);
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < count; ++i) {
    if (requests[i] != MPI_REQUEST_NULL) MPI_Request_free(&requests[i]);
  }
  if (rank == 0) fclose(fopen(argv[2], "w"));
  if (on_window) {
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, window);
    if (rank == 1 && memory[1023] != 5) MPI_Abort(MPI_COMM_WORLD, 9);
    MPI_Win_unlock(rank, window);
    MPI_Win_free(&window);
  } else if (in[0] != 7 || in[BYTES - 1] != 7) {
    MPI_Abort(MPI_COMM_WORLD, 9);
  }
  if (rank == 1) puts(driven ? "while it computed" : "when it waited");
  MPI_Finalize();
  return 0;
}
