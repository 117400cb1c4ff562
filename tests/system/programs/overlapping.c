// SPDX-License-Identifier: BSD-3-Clause
// A naive program with overlap: `overlapping ITERATIONS BYTES MS [--fail=STATUS] [--read]`. Each iteration starts
// an exchange with the next and the previous rank, computes for about MS milliseconds, and waits.
#include <dirent.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile double sink;

static void compute(long count) {
  double sum = 1;
  for (long i = 0; i < count; ++i) sum = sum * 1.0000001 + 1e-9;
  sink = sum;
}

/* Threads of this process that are named as stretto's. */
static int threads(void) {
  DIR* tasks = opendir("/proc/self/task");
  int found = 0;
  for (struct dirent* entry; (entry = readdir(tasks)) != NULL;) {
    char path[300], name[32] = "";
    snprintf(path, sizeof path, "/proc/self/task/%s/comm", entry->d_name);
    FILE* file = fopen(path, "r");
    if (file == NULL) continue;
    if (fgets(name, sizeof name, file) != NULL && strncmp(name, "stretto-poll", 12) == 0) ++found;
    fclose(file);
  }
  closedir(tasks);
  return found;
}

int main(int argc, char** argv) {
  int rank, size, status = 0, own, all;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int iterations = atoi(argv[1]), bytes = atoi(argv[2]);
  const double wanted_s = atof(argv[3]) * 1e-3;
  for (int i = 4; i < argc; ++i) {
    if (strncmp(argv[i], "--fail=", 7) == 0) status = atoi(argv[i] + 7);
    if (strcmp(argv[i], "--read") == 0 && rank == 0) {
      char line[100] = "";
      printf("read: %s\n", fgets(line, sizeof line, stdin) != NULL ? line : "nothing");
    }
  }
  long count = 1 << 16;
  const double began = MPI_Wtime();
  compute(count);
  count = (long)(count * wanted_s / (MPI_Wtime() - began + 1e-9));
  char* out = calloc(bytes, 1);
  char* in = calloc(bytes, 1);
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  for (int i = 0; i < iterations; ++i) {
    MPI_Request requests[2];
    out[0] = out[bytes - 1] = (char)(rank + i);
    MPI_Irecv(in, bytes, MPI_BYTE, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, bytes, MPI_BYTE, right, 0, MPI_COMM_WORLD, &requests[1]);
    compute(count);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    if (in[0] != (char)(left + i) || in[bytes - 1] != (char)(left + i)) MPI_Abort(MPI_COMM_WORLD, 9);
  }
  own = threads();
  MPI_Reduce(&own, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d ranks, threads besides the program's: %d\n", size, all);
  MPI_Finalize();
  return status;
}
