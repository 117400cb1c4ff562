// SPDX-License-Identifier: BSD-3-Clause
// What a choice of the exchange by measurement has to choose from.
#pragma once

#include <stretto/spmv.hpp>
#include <vector>

namespace stretto::spmv {

/// The exchanges over the runtime that can be the fastest at this number of ranks, `signalled` first. One
/// operation per element never is, and an aggregate is a vector that is described again at each product.
[[nodiscard]] std::vector<Settings> candidate_settings(int ranks);

}  // namespace stretto::spmv
