// SPDX-License-Identifier: BSD-3-Clause
// Functions that take or return a handle of Fortran for a communicator, for armci.f90.
#include <armci/armci.h>
#include <armci/message.h>

extern "C" {

int ARMCI_Init_mpi_comm_fortran(int comm) { return ARMCI_Init_mpi_comm(MPI_Comm_f2c(comm)); }

int ARMCI_Init_thread_comm_fortran(int armci_requested, int comm) {
  return ARMCI_Init_thread_comm(armci_requested, MPI_Comm_f2c(comm));
}

int armci_group_comm_fortran(ARMCI_Group* group) { return MPI_Comm_c2f(armci_group_comm(group)); }
}
