// SPDX-License-Identifier: BSD-3-Clause
// Finds out why a schedule does not end: which ranks wait for each other when its replay stops.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "replay/replay.hpp"

namespace stretto::replay {

struct Deadlock {
  /// Each operation waits for the next. In a cycle the last waits for the first. Otherwise the last waits
  /// for a message that no rank sends, or a receive that no rank posts.
  std::vector<OperationId> waiting;
  bool cycle = false;
};

[[nodiscard]] Deadlock find_deadlock(const Schedule& schedule, const Stuck& stuck);

/// A description in one line. `name` returns the label and line of an operation, in addition to its rank
/// and text.
[[nodiscard]] std::string describe(const Schedule& schedule, const Deadlock& deadlock,
                                   const std::function<std::string(OperationId)>& name);

}  // namespace stretto::replay
