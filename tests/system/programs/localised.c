/* SPDX-License-Identifier: BSD-3-Clause
 * A program in the language of its environment: it prints a number as that writes it, before and after MPI.
 */
#include <locale.h>
#include <mpi.h>
#include <stdio.h>
#ifdef WITH_ARMCI
#include <armci.h>
#endif

int main(int argc, char** argv) {
  static char data[100000];
  int rank = 0;
  int ranks = 0;
  if (setlocale(LC_ALL, "") == NULL) return 7;
  MPI_Init(&argc, &argv);
#ifdef WITH_ARMCI
  ARMCI_Init();
  ARMCI_Finalize();
#endif
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0) printf("%.1f\n", 1.5);
  for (int turn = 0; turn < 20; ++turn) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(data, sizeof data, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_SELF, &request);
    MPI_Send(&turn, sizeof turn, MPI_BYTE, 0, 0, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Bcast(data, sizeof data, MPI_BYTE, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  if (rank == 0) printf("%.1f\n", 2.5);
  return 0;
}
