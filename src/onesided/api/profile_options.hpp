// SPDX-License-Identifier: BSD-3-Clause
// Options from this machine's profile. Rank 0 reads it, and all ranks get the same.
#pragma once

#include <stretto/options.hpp>

#include "mpi/communicator.hpp"

namespace stretto::onesided {

/// Fills in the options that are 0 from the profile that STRETTO_PROFILE names, or else from the one
/// installed for this MPI and these hosts. Collective. Throws Error on all ranks where STRETTO_PROFILE names
/// no readable profile. An installed one that cannot be read is reported on stderr and not used.
[[nodiscard]] Options with_profile_settings(Options options, const mpi::Communicator& communicator);

}  // namespace stretto::onesided
