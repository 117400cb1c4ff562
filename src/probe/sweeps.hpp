// SPDX-License-Identifier: BSD-3-Clause
// Which problems FT and SPMV run, by which schedules: the named experiments of section 6 of the
// architectural probes, or explicit choices.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "probe/schedule_names.hpp"

namespace stretto::probe {

/// The request for FT and SPMV. The sweep, or the default of the probe, fills what is absent or empty.
struct ScheduleSettings {
  std::string sweep;
  std::vector<std::size_t> rows;         ///< N of FT
  std::vector<std::size_t> matrix_rows;  ///< order of the matrix of SPMV
  std::vector<std::size_t> row_lengths;
  std::vector<double> scales;
  bool balance = false;  ///< use the scale at which computation and communication take equally long
  std::size_t planes = 1;
  std::vector<std::string> schedules;
  std::vector<std::size_t> prefetch;
  std::vector<double> nonzero_ratios;
};

struct FtPoint {
  FtProblem problem;
  std::optional<double> scale;  ///< absent: the scale that balances
};

struct SpmvPoint {
  SpmvProblem problem;
  double nonzero_ratio = 0;
};

/// Throws std::invalid_argument where a name is unknown or two lists have lengths that cannot be paired.
/// The message names the option and a remedy.
void check_sweeps(const ScheduleSettings& settings, const std::vector<std::string>& probes);

/// The problems of FT on `ranks` ranks. Throws std::invalid_argument where the ranks do not divide the
/// requested rows. The rows of a named sweep are rounded to the next that the ranks divide.
[[nodiscard]] std::vector<FtPoint> ft_points(const ScheduleSettings& settings, std::size_t ranks);
/// Throws std::invalid_argument where a schedule does not fit the problem.
[[nodiscard]] std::vector<FtSchedule> ft_schedules(const ScheduleSettings& settings,
                                                   const FtProblem& problem);

[[nodiscard]] std::vector<SpmvPoint> spmv_points(const ScheduleSettings& settings, std::size_t ranks);
/// Throws std::invalid_argument where a prefetch exceeds P-1.
[[nodiscard]] std::vector<SpmvSchedule> spmv_schedules(const ScheduleSettings& settings, std::size_t ranks);

}  // namespace stretto::probe
