// SPDX-License-Identifier: BSD-3-Clause
// Finds the installed profile of the machine that MPI_COMM_WORLD runs on.
#pragma once

#include <mpi.h>

#include <string>

namespace stretto::interpose {

/// The profile's path at rank 0, if one exists; else empty. Collective.
[[nodiscard]] std::string installed_profile();

/// The MPI library's version in one line, as in the header of samples.
[[nodiscard]] std::string library_line();

}  // namespace stretto::interpose
