// SPDX-License-Identifier: BSD-3-Clause
// The experiments of the architectural probes' section 6 by name, and what was asked instead: which problems
// FT and SPMV run, by which schedules.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "probe/ft_schedule.hpp"
#include "probe/spmv_schedule.hpp"

namespace stretto::probe {

/// What was asked of FT and SPMV; what is absent or empty is the sweep's to say, or the probe's own.
struct ScheduleSettings {
  std::string sweep;
  std::vector<std::size_t> rows;  ///< N of FT, the order of SPMV's matrix
  std::vector<std::size_t> row_lengths;
  std::vector<double> scales;
  bool balance = false;  ///< the scale at which computation and communication take equally long
  std::size_t planes = 1;
  std::vector<std::string> schedules;
  std::vector<std::size_t> prefetch;
  std::vector<double> nonzero_ratios;
};

struct FtPoint {
  FtProblem problem;
  std::optional<double> scale;  ///< absent: the one that balances
};

struct SpmvPoint {
  SpmvProblem problem;
  double nonzero_ratio = 0;
};

/// Throws std::invalid_argument, with a line that names the option and the mend, where a name is unknown or
/// two lists cannot be paired.
void check_sweeps(const ScheduleSettings& settings, const std::vector<std::string>& probes);

/// The problems of FT on so many ranks. Throws std::invalid_argument where the ranks do not divide the rows
/// that were asked; those of a sweep are the next that they divide.
[[nodiscard]] std::vector<FtPoint> ft_points(const ScheduleSettings& settings, std::size_t ranks);
/// Throws std::invalid_argument where one does not go with the problem.
[[nodiscard]] std::vector<FtSchedule> ft_schedules(const ScheduleSettings& settings,
                                                   const FtProblem& problem);

[[nodiscard]] std::vector<SpmvPoint> spmv_points(const ScheduleSettings& settings, std::size_t ranks);
/// Throws std::invalid_argument where a prefetch is beyond P-1.
[[nodiscard]] std::vector<SpmvSchedule> spmv_schedules(const ScheduleSettings& settings, std::size_t ranks);

}  // namespace stretto::probe
