/* SPDX-License-Identifier: BSD-3-Clause
 * What calls.f90 needs of MPI, whose Fortran modules not every installation has. */
#include <mpi.h>

/* The handle of Fortran for a communicator of the even, or of the odd, ranks. MPI is initialised. */
int half_of_all(int* rank) {
  MPI_Comm half;
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_split(MPI_COMM_WORLD, *rank % 2, *rank, &half);
  return MPI_Comm_c2f(half);
}

int size_of(int communicator) {
  int size = 0;
  MPI_Comm_size(MPI_Comm_f2c(communicator), &size);
  return size;
}

int sum_of_all(int number) {
  MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return number;
}
