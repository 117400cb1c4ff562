// SPDX-License-Identifier: BSD-3-Clause
// The codes of ARMCI-MPI's header as those of armci.h and message.h, and its types. Debian's Global Arrays
// was compiled with that header. Its codes begin at 0 and do not meet those of ComEx, which armci.h has. Its
// vector descriptors have the two integers in the other order, and its groups hold their communicator.
#pragma once

#include <armci/armci.h>
#include <mpi.h>

namespace stretto::armci {

/// ARMCI_ACC_*, unchanged where it is none of ARMCI-MPI's.
[[nodiscard]] int accumulate_code(int optype);
/// ARMCI_SWAP, ARMCI_FETCH_AND_ADD and their LONGs.
[[nodiscard]] int update_code(int op);
/// ARMCI_INT to ARMCI_DOUBLE.
[[nodiscard]] int type_code(int type);
/// SCOPE_*.
[[nodiscard]] int scope_code(int scope);

/// Segments of a descriptor, and bytes of each.
struct VectorCounts {
  int segments = 0;
  int bytes = 0;
};
[[nodiscard]] VectorCounts counts_of(const armci_giov_t& descriptor);

/// Chooses the types for this process. Code that was compiled with ARMCI-MPI's header calls
/// ARMCI_INIT_HANDLE, which is a macro of armci.h, as a function. Throws Refused where the process has code
/// of both headers.
void choose_types();
/// Whether they are those of ARMCI-MPI's header.
[[nodiscard]] bool has_armci_mpi_types();

/// The number in a group of the program's, which is an int or has the type of ARMCI-MPI.
[[nodiscard]] ARMCI_Group read_group(const ARMCI_Group* group);
/// Stores the number, and for ARMCI-MPI's type what its users read: communicator, rank and size.
void write_group(ARMCI_Group* group, ARMCI_Group number, MPI_Comm communicator, int rank, int size);

}  // namespace stretto::armci
