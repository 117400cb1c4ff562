// SPDX-License-Identifier: BSD-3-Clause
// The transports of the kernels, so that the same algorithm can be compared over all of them.
#pragma once

#include <string_view>

namespace stretto {

/// The one-sided runtime; MPI's own windows (MPI_Put, flush, barrier); Isend and Irecv; a blocking
/// MPI_Alltoallv.
enum class Transport { one_sided, mpi_rma, two_sided, alltoall };

/// `stretto`, `mpi-rma`, `mpi-two-sided`, `mpi-alltoall`.
[[nodiscard]] std::string_view to_string(Transport transport);
/// Throws ArgumentError `transport` for an unknown name.
[[nodiscard]] Transport transport_from(std::string_view name);

}  // namespace stretto
