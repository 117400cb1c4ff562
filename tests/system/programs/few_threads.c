// SPDX-License-Identifier: BSD-3-Clause
// Preloaded after another library: an MPI that lets no more than one thread at a time call it.
int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided);

enum { funneled = 1 };

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  return PMPI_Init_thread(argc, argv, required < funneled ? required : funneled, provided);
}
