// SPDX-License-Identifier: BSD-3-Clause
// The messages of all ranks of which an end is not analysed yet.
//
// Both ranks number the messages of a channel: the k-th send meets the k-th receive. A message is kept from
// its first end until the calls of both ends are analysed. Of a message to or from a rank of another process,
// each process has a copy, and its own half is sent to the other.
#pragma once

#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>
#include <map>
#include <unordered_map>
#include <vector>

#include "analysis/ring_queue.hpp"
#include "analysis/team.hpp"

namespace stretto::analysis {

inline constexpr double unknown_s = std::numeric_limits<double>::quiet_NaN();

struct Message {
  double sent_s = unknown_s;    ///< begin of the send
  double left_s = unknown_s;    ///< end of the send where it is a blocking one
  double posted_s = unknown_s;  ///< begin of the call that posted the receive
  bool sender_done = false;     ///< no call waits for the receive any more
  bool receiver_done = false;   ///< no call waits for the send any more
  std::uint64_t waiting = 0;    ///< the number of a call that waits for the other end; 0: none does

  /// The send may be unfinished when its call ends.
  [[nodiscard]] bool is_nonblocking() const { return !std::isnan(sent_s) && std::isnan(left_s); }
};

/// The messages from one rank to another in a communicator with one tag, in order. Programs may use millions
/// of tags, so that one without messages is small.
class Channel {
 public:
  struct Key {
    std::int32_t source = 0;
    std::int32_t target = 0;
    std::uint64_t communicator = 0;
    std::int32_t tag = 0;
    auto operator<=>(const Key&) const = default;
  };

  explicit Channel(const Key& of) : key(of) {}

  /// The message of a number, until that of another one is asked for. Of one that is done nothing is known.
  Message& operator[](std::uint64_t number);
  std::uint64_t next_send() { return sends_++; }
  std::uint64_t next_receive() { return receives_++; }
  [[nodiscard]] std::uint64_t sends() const { return sends_; }
  [[nodiscard]] std::uint64_t receives() const { return receives_; }
  /// Takes back a receive that was cancelled: those behind it receive the message before theirs.
  void take_back(std::uint64_t number);
  /// The same where the receives belong to another process, which has told of some of them.
  void take_back_remote(std::uint64_t number);
  /// Forgets the messages that are done.
  void release();
  /// Whether it is as a new one: every message has been sent, received and forgotten.
  [[nodiscard]] bool is_idle() const { return messages_.empty() && sends_ == receives_; }

  const Key key;
  bool is_used = true;  ///< since the table last forgot channels

 private:
  std::uint64_t first_ = 0;
  RingQueue<Message> messages_;
  std::uint64_t sends_ = 0;
  std::uint64_t receives_ = 0;
};

/// One end of a message in a rank.
struct MessageEnd {
  Channel* channel = nullptr;
  std::uint64_t number = 0;
  bool sends = false;
  double begin_s = 0;  ///< of the send
  std::uint64_t size_bytes = 0;
  std::uint32_t request = 0;

  [[nodiscard]] Message& message() const { return (*channel)[number]; }
  [[nodiscard]] std::int32_t peer() const { return sends ? channel->key.target : channel->key.source; }
  /// Says that no call of this end waits for the other any more.
  void done() const;
};

/// What another process learns of a message, or of a receive that was taken back.
struct Half {
  enum class What : std::uint8_t { sent, posted, taken_back };
  Channel::Key key;
  std::uint64_t number = 0;
  double begin_s = unknown_s;  ///< of the send, or of the call that posted the receive
  double left_s = unknown_s;   ///< of a send
  What what = What::sent;
};

class MessageTable {
 public:
  /// `division` must outlive this object.
  explicit MessageTable(const Division& division = undivided) : division_(division) {}

  /// The channel of a key, created if needed.
  Channel& operator[](const Channel::Key& key);
  /// Forgets the idle channels that have not been used since it was called before, once there are many:
  /// programs may use a tag once. None to or from a rank of another process, which numbers messages as well.
  void forget_idle(std::size_t many = std::size_t{1} << 16U);
  [[nodiscard]] std::size_t size() const { return channels_.size(); }
  /// Passes each channel to `use`, in no order.
  template <typename Use>
  void for_each(const Use& use) const {
    for (const auto& [key, channel] : channels_) use(channel);
  }
  /// `left_s`: the end of a blocking send, else unknown.
  void send(const MessageEnd& end, double left_s);
  void post(const MessageEnd& end, double posted_s);
  /// The receive ends without a call that completes it.
  void unpost(const MessageEnd& end);
  void take_back(const MessageEnd& cancelled);
  /// Takes a half that another process has sent.
  void take(const Half& half);
  /// The numbers of calls that waited for what is known now; the user empties it.
  std::vector<std::uint64_t> woken;
  /// By process, the halves that it has not been sent yet; the user empties them.
  std::map<std::size_t, std::vector<Half>> outgoing;

 private:
  struct Hash {
    std::size_t operator()(const Channel::Key& key) const;
  };
  void wake(Message& message);
  /// Keeps a half for the process of the other rank, unless it is this one.
  void tell(const MessageEnd& end, Half half);

  const Division& division_;
  std::unordered_map<Channel::Key, Channel, Hash> channels_;
  std::size_t forget_at_ = 0;  // so many channels
};

}  // namespace stretto::analysis
