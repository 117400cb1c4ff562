// SPDX-License-Identifier: BSD-3-Clause
// The profile that is installed for the machine that MPI_COMM_WORLD runs on.
#pragma once

#include <mpi.h>

#include <string>

namespace stretto::interpose {

/// Its path at rank 0, where there is one; else empty. Collective.
[[nodiscard]] std::string installed_profile();

/// The MPI library in one line, as the header of samples names it.
[[nodiscard]] std::string library_line();

}  // namespace stretto::interpose
