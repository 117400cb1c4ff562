// SPDX-License-Identifier: BSD-3-Clause
// What a runtime is created with, checked on all ranks before anything is created.
#pragma once

#include <mpi.h>

#include <stretto/options.hpp>

#include "mpi/communicator.hpp"

namespace stretto::onesided {

/// Throws ArgumentError where MPI is not there, or ranks cannot be numbered by the communicator. All its
/// ranks know that alike.
void check_communicator(MPI_Comm communicator);

/// The effective options. What one rank refuses, or has otherwise than another, all refuse.
[[nodiscard]] Options agreed_options(const Options& requested, const mpi::Communicator& communicator);

}  // namespace stretto::onesided
