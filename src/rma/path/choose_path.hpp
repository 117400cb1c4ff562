// SPDX-License-Identifier: BSD-3-Clause
// Which path an operation takes: decided from what it is, where its target is and what was asked for, apart
// from doing it. Knows no MPI.
#pragma once

#include <optional>
#include <stretto/options.hpp>

namespace stretto::rma {

enum class Kind { put, get, accumulate, atomic };

/// What is settled when the runtime is made.
struct PathRules {
  std::optional<Path> forced = std::nullopt;
  Path contiguous = Path::rma;  // of puts and gets to ranks whose memory is not shared
  bool rma_works = true;        // MPI makes windows over this network
};

struct PathQuestion {
  Kind kind = Kind::put;
  bool contiguous = true;
  bool flagged = false;    // raises a flag at the target
  bool neighbour = false;  // the target's memory is mapped here
};

/// Throws ArgumentError `target` where the forced path cannot reach it.
[[nodiscard]] Path choose_path(const PathRules& rules, const PathQuestion& question);

}  // namespace stretto::rma
