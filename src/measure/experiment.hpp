// SPDX-License-Identifier: BSD-3-Clause
// One case of a probe, alive on each rank: its axes and its steps. Declares what is measured and never
// how often, in which order or how long: that is the harness's.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "measure/timekeeper.hpp"

namespace stretto::measure {

/// One of the measurements of a case; those of a case are interleaved in random order.
struct Quantity {
  std::string name;
  std::int64_t messages = 0;  ///< per direction and pair within the step
  Step step;
  record::Fields axes = {};  ///< those that tell it from the other quantities of its case
};

/// Transfers that were looked at after they arrived.
struct Tally {
  std::int64_t transfers = 0;
  std::int64_t wrong = 0;
};

/// What a rank has moved to another so far by one path: counters that only grow.
struct PathCount {
  int target = 0;
  int path = 0;  ///< of Experiment::paths()
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

  /// Reserves memory and chooses counts; may time its own steps. Collective, once, before all that follows.
  virtual void calibrate(Timekeeper& timekeeper) = 0;

  [[nodiscard]] virtual record::Fields axes() const = 0;
  [[nodiscard]] virtual std::vector<Quantity> quantities() = 0;

  /// The names of the paths that are counted separately; empty where none is. The same on all ranks.
  [[nodiscard]] virtual std::span<const std::string_view> paths() const { return {}; }
  /// For each target, in order, each path, in order.
  [[nodiscard]] virtual std::vector<PathCount> path_counts() const { return {}; }

  /// Before and after a step with checked data; `quantity` names the step.
  virtual void fill(std::uint32_t seed) = 0;
  [[nodiscard]] virtual Tally verify(const std::string& quantity, std::uint32_t seed) = 0;
};

}  // namespace stretto::measure
