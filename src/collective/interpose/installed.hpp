// SPDX-License-Identifier: BSD-3-Clause
// Where the profile of this machine would be installed (docs/formats.md, "The installed profile").
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace stretto::interpose {

/// The file for this MPI library and these hosts; empty where there is no home directory.
[[nodiscard]] std::string installed_profile(const std::string& library, std::vector<std::string> hosts);

/// The MPI library in one line, as the header of samples names it.
[[nodiscard]] std::string library_line();

/// Each rank's host at rank 0 of the communicator. Collective.
[[nodiscard]] std::vector<std::string> hosts_of(MPI_Comm communicator);

}  // namespace stretto::interpose
