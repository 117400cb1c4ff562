// SPDX-License-Identifier: BSD-3-Clause
// The path of an operation, chosen from its kind and shape, its target's node and the options. Knows no MPI.
#pragma once

#include <cstddef>
#include <optional>
#include <stretto/options.hpp>

namespace stretto::onesided {

enum class OperationKind { put, get, accumulate, atomic };

inline constexpr std::size_t default_segment_bytes = 32 << 10;

/// The path of contiguous transfers to other nodes, unless the options choose it.
[[nodiscard]] constexpr Path usual_path(Progress progress) {
  return progress == Progress::thread ? Path::message : Path::rma;
}

/// The rules of a runtime, from its options and its MPI.
struct PathRules {
  std::optional<Path> forced = std::nullopt;
  Path contiguous = Path::rma;  // of contiguous puts and gets to other nodes
  bool rma_works = true;        // MPI supports windows over this network
};

struct PathQuery {
  OperationKind kind = OperationKind::put;
  bool contiguous = true;
  bool flagged = false;     // raises a flag at the target
  bool large = false;       // each row has two segments of the message path, or more
  bool node_local = false;  // the target's memory is mapped into this process
};

/// Throws ArgumentError `target` where the forced path cannot reach it.
[[nodiscard]] Path choose_path(const PathRules& rules, const PathQuery& query);

}  // namespace stretto::onesided
