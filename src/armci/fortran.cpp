// SPDX-License-Identifier: BSD-3-Clause
// Functions that take or return a handle of Fortran for a communicator, for armci.f90.
#include <armci/armci.h>
#include <armci/message.h>

namespace {

#ifdef MPI_ABI  // MPI's standard ABI has these names instead of f2c and c2f
MPI_Comm comm_of(int comm) { return MPI_Comm_fromint(comm); }
int handle_of(MPI_Comm comm) { return MPI_Comm_toint(comm); }
#else
MPI_Comm comm_of(int comm) { return MPI_Comm_f2c(comm); }
int handle_of(MPI_Comm comm) { return MPI_Comm_c2f(comm); }
#endif

}  // namespace

extern "C" {

int ARMCI_Init_mpi_comm_fortran(int comm) { return ARMCI_Init_mpi_comm(comm_of(comm)); }

int ARMCI_Init_thread_comm_fortran(int armci_requested, int comm) {
  return ARMCI_Init_thread_comm(armci_requested, comm_of(comm));
}

int armci_group_comm_fortran(ARMCI_Group* group) { return handle_of(armci_group_comm(group)); }
}
