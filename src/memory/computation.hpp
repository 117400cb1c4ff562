// SPDX-License-Identifier: BSD-3-Clause
// The computation of one thread between two calls, divided by what it depends on, and where each moment of it
// would lie if work were done in the order of what it depends on: first what depends on nothing that arrived
// lately, then what depends on the oldest arrival, and so on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace stretto::memory {

/// Computation between two calls. Times in ticks.
class Computation {
 public:
  explicit Computation(std::uint64_t begin = 0) : begin_(begin) {}

  /// Adds work until `now`: what depends on no arrival but the base, and the rest.
  void add(std::uint64_t now, double base_ticks, double rest_ticks);
  /// Ends it. `work`: all of it, by the newest epoch that it depends on; it may differ from the sums of what
  /// was added, but not in its order.
  void end(std::uint64_t now, std::uint32_t base, std::map<std::uint32_t, double> work);

  [[nodiscard]] std::uint64_t begin() const { return begin_; }
  [[nodiscard]] std::uint64_t end() const { return end_; }
  [[nodiscard]] bool is_divided() const { return work_.size() > 1; }
  /// Work by the newest epoch that it depends on; 0: none.
  [[nodiscard]] const std::map<std::uint32_t, double>& work() const { return work_; }
  /// The moment `ticks` of work that depends on `epoch`, in the order of epochs.
  [[nodiscard]] std::uint64_t reordered(std::uint64_t ticks, std::uint32_t epoch) const;

 private:
  struct Knot {
    std::uint64_t at;
    double base;  // work until then of the base
    double rest;
  };
  static constexpr std::size_t most_knots = 64;

  [[nodiscard]] Knot at(std::uint64_t ticks) const;

  std::uint64_t begin_;
  std::uint64_t end_ = 0;
  std::uint32_t base_ = 0;
  double base_scale_ = 1;
  double rest_scale_ = 1;
  double base_ticks_ = 0;
  double rest_ticks_ = 0;
  std::size_t stride_ = 1;
  std::size_t skipped_ = 0;
  std::map<std::uint32_t, double> work_;
  std::vector<Knot> knots_;
};

/// The last computations of a thread that are divided; others need no reordering.
class ComputationHistory {
 public:
  void add(Computation&& computation) {
    if (past_.size() == most_) past_.pop_front();
    past_.push_back(std::move(computation));
  }
  /// `at` itself where it is in none of them.
  [[nodiscard]] std::uint64_t reordered(std::uint64_t at, std::uint32_t epoch) const;

 private:
  static constexpr std::size_t most_ = 4096;
  std::deque<Computation> past_;
};

}  // namespace stretto::memory
