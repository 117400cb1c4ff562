/* SPDX-License-Identifier: BSD-3-Clause
   Two ranks spawn three, and a communicator is made of one rank of either program: as many as the first program
   has, but not the same. Prints the sum of its ranks' numbers. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Comm parents, between, all, made;
  MPI_Group everybody, some;
  const int members[2] = {0, 2};
  int rank, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&parents);
  between = parents;
  if (parents == MPI_COMM_NULL) {
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 3, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between, MPI_ERRCODES_IGNORE);
  }
  MPI_Intercomm_merge(between, parents != MPI_COMM_NULL, &all);
  MPI_Comm_rank(all, &rank);
  MPI_Comm_group(all, &everybody);
  MPI_Group_incl(everybody, 2, members, &some);
  if (rank == members[0] || rank == members[1]) {
    MPI_Comm_create_from_group(some, "mixed", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &made);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, made);
    MPI_Comm_free(&made);
  }
  if (rank == 0) printf("%d\n", sum);
  MPI_Barrier(all);
  MPI_Group_free(&some);
  MPI_Group_free(&everybody);
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&between);
  MPI_Finalize();
  return 0;
}
