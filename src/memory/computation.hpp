// SPDX-License-Identifier: BSD-3-Clause
// The computation of one thread between two MPI calls, divided by the newest arrival (epoch) that it depends
// on. It also answers when a store would have happened if the same work had been done in the order of the
// arrivals that it needs:
//
//   as executed   | needs 2 | needs nothing | needs 1 | needs 2 |
//   reordered     | needs nothing | needs 1 | needs 2 | needs 2 |
//                 begin                                         end
//
// The levels of restructuring use the reordered times: they say how early data could have been sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace stretto::memory {

/// How much work of one kind was done until each moment, in at most `max_segments` segments with work.
class WorkSoFar {
 public:
  /// Adds work from `begin` until `end`, which follows all that was added before.
  void add(std::uint64_t begin, std::uint64_t end, double ticks);
  [[nodiscard]] double until(std::uint64_t moment) const;
  [[nodiscard]] double all() const { return segments_.empty() ? 0.0 : segments_.back().done; }

 private:
  /// Time in which work is done evenly. `done`: all of it until the end.
  struct Segment {
    std::uint64_t begin;
    std::uint64_t end;
    double done;
  };
  static constexpr std::size_t max_segments = 64;

  void append(const Segment& segment);

  std::vector<Segment> segments_;
  std::uint64_t length_ = 0;  // up to which a segment takes what follows it
};

/// Computation between two calls. Times in ticks.
class Computation {
 public:
  explicit Computation(std::uint64_t begin = 0) : begin_(begin) {}

  /// Adds work from `begin` until `end` of which `epoch` is the newest arrival that it depends on.
  void add(std::uint32_t epoch, std::uint64_t begin, std::uint64_t end, double ticks);
  /// Ends it. `work`: all of it, by the newest epoch that it depends on; it may differ from the sums of what
  /// was added, but not in its order. All work depends on the epoch `base` and older ones.
  void end(std::uint64_t now, std::uint32_t base, std::map<std::uint32_t, double> work);

  [[nodiscard]] std::uint64_t begin() const { return begin_; }
  [[nodiscard]] std::uint64_t end() const { return end_; }
  [[nodiscard]] bool is_divided() const { return work_.size() > 1; }
  /// Work by the newest epoch that it depends on; 0: none.
  [[nodiscard]] const std::map<std::uint32_t, double>& work() const { return work_; }
  /// The moment `ticks` of work that depends on `epoch`, in the order of epochs.
  [[nodiscard]] std::uint64_t reordered(std::uint64_t ticks, std::uint32_t epoch) const;

 private:
  [[nodiscard]] double done(std::uint32_t epoch, double work, std::uint64_t moment) const;

  std::uint64_t begin_;
  std::uint64_t end_ = 0;
  std::uint32_t base_ = 0;
  std::map<std::uint32_t, double> work_;
  std::map<std::uint32_t, WorkSoFar> so_far_;  // by epoch
};

/// The last computations of a thread that are divided; others need no reordering.
class ComputationHistory {
 public:
  void add(Computation&& computation) {
    if (past_.size() == max_) past_.pop_front();
    past_.push_back(std::move(computation));
  }
  /// `at` itself where it is in none of them.
  [[nodiscard]] std::uint64_t reordered(std::uint64_t at, std::uint32_t epoch) const;

 private:
  static constexpr std::size_t max_ = 4096;
  std::deque<Computation> past_;
};

}  // namespace stretto::memory
