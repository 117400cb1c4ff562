// SPDX-License-Identifier: BSD-3-Clause
// The place of a call site in a program.
#pragma once

#include <cstdint>

#include "analysis/sums.hpp"
#include "replay/trace_file.hpp"

namespace stretto::analysis {

/// The place of a call site; an empty one where it is not known.
[[nodiscard]] inline Place place_of(const replay::TraceReader& reader, std::uint32_t site) {
  const auto& sites = reader.definitions().sites;
  const auto found = sites.find(static_cast<std::int32_t>(site));
  return found == sites.end() ? Place() : found->second;
}

}  // namespace stretto::analysis
