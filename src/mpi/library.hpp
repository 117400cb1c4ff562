// SPDX-License-Identifier: BSD-3-Clause
// Which MPI this process runs over, and what it allows, where that cannot be known by trying.
#pragma once

namespace stretto::mpi {

/// MPICH, or a library that says that it is made from it.
[[nodiscard]] bool is_mpich();

/// Whether several threads may call it at once. MPI must have been initialised.
[[nodiscard]] bool may_thread();

}  // namespace stretto::mpi
