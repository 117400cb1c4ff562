// SPDX-License-Identifier: BSD-3-Clause
// One case of a probe on each rank: its axes and its steps. A case declares what is measured. The harness
// decides how often, in which order and for how long.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "measure/timekeeper.hpp"

namespace stretto::measure {

/// One of the measurements of a case. The harness interleaves the quantities of a case in random order.
struct Quantity {
  std::string name;
  std::int64_t messages = 0;  ///< per direction and pair within the step
  Step step;
  record::Fields axes = {};  ///< the axes in which it differs from the other quantities of its case
};

/// What a case is measured for, as far as sampling depends on it: the sum of its quantities with these signs,
/// over the smallest median of those with sign +1. For an overlap that is (T_c + T_w - T_t) / min(T_c, T_w).
/// Results are computed later, from all samples.
struct Figure {
  std::vector<int> signs;  ///< +1, 0 or -1 a quantity; empty: the case has no such figure
  double least = 0;        ///< a value outside of `least` to `most` is measured once more
  double most = 0;
};

/// The number of transfers that were checked after arrival, and how many of them were wrong.
struct CheckedTransfers {
  std::int64_t transfers = 0;
  std::int64_t wrong = 0;
};

/// What this rank has moved to one target by one path so far. The counters only grow.
struct PathCount {
  int target = 0;
  int path = 0;  ///< index into Experiment::paths()
  std::int64_t operations = 0;
  std::int64_t bytes = 0;
  std::int64_t messages = 0;
};

class Experiment {
 public:
  Experiment() = default;
  Experiment(const Experiment&) = delete;
  Experiment& operator=(const Experiment&) = delete;
  virtual ~Experiment() = default;

  /// The probe's name.
  [[nodiscard]] virtual std::string probe() const = 0;

  /// Reserves memory and chooses counts; may time its own steps. Collective. Called once, before all
  /// functions below.
  virtual void calibrate(Timekeeper& timekeeper) = 0;

  [[nodiscard]] virtual record::Fields axes() const = 0;
  [[nodiscard]] virtual std::vector<Quantity> quantities() = 0;
  [[nodiscard]] virtual Figure figure() const { return {}; }

  /// Whether the case may be left and continued after other cases have run. Cases that hold much memory run
  /// without interruption and are then destroyed.
  [[nodiscard]] virtual bool may_pause() const { return false; }

  /// The names of the paths that are counted separately, the same on all ranks. Empty where paths are not
  /// counted.
  [[nodiscard]] virtual std::span<const std::string_view> paths() const { return {}; }
  /// The counters, ordered by target, then by path.
  [[nodiscard]] virtual std::vector<PathCount> path_counts() const { return {}; }

  /// Called before and after a step with checked data; `quantity` names the step.
  virtual void fill(std::uint32_t seed) = 0;
  [[nodiscard]] virtual CheckedTransfers verify(const std::string& quantity, std::uint32_t seed) = 0;
};

}  // namespace stretto::measure
