// SPDX-License-Identifier: BSD-3-Clause
// What a run of probes was asked to do, and how its parts are written on a command line.
#pragma once

#include <cstddef>
#include <optional>
#include <stretto/collective_form.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "exchange/channel.hpp"
#include "measure/harness.hpp"
#include "probe/sweeps.hpp"

namespace stretto::probe {

enum class Side { origin, target, both };

inline constexpr Side all_sides[] = {Side::origin, Side::target, Side::both};

[[nodiscard]] std::string_view to_string(Side side);
[[nodiscard]] std::optional<Side> side_from(std::string_view name);

/// The largest message that the probes send.
inline constexpr std::size_t largest_size_bytes = std::size_t{64} << 20;

struct SizeRange {
  std::size_t min_bytes = 0;
  std::size_t max_bytes = 0;
};

/// `8`, `64KiB`, `1MiB`. Throws std::invalid_argument that says what is wrong with it.
[[nodiscard]] std::size_t size_from(std::string_view text);

/// `MIN:MAX`. Throws std::invalid_argument also when reversed, zero or over the largest size.
[[nodiscard]] SizeRange size_range_from(std::string_view text);

/// From the least to the largest, each `factor` times the one before; the largest itself always.
[[nodiscard]] std::vector<std::size_t> sizes_between(const SizeRange& range, std::size_t factor);

/// Of the probe `collective`.
struct CollectiveSettings {
  /// Those of the paper.
  std::vector<collective::Operation> operations = {
      collective::Operation::broadcast, collective::Operation::gather,    collective::Operation::scatter,
      collective::Operation::reduce,    collective::Operation::allreduce, collective::Operation::allgather};
  std::vector<collective::Algorithm> algorithms = {collective::Algorithm::library};
  std::vector<int> members;        ///< empty: a row of numbers up to all ranks
  std::vector<std::string> grids;  ///< `flat`, `all`, `P1xP2`; empty: flat, and all grids of the largest team
  std::vector<int> segments = {1};
  int root = 0;
};

struct Settings {
  std::vector<std::string> probes;
  std::vector<std::string> transports;
  std::vector<exchange::ProgressMode> progress = {exchange::ProgressMode::none, exchange::ProgressMode::poll};
  std::vector<std::string>
      paths;  ///< that transport stretto is made to take, one after the other; empty: its own
  std::vector<exchange::Operation> operations = {std::begin(exchange::all_operations),
                                                 std::end(exchange::all_operations)};
  std::vector<Side> sides = {std::begin(all_sides), std::end(all_sides)};
  std::vector<double> ratios = {0.25, 0.5, 1, 2, 4};
  std::optional<SizeRange> sizes;
  double pace_s = 0;              ///< of helper threads; 0: as the runtime chooses
  std::size_t segment_bytes = 0;  ///< of the runtime's messages; 0: likewise
  ScheduleSettings schedules;     ///< of ft and spmv
  double gap_queue_s = 0;         ///< ft, spmv: of an injection queue that the machine itself has not
  CollectiveSettings collective;
  measure::HarnessSettings harness;
};

/// The asked sizes or else the probe's own.
[[nodiscard]] std::vector<std::size_t> sizes_or(const Settings& settings, const SizeRange& own,
                                                std::size_t factor);

}  // namespace stretto::probe
