// SPDX-License-Identifier: BSD-3-Clause
// Preloaded after another library: rank 0 says which thread level MPI was initialised with.
#include <mpi.h>
#include <stdio.h>

static const char* name_of(int level) {
  switch (level) {
    case MPI_THREAD_SINGLE: return "single";
    case MPI_THREAD_FUNNELED: return "funneled";
    case MPI_THREAD_SERIALIZED: return "serialized";
    default: return "multiple";
  }
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int error = PMPI_Init_thread(argc, argv, required, provided);
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) printf("initialised with %s\n", name_of(required));
  return error;
}
