// SPDX-License-Identifier: BSD-3-Clause
// The progress thread of an unmodified program: it observes the activity, asks the policy, polls and sleeps.
// Trials in the first seconds switch it off where it gains nothing. Knows no MPI.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "progress/poll_policy.hpp"
#include "progress/thread/progress_thread.hpp"
#include "progress/trial.hpp"

namespace stretto::progress {

/// What the thread did, for the statistics.
struct PollCounts {
  std::int64_t wakes = 0;           ///< times that the thread ran
  std::int64_t polls = 0;           ///< a wake has none, one or, while there is data to read, several
  std::int64_t empty_polls = 0;     ///< of those, how many without traffic on a TCP connection before
  std::int64_t while_inside = 0;    ///< wakes that found the application inside MPI
  std::chrono::nanoseconds cpu{0};  ///< processor time of the thread
  std::chrono::nanoseconds on{0};   ///< from its begin until it was switched off, or to its end
  Verdict verdict = Verdict::undecided;
  std::optional<Saved> saved;  ///< of the last trial in which enough happened
};

/// How all ranks agree on a trial, so that they switch off together or not at all.
class Agreement {
 public:
  Agreement() = default;
  Agreement(const Agreement&) = delete;
  Agreement& operator=(const Agreement&) = delete;
  virtual ~Agreement() = default;

  /// This rank's rates of a trial. Does not wait.
  virtual void post(const Trial::Rates& rates) = 0;
  /// The sums of all ranks once all have posted theirs.
  virtual std::optional<Trial::Rates> sums() = 0;
};

class Poller {
 public:
  /// Polls on a thread of its own; `poll` must not throw. All ranks make theirs at the same time. Throws
  /// std::system_error where the kernel has no thread or no epoll left.
  Poller(std::function<void()> poll, std::chrono::nanoseconds interval, Agreement& agreement);
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;
  ~Poller();

  /// Ends the thread; returns what it did.
  PollCounts stop();

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] Sleep turn(WakeUp woken);
  /// The time after which the trial under way must be observed again.
  [[nodiscard]] std::chrono::nanoseconds advance_trial(std::chrono::nanoseconds now);
  void conclude(const Trial::Rates& sums, std::chrono::nanoseconds now);
  [[nodiscard]] Sleep poll_once(WakeUp woken);
  /// After traffic it polls on while polls read data: one poll of an MPI may read only a part (UCX).
  void poll(bool traffic);

  std::function<void()> poll_;
  Agreement& agreement_;
  PollPolicy policy_;
  std::optional<Trial> trial_;
  std::size_t trials_begun_ = 0;
  bool posted_ = false;
  bool off_ = false;
  double left_unsent_ = 0;  // share of a send buffer that the last poll left in use
  Clock::time_point began_ = Clock::now();
  PollCounts counts_;
  ProgressThread thread_;  // last: its turns use all the others
};

}  // namespace stretto::progress
