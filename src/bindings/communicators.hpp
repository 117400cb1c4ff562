// SPDX-License-Identifier: BSD-3-Clause
// Communicators by their handles in Fortran.
#pragma once

#include <mpi.h>

namespace stretto::bindings {

#ifdef MPI_ABI  // MPI's standard ABI has these names instead of f2c and c2f
inline MPI_Comm communicator_from(int handle) { return MPI_Comm_fromint(handle); }
inline int fortran_handle(MPI_Comm communicator) { return MPI_Comm_toint(communicator); }
#else
inline MPI_Comm communicator_from(int handle) { return MPI_Comm_f2c(handle); }
inline int fortran_handle(MPI_Comm communicator) { return MPI_Comm_c2f(communicator); }
#endif

}  // namespace stretto::bindings
