// SPDX-License-Identifier: BSD-3-Clause
// The MPI that this process runs over, and what it supports, where that cannot be tried.
#pragma once

namespace stretto::mpi {

/// Whether it is MPICH, or is derived from it by its own description.
[[nodiscard]] bool is_mpich();

/// Whether several threads may call it at once. MPI must have been initialised.
[[nodiscard]] bool may_thread();

}  // namespace stretto::mpi
