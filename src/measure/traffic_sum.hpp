// SPDX-License-Identifier: BSD-3-Clause
// What the measured steps of a case have moved, by quantity, target and path: differences of the counters
// around each step, summed. Measures nothing.
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

  /// Around a step.
  void before();
  void after();
  /// The step that was last looked at belongs to `quantity`, and counts.
  void add(std::size_t quantity);

  /// A row for each quantity, pair of ranks and path by which anything went. Collective; `file` at rank 0.
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
