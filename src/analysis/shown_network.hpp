// SPDX-License-Identifier: BSD-3-Clause
// The network that a trace itself shows: how long its messages took, by size, where their receivers waited.
//
// A receive that was posted, and waited for, before its message was sent shows the time of the message: from
// the begin of the send to the end of the wait. Waits that ended only when the sender, which computed outside
// of MPI, came back to it do not count. Of the rest the shorter ones do: longer ones contain waiting for
// others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "analysis/timed_calls.hpp"

namespace stretto::analysis {

/// Messages of about one size: the mean of their sizes, and the time that one takes.
struct ShownTime {
  double mean_bytes = 0;
  double time_s = 0;
};

/// The times of messages, by the number of their size's bits.
struct ShownTimes {
  struct Class {
    double size_bytes = 0;
    std::vector<double> times_s;
  };
  std::map<int, Class> classes;

  void add(const ShownTimes& other);
  /// By ascending size, without sizes of which there are too few messages.
  [[nodiscard]] std::vector<ShownTime> network() const;
};

class ShownNetwork : public CallUser {
 public:
  /// `own`: the ranks of this process, of all ranks.
  ShownNetwork(std::size_t ranks, std::size_t own) : looked_at_(ranks), left_(own) {}

  void begin(std::size_t, const Event&) override {}
  void message(std::size_t, const Event&, const MessageEnd&) override {}
  void end(const EndedCall& call, const Others& others) override;
  [[nodiscard]] bool has_enough() const override { return left_ == 0; }

  [[nodiscard]] const ShownTimes& result() const { return times_; }

 private:
  std::vector<std::size_t> looked_at_;  // by rank
  std::size_t left_;                    // ranks of which more messages are looked at
  ShownTimes times_;
};

}  // namespace stretto::analysis
