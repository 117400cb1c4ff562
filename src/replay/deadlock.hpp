// SPDX-License-Identifier: BSD-3-Clause
// Why a schedule does not end: which ranks wait for each other, from the state in which its replay stopped.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "replay/replay.hpp"

namespace stretto::replay {

struct Deadlock {
  /// Each waits for the next. Of a cycle the last waits for the first; else the last waits for a message
  /// that nobody sends, or a receive that nobody posts.
  std::vector<OperationId> waiting;
  bool cycle = false;
};

[[nodiscard]] Deadlock find_deadlock(const Schedule& schedule, const Stuck& stuck);

/// One line; `name` says how an operation is to be called besides its rank and text (its label and line).
[[nodiscard]] std::string describe(const Schedule& schedule, const Deadlock& deadlock,
                                   const std::function<std::string(OperationId)>& name);

}  // namespace stretto::replay
