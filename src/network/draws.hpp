// SPDX-License-Identifier: BSD-3-Clause
// Parameters with intervals, represented by many random draws; a schedule is evaluated once per draw.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <vector>

#include "network/evaluate.hpp"
#include "network/request_members.hpp"

namespace stretto::network {

/// The values of one quantity in all draws; a single value holds for all.
class Draws {
 public:
  explicit Draws(std::vector<double> values) : values_(std::move(values)) {}

  [[nodiscard]] std::size_t count() const { return values_.size(); }
  [[nodiscard]] double at(std::size_t draw) const { return values_[values_.size() == 1 ? 0 : draw]; }

 private:
  std::vector<double> values_;
};

/// The costs of a path in all draws, read from the member `path` of a request:
/// - `ranges` with `from_bytes` and the LogGP parameters, `points` with `size_bytes` and measured times, or
///   both; `operation` is the operation of the points, by default `send`;
/// - optionally `overlap` (`size_bytes`, `eta`), `steal` and `unattended_bytes`, as in PathCosts;
/// - optionally `byte_gap`, which replaces G of all sizes (seconds per byte), and `byte_speed`, which divides
///   it.
class DrawnPath {
 public:
  /// Throws InvalidRequest.
  explicit DrawnPath(const RequestMembers& path);

  /// The number of draws; 1 where every quantity has a single value.
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] PathCosts at(std::size_t draw) const;

 private:
  struct Range {
    std::uint64_t from_bytes;
    std::vector<Draws> parameters;  // in the order of loggp_members
  };

  struct Point {
    std::uint64_t size_bytes;
    std::vector<std::optional<Draws>> times;  // in the order of measured_members
  };

  struct Overlap {
    std::uint64_t size_bytes;
    Draws eta;
  };

  void read_ranges(const RequestMembers& path);
  void read_points(const RequestMembers& path);
  std::optional<Draws> optional_draws(const RequestMembers& owner, const char* name);
  /// Updates `count_`. Throws InvalidRequest where `draws` has another number of draws.
  void check_count(const RequestMembers& owner, const char* name, const Draws& draws);

  std::vector<Range> ranges_;
  std::vector<Point> points_;
  std::vector<Overlap> overlap_;
  bool one_sided_ = false;
  std::optional<Draws> byte_gap_;
  std::optional<Draws> byte_speed_;
  std::optional<Draws> steal_;
  std::optional<Draws> unattended_bytes_;  // none: unlimited
  std::size_t count_ = 1;
};

/// The common number of draws of a request's quantities; quantities with one value fit any number. Throws
/// InvalidRequest where `counts` differ otherwise.
[[nodiscard]] std::size_t common_count(const RequestMembers& request,
                                       std::initializer_list<std::size_t> counts);

/// The members `total_s` and `segments_s` of an answer: the times of all draws.
[[nodiscard]] Json times_json(const ScheduleGraph& schedule, const std::vector<ScheduleTimes>& times);

/// The times of a schedule in all draws, as evaluate() defines them. Throws InvalidRequest where quantities
/// differ in the number of draws.
[[nodiscard]] std::vector<ScheduleTimes> evaluate_draws(const ScheduleGraph& schedule,
                                                        const RequestMembers& request, const DrawnPath& path,
                                                        const Draws& work_s,
                                                        const std::optional<Draws>& barrier_s);

}  // namespace stretto::network
