// SPDX-License-Identifier: BSD-3-Clause
// Which MPI this process runs over, where that cannot be known by trying.
#pragma once

namespace stretto::mpi {

/// MPICH, or a library that says that it is made from it.
[[nodiscard]] bool is_mpich();

}  // namespace stretto::mpi
