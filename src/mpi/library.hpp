// SPDX-License-Identifier: BSD-3-Clause
// The MPI that this process runs over, and what it supports, where that cannot be tried.
#pragma once

#include <string>
#include <string_view>

namespace stretto::mpi {

/// Its own description, which may have several lines.
[[nodiscard]] std::string library_version();

/// MPI's name of the host of this rank.
[[nodiscard]] std::string processor_name();

/// Whether it is MPICH, or is derived from it by its own description.
[[nodiscard]] bool is_mpich();

/// Whether MPI_Gather places blocks of a resized datatype that overlap in extent. Intel MPI 2021.18 does not;
/// its MPI_Gatherv does.
[[nodiscard]] bool gathers_resized_types();

/// Whether several threads may call it at once. MPI must have been initialised.
[[nodiscard]] bool may_thread();

/// The family that files name: that of the build, or with MPI's standard ABI that of the library with this
/// version string. Derivatives of MPICH belong to its family.
[[nodiscard]] inline std::string family_of(std::string_view build, std::string_view library) {
  if (build != "mpi-abi") return std::string{build};
  return library.starts_with("Open MPI") ? "openmpi" : "mpich";
}

}  // namespace stretto::mpi
