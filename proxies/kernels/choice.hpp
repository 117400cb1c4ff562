// SPDX-License-Identifier: BSD-3-Clause
// The choice of a variant by timing each of them at the start of a run. The header does not include MPI, as
// result.hpp.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace stretto::kernel {

/// A variant over a transport. `options` are those of the kernel's that select it.
struct Alternative {
  std::string variant;
  std::string transport;
  std::map<std::string, std::string> options;
  bool overlapped = false;  ///< it computes while messages are in flight
};

struct Trial {
  Alternative alternative;
  double time_s = 0;  ///< of a step of the kernel, on the slowest rank
};

/// Equal on all ranks.
struct Choice {
  std::vector<Trial> trials;                 ///< the plainest first
  std::size_t chosen = 0;                    ///< the plainest of those within 1 % of the fastest
  std::optional<std::size_t> fastest_plain;  ///< the fastest without overlap
};

/// Chooses among trials, of which there is at least one.
[[nodiscard]] Choice choice_of(std::vector<Trial> trials);

}  // namespace stretto::kernel
