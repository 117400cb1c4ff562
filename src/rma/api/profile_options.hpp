// SPDX-License-Identifier: BSD-3-Clause
// What the profile of this machine says of the runtime, the same on all ranks: rank 0 reads it for all.
#pragma once

#include <stretto/options.hpp>

#include "mpi/communicator.hpp"

namespace stretto::rma {

/// Options with those that were left open as the profile has them: the one that STRETTO_PROFILE names, else
/// the installed one of this MPI and these hosts, else unchanged. Collective. Throws Error on all ranks where
/// STRETTO_PROFILE names no profile that can be read; an installed one that is broken is told on stderr and
/// left alone.
[[nodiscard]] Options tuned(Options options, const mpi::Communicator& communicator);

}  // namespace stretto::rma
