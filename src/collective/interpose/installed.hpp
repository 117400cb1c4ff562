// SPDX-License-Identifier: BSD-3-Clause
// Finds the installed profile of the machine that MPI_COMM_WORLD runs on.
#pragma once

#include <mpi.h>

#include <string>

namespace stretto::interpose {

/// At rank 0: the profile's path if one exists; else what it would be a profile of. Elsewhere empty.
struct InstalledProfile {
  std::string path;
  std::string machine;
};

/// Finds the profile. Collective.
[[nodiscard]] InstalledProfile installed_profile();

}  // namespace stretto::interpose
