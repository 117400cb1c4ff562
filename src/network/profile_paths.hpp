// SPDX-License-Identifier: BSD-3-Clause
// Selects the entries of a profile (docs/formats.md) for one path: LogGP parameters by message size,
// overlap by message size, and the gap of all ranks at once. It follows sections 7.5 and 8.2 of the
// architectural probes' paper: o and g from the pencils probe, L from a latency test. G is from streaming
// both ways between two ranks (bar M) or from all ranks at once (bar E).
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "network/measured_transfers.hpp"
#include "network/path_costs.hpp"

namespace stretto::network {

/// The class of transfers, in the terms of a profile's entries.
struct TransferClass {
  std::string transport;
  std::string operation;
  std::string progress = "none";
  /// Prefer spaced trains for all parameters. The paper's streams in both directions share what limits a
  /// node, which is right for a schedule of equal ranks, but not for a replay, which has each message.
  bool one_way = false;
};

/// A value with its 95 % interval, where it has one.
struct Figure {
  double value = 0;
  std::optional<double> low;
  std::optional<double> high;
};

/// Reads a figure with or without an interval; nothing where it is absent or unresolved.
[[nodiscard]] std::optional<Figure> figure_of(const nlohmann::json& entry, const char* name);

struct LogGpMember {
  const char* name;
  double LogGp::*parameter;
};

/// The LogGP parameters with their names in profiles and requests.
inline constexpr std::array<LogGpMember, 6> loggp_members{{{"latency_s", &LogGp::latency_s},
                                                           {"overhead_send_s", &LogGp::overhead_send_s},
                                                           {"overhead_receive_s", &LogGp::overhead_receive_s},
                                                           {"gap_s", &LogGp::gap_s},
                                                           {"gap_queue_s", &LogGp::gap_queue_s},
                                                           {"gap_s_per_byte", &LogGp::gap_s_per_byte}}};

/// A parameter for messages from some size on, and the fitted range of the profile that it comes from.
struct PathParameter {
  Figure figure;
  std::uint64_t range_bytes = 0;  ///< the smallest size of that range
  bool own = true;                ///< the range that contains the size has it; else a lower one stands in
};

struct PathRange {
  std::uint64_t from_bytes = 0;
  std::array<std::optional<PathParameter>, loggp_members.size()>
      parameters;  ///< in the order of loggp_members; absent: zero
};

struct MeasuredMember {
  const char* name;
  std::optional<double> MeasuredTransfer::*time;
};

/// The times of a measured size with their names in profiles and requests.
inline constexpr std::array<MeasuredMember, 4> measured_members{
    {{"time_s", &MeasuredTransfer::time_s},
     {"stream_s", &MeasuredTransfer::stream_s},
     {"overhead_send_s", &MeasuredTransfer::overhead_send_s},
     {"receive_s", &MeasuredTransfer::receive_s}}};

/// What was measured of messages of one size.
struct PathPoint {
  std::uint64_t size_bytes = 0;
  std::array<std::optional<Figure>, measured_members.size()> times;  ///< in the order of measured_members
};

struct PathOverlap {
  std::uint64_t size_bytes = 0;
  Figure eta;
};

/// The figures of a profile for one path. Where a range lacks a parameter that the models need, the measured
/// times of its sizes take its place.
struct PathFigures {
  std::vector<PathRange> ranges;     ///< sizes ascending
  std::vector<PathPoint> points;     ///< sizes ascending
  std::vector<PathOverlap> overlap;  ///< ascending sizes; empty: not measured, offload is assumed
  std::optional<Figure>
      contended_gap_s_per_byte;       ///< measured with the number of ranks nearest to the requested one
  std::optional<double> eager_bytes;  ///< the largest size that a send needs no receive for
  const char* missing = nullptr;      ///< the first parameter that the models need and the profile lacks
  std::vector<const char*> assumed;   ///< parameters that are taken as zero, because nothing states them
  bool one_sided = false;

  /// The point values as costs, with the gap of all ranks at once where it is known.
  [[nodiscard]] PathCosts point_costs() const;
  [[nodiscard]] PathCosts point_costs(const CurveUse& use) const;

  /// For a replay: the overhead of a send is assumed to be zero where it is missing, and G of sizes that lack
  /// it where other sizes have it.
  void assume_overheads();
};

/// `ranks`: the number of ranks that communicate at once. Throws nlohmann::json::exception where a member's
/// type contradicts docs/formats.md.
[[nodiscard]] PathFigures path_figures(const nlohmann::json& profile, const TransferClass& transfers,
                                       int ranks);

}  // namespace stretto::network
