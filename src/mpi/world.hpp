// SPDX-License-Identifier: BSD-3-Clause
// This process's rank, and rank 0's text on all ranks. The calls go to PMPI, so that other preloaded
// libraries do not count them.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>

namespace stretto::mpi {

inline int world_rank() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/// `text` becomes that of rank 0 on all ranks. Returns MPI's error code. Collective.
inline int broadcast_text(std::string& text, MPI_Comm communicator) {
  auto length = static_cast<int>(text.size());
  const int code = PMPI_Bcast(&length, 1, MPI_INT, 0, communicator);
  if (code != MPI_SUCCESS) return code;
  text.resize(static_cast<std::size_t>(length));
  return PMPI_Bcast(text.data(), length, MPI_CHAR, 0, communicator);
}

}  // namespace stretto::mpi
