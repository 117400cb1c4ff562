// SPDX-License-Identifier: BSD-3-Clause
// The header of the samples that benchmarks write, which know nothing of stretto's probes.
#pragma once

#include "record/rows.hpp"

namespace stretto::bench {

/// Of two ranks; MPI is initialised. Collective.
[[nodiscard]] record::Header header(int argc, char** argv, int cases);

}  // namespace stretto::bench
