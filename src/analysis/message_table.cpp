// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/message_table.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace stretto::analysis {

Message& Channel::operator[](std::uint64_t number) {
  static thread_local Message gone;
  if (number < first_) return gone = Message();
  while (number >= first_ + messages_.size()) messages_.push() = Message();
  return messages_[number - first_];
}

void Channel::take_back(std::uint64_t number) {
  if (receives_ == 0) return;
  --receives_;
  for (; number < receives_; ++number) (*this)[number].posted_s = (*this)[number + 1].posted_s;
  (*this)[number].posted_s = unknown_s;
}

void Channel::take_back_remote(std::uint64_t number) {
  for (; number + 1 < first_ + messages_.size(); ++number) {
    (*this)[number].posted_s = (*this)[number + 1].posted_s;
    (*this)[number].receiver_done = (*this)[number + 1].receiver_done;
  }
  (*this)[number].posted_s = unknown_s;
  (*this)[number].receiver_done = false;
}

void Channel::release() {
  while (!messages_.empty() && messages_.front().sender_done && messages_.front().receiver_done) {
    messages_.pop();
    ++first_;
  }
}

void MessageEnd::done() const {
  (sends ? message().sender_done : message().receiver_done) = true;
  channel->release();
}

Channel& MessageTable::operator[](const Channel::Key& key) {
  Channel& channel = channels_.try_emplace(key, key).first->second;
  channel.is_used = true;
  return channel;
}

void MessageTable::forget_idle(std::size_t many) {
  if (channels_.size() < std::max(many, forget_at_)) return;
  for (auto at = channels_.begin(); at != channels_.end();) {
    Channel& channel = at->second;
    const bool was_used = std::exchange(channel.is_used, false);
    const bool is_remote = division_.is_remote(channel.key.source) || division_.is_remote(channel.key.target);
    at = was_used || is_remote || !channel.is_idle() ? std::next(at) : channels_.erase(at);
  }
  forget_at_ = 2 * channels_.size();
}

void MessageTable::send(const MessageEnd& end, double left_s) {
  Message& message = end.message();
  message.sent_s = end.begin_s;
  message.left_s = left_s;
  tell(end, {.begin_s = end.begin_s, .left_s = left_s, .what = Half::What::sent});
  wake(message);
}

void MessageTable::post(const MessageEnd& end, double posted_s) {
  Message& message = end.message();
  message.posted_s = posted_s;
  tell(end, {.begin_s = posted_s, .what = Half::What::posted});
  wake(message);
}

void MessageTable::unpost(const MessageEnd& end) {
  end.message().posted_s = unknown_s;
  tell(end, {.what = Half::What::posted});
  end.done();
}

void MessageTable::take_back(const MessageEnd& cancelled) {
  cancelled.channel->take_back(cancelled.number);
  tell(cancelled, {.what = Half::What::taken_back});
}

void MessageTable::tell(const MessageEnd& end, Half half) {
  if (!division_.is_remote(end.peer())) return;
  half.key = end.channel->key;
  half.number = end.number;
  outgoing[division_.owner(static_cast<std::size_t>(end.peer()))].push_back(half);
}

/// No call of this process waits for the other end's sake, so that end is done.
void MessageTable::take(const Half& half) {
  Channel& channel = (*this)[half.key];
  if (half.what == Half::What::taken_back) return channel.take_back_remote(half.number);
  Message& message = channel[half.number];
  if (half.what == Half::What::sent) {
    message.sent_s = half.begin_s;
    message.left_s = half.left_s;
    message.sender_done = true;
  } else {
    message.posted_s = half.begin_s;
    message.receiver_done = true;
  }
  wake(message);
  channel.release();
}

void MessageTable::wake(Message& message) {
  if (message.waiting != 0) woken.push_back(std::exchange(message.waiting, 0));
}

std::size_t MessageTable::Hash::operator()(const Channel::Key& key) const {
  const auto ranks = std::uint64_t{static_cast<std::uint32_t>(key.source)} << 32U |
                     std::uint64_t{static_cast<std::uint32_t>(key.target)};
  constexpr std::uint64_t odd = 0x9E3779B97F4A7C15U;
  std::uint64_t mixed = (ranks ^ key.communicator * odd) * odd;
  mixed = (mixed ^ mixed >> 32U ^ static_cast<std::uint32_t>(key.tag)) * odd;
  return static_cast<std::size_t>(mixed ^ mixed >> 32U);
}

}  // namespace stretto::analysis
