// SPDX-License-Identifier: BSD-3-Clause
// The messages of a Paraver trace, by the thread and the time of their sends, receives and ends. A
// communication stands where it is sent, which may be behind the call that posted its receive: all are read
// before the calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "foreign/paraver_file.hpp"

namespace stretto::foreign {

struct ParaverMessage {
  explicit ParaverMessage(const ParaverCommunication& all);

  std::int64_t sent, posted, received, bytes, tag;
  std::int32_t sender, sender_thread, receiver, receiver_thread;  ///< 0: no task or thread has that number
};
using ParaverMessages = std::vector<ParaverMessage>;

/// Messages of one thread by one of their times, to be taken in order.
class ParaverQueue {
 public:
  void add(std::uint32_t message) { messages_.push_back(message); }
  /// Behind the last `add`. `all` must outlive this object.
  void sort(const ParaverMessages& all, std::int64_t ParaverMessage::*time);
  /// Messages from one time to another, both included, at most `most`. Earlier ones are passed over.
  std::span<const std::uint32_t> take(std::int64_t from, std::int64_t to, std::size_t most = any_number);
  /// How many messages no call has taken.
  [[nodiscard]] std::size_t untaken() const { return passed_ + messages_.size() - next_; }

 private:
  static constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();

  const ParaverMessages* all_ = nullptr;
  std::int64_t ParaverMessage::*time_ = nullptr;
  std::vector<std::uint32_t> messages_;
  std::size_t next_ = 0;
  std::size_t passed_ = 0;
};

/// What a thread sends, posts a receive for, and receives.
struct ParaverQueues {
  ParaverQueue sent, posted, received;
};
/// By task and thread.
using ParaverThreads = std::map<std::pair<std::int64_t, std::int64_t>, ParaverQueues>;

/// `all` must outlive the result. Throws Damaged where a task is beyond `tasks`.
[[nodiscard]] ParaverThreads threads_of(const ParaverMessages& all, std::int64_t tasks);

/// How many messages of the same ranks and tag were received in another order than they were sent.
[[nodiscard]] std::size_t count_overtaking(const ParaverMessages& all);

}  // namespace stretto::foreign
