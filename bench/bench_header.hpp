// SPDX-License-Identifier: BSD-3-Clause
// The header of the benches' samples. The benches know nothing of stretto's probes.
#pragma once

#include "record/rows.hpp"

namespace stretto::bench {

/// The header, after MPI is initialised. Collective.
[[nodiscard]] record::Header header(int argc, char** argv, int cases);

}  // namespace stretto::bench
