// SPDX-License-Identifier: BSD-3-Clause
// What the measured steps of a case have moved, per quantity, target and path. Each step adds the
// difference of the counters after and before it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "measure/experiment.hpp"
#include "measure/team.hpp"
#include "record/sample_file.hpp"

namespace stretto::measure {

class TrafficSum {
 public:
  TrafficSum(const Experiment& experiment, std::size_t quantities);

  /// Read the counters before and after a step.
  void before();
  void after();
  /// Adds the last step to the sums of `quantity`.
  void add(std::size_t quantity);

  /// Writes one row per quantity, pair of ranks and path that moved anything. Collective; `file` is null
  /// except at rank 0.
  void record(Team& team, const std::string& probe, int case_index, const std::vector<Quantity>& quantities,
              record::SampleFile* file) const;

 private:
  struct Sum {
    std::int64_t steps = 0;
    std::vector<PathCount> counts;
  };

  const Experiment& experiment_;
  std::vector<PathCount> earlier_;
  std::vector<PathCount> step_;
  std::vector<Sum> sums_;
};

}  // namespace stretto::measure
