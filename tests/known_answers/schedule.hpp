// SPDX-License-Identifier: BSD-3-Clause
// The scheduler of the ranks' fibers: in order of virtual time, ties by rank. Of messages it knows only that
// they may slow down computation.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "known_answers/engine.hpp"
#include "known_answers/fiber.hpp"

namespace stretto::known_answers {

/// Something that a rank can wait for. It describes itself in the report of a deadlock.
class Awaited {
 public:
  Awaited() = default;
  Awaited(const Awaited&) = delete;
  Awaited& operator=(const Awaited&) = delete;
  virtual ~Awaited() = default;
  [[nodiscard]] virtual std::string describe_wait(int rank) const = 0;
};

class VirtualSchedule {
 public:
  VirtualSchedule(int ranks, double steal, Engine& engine);

  /// Runs `body(rank)` for all ranks to the end. Throws what a body throws (the other bodies are unwound).
  /// Throws std::runtime_error with what each rank waits for on a deadlock.
  void run(const std::function<void(int rank)>& body);

  // -- from the fiber of `rank` --

  [[nodiscard]] double now_s() const { return engine_.now_s(); }
  /// Returns at `time_s`, which is not before now_s(), after all earlier events have happened.
  void advance_to(int rank, double time_s);
  /// Computes for `duration_s` of processor time. Moving messages may slow the rank down.
  void work(int rank, double duration_s);
  /// Returns after the next wake().
  void wait(int rank, const Awaited& awaited);

  // -- from anywhere --

  /// Resumes `rank` now if it waits.
  void wake(int rank);
  void traffic_changed(int rank, bool moving);

 private:
  struct Rank {
    std::unique_ptr<Fiber> fiber;
    const Awaited* awaited = nullptr;
    std::uint32_t stamp = 0;  // identifies the only valid wake-up
    bool working = false;
    bool moving = false;
    double work_left_s = 0;
    double work_since_s = 0;
  };

  Rank& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  void wake_at(int rank, double time_s);
  void plan_end_of_work(int rank);
  [[nodiscard]] double rate(const Rank& rank) const { return rank.moving ? 1 - steal_ : 1; }
  void take_turns();
  [[nodiscard]] std::string deadlock() const;

  Engine& engine_;
  std::vector<Rank> ranks_;
  double steal_;
};

}  // namespace stretto::known_answers
