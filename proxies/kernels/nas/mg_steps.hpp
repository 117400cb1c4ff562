// SPDX-License-Identifier: BSD-3-Clause
// The steps of a V-cycle of NAS MG in their order, and the levels that they work on.
#pragma once

#include <cstdint>
#include <vector>

namespace stretto::kernel::nas {

struct MgStep {
  /// restriction: the residual of `level` to the level below. prolongation: the solution of the level below
  /// to `level`, and its residual. correction: smooths the solution of `level`.
  enum class Kind : std::uint8_t { restriction, prolongation, correction };

  Kind kind = Kind::restriction;
  int level = 0;
};

/// The steps from the finest level `top` down to level 0 and up again.
[[nodiscard]] inline std::vector<MgStep> v_cycle(int top) {
  std::vector<MgStep> steps;
  for (int level = top; level > 0; --level) steps.push_back({MgStep::Kind::restriction, level});
  steps.push_back({MgStep::Kind::correction, 0});
  for (int level = 1; level <= top; ++level) {
    steps.push_back({MgStep::Kind::prolongation, level});
    steps.push_back({MgStep::Kind::correction, level});
  }
  return steps;
}

}  // namespace stretto::kernel::nas
