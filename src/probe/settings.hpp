// SPDX-License-Identifier: BSD-3-Clause
// The settings of a run of probes, and the names of their members in a request file.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <stretto/collective_form.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "exchange/channel.hpp"
#include "measure/harness.hpp"
#include "probe/buffers.hpp"
#include "probe/direction.hpp"
#include "probe/efficiency.hpp"
#include "probe/sweeps.hpp"

namespace stretto::probe {

enum class ComputingSide { origin, target, both };

inline constexpr ComputingSide all_sides[] = {ComputingSide::origin, ComputingSide::target,
                                              ComputingSide::both};

constexpr std::array<std::string_view, 3> names_of(ComputingSide /*type*/) {
  return {"origin", "target", "both"};
}

/// The largest message that the probes send.
inline constexpr std::size_t largest_size_bytes = std::size_t{64} << 20;

struct SizeRange {
  std::size_t min_bytes = 0;
  std::size_t max_bytes = 0;
};

/// The sizes from the smallest to the largest in steps of `factor`; always includes the largest.
[[nodiscard]] std::vector<std::size_t> sizes_between(const SizeRange& range, std::size_t factor);

/// Settings of the probe `collective`; the probe `nbc` uses operations and members.
struct CollectiveSettings {
  std::vector<collective::Operation> operations;  ///< empty: each probe's own
  std::vector<collective::Algorithm> algorithms = {collective::Algorithm::library};
  std::vector<int> members;        ///< empty: a series up to all ranks; nbc: all ranks
  std::vector<std::string> grids;  ///< `flat`, `all`, `P1xP2`; empty: flat, and all grids of all ranks
  std::vector<int> segments = {1};
  int root = 0;
};

struct Settings {
  std::vector<std::string> probes;
  std::vector<std::string> transports;  ///< empty: all that the probes run over by themselves
  bool own_transports = false;          ///< the transports were not requested; not a member of a request
  std::vector<exchange::ProgressMode> progress = {exchange::ProgressMode::none, exchange::ProgressMode::poll};
  std::vector<std::string>
      paths;  ///< paths that transport stretto must use, one after the other; empty: its default
  std::vector<exchange::ChannelOperation> operations = {std::begin(exchange::all_operations),
                                                        std::end(exchange::all_operations)};
  std::vector<ComputingSide> sides = {std::begin(all_sides), std::end(all_sides)};
  std::vector<Direction> directions = {std::begin(all_directions), std::end(all_directions)};
  std::vector<double> ratios = {0.25, 0.5, 1, 2, 4};
  std::optional<SizeRange> sizes;
  std::optional<std::size_t> size_factor;  ///< between two sizes; absent: the probe's own
  std::vector<Buffers> buffers;   ///< of latency and bandwidth; empty: same and distinct, in this order
  std::vector<int> pairs;         ///< of the probe pairs; empty: 1, 2, 4, ... and all
  std::vector<int> partitions;    ///< of the probe partitioned; empty: 1, 2, 4, ..., 32
  double poll_interval_s = 0;     ///< of progress threads; 0: the runtime's choice
  std::size_t segment_bytes = 0;  ///< of the runtime's messages; 0: the runtime's choice
  ScheduleSettings schedules;     ///< of ft and spmv
  double gap_queue_s = 0;         ///< ft, spmv: gap of an injection queue to emulate
  double spmv_efficiency = usual_spmv_efficiency;  ///< spmv: share of its peak of a simulated processor
  CollectiveSettings collective;
  std::optional<int> rounds;  ///< exact number of rounds per case, regardless of noise and budget
  measure::HarnessSettings harness;
  /// Parts of the run that differ in what they measure; empty: these settings are the only part. Members of
  /// the harness are those of the whole run.
  std::vector<Settings> parts;

  [[nodiscard]] std::span<const Settings> all_parts() const {
    return parts.empty() ? std::span{this, 1} : std::span{parts};
  }
};

/// Calls `visit(name, value)` for every member of a request file that describes the measurement.
/// python/stretto/options holds the meaning and the limits of each.
template <typename Visitor>
void members(Settings& settings, Visitor& visit) {
  visit("probes", settings.probes);
  visit("transports", settings.transports);
  visit("progress", settings.progress);
  visit("paths", settings.paths);
  visit("operations", settings.operations);
  visit("sides", settings.sides);
  visit("directions", settings.directions);
  visit("ratios", settings.ratios);
  visit("sizes_bytes", settings.sizes);
  visit("buffers", settings.buffers);
  visit("pairs", settings.pairs);
  visit("partitions", settings.partitions);
  visit("size_factor", settings.size_factor);
  visit("poll_interval_s", settings.poll_interval_s);
  visit("segment_bytes", settings.segment_bytes);
  visit("max_noise", settings.harness.max_noise);
  visit("max_error", settings.harness.max_error);
  visit("budget_s", settings.harness.budget_s);
  visit("rounds", settings.rounds);
  visit("min_rounds", settings.harness.min_rounds);
  visit("visits", settings.harness.visits);
  visit("warm_ups", settings.harness.warm_ups);
  visit("seed", settings.harness.seed);
  visit("check", settings.harness.check);
  visit("sweep", settings.schedules.sweep);
  visit("rows", settings.schedules.rows);
  visit("matrix_rows", settings.schedules.matrix_rows);
  visit("row_lengths", settings.schedules.row_lengths);
  visit("scales", settings.schedules.scales);
  visit("balance", settings.schedules.balance);
  visit("planes", settings.schedules.planes);
  visit("schedules", settings.schedules.schedules);
  visit("prefetch", settings.schedules.prefetch);
  visit("nonzero_ratios", settings.schedules.nonzero_ratios);
  visit("gap_queue_s", settings.gap_queue_s);
  visit("spmv_efficiency", settings.spmv_efficiency);
  visit("collectives", settings.collective.operations);
  visit("algorithms", settings.collective.algorithms);
  visit("members", settings.collective.members);
  visit("grids", settings.collective.grids);
  visit("segments", settings.collective.segments);
  visit("root", settings.collective.root);
}

/// The requested kinds of buffers, or the probe's own.
[[nodiscard]] std::vector<Buffers> buffers_or(const Settings& settings, Buffers own);

/// The requested sizes, or the default sizes of the probe.
[[nodiscard]] std::vector<std::size_t> sizes_or(const Settings& settings, const SizeRange& own,
                                                std::size_t factor);

}  // namespace stretto::probe
