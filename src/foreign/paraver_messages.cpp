// SPDX-License-Identifier: BSD-3-Clause
#include "foreign/paraver_messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

#include "foreign/damaged.hpp"

namespace stretto::foreign {
namespace {

std::int32_t narrowed(std::int64_t number) {
  return number > 0 && number <= std::numeric_limits<std::int32_t>::max() ? static_cast<std::int32_t>(number)
                                                                          : 0;
}

}  // namespace

ParaverMessage::ParaverMessage(const ParaverCommunication& all)
    : sent(all[5]),
      posted(all[11]),
      received(all[12]),
      bytes(all[13]),
      tag(all[14]),
      sender(narrowed(all[3])),
      sender_thread(narrowed(all[4])),
      receiver(narrowed(all[9])),
      receiver_thread(narrowed(all[10])) {}

void ParaverQueue::sort(const ParaverMessages& all, std::int64_t ParaverMessage::*time) {
  all_ = &all;
  time_ = time;
  const auto at = [&](std::uint32_t message) { return all[message].*time; };
  if (!std::ranges::is_sorted(messages_, {}, at)) std::ranges::stable_sort(messages_, {}, at);
}

std::span<const std::uint32_t> ParaverQueue::take(std::int64_t from, std::int64_t to, std::size_t most) {
  const auto time = [&] { return (*all_)[messages_[next_]].*time_; };
  if (most == 0) return {};
  for (; next_ < messages_.size() && time() < from && time() <= to; ++next_) ++passed_;
  const std::size_t first = next_;
  while (next_ < messages_.size() && next_ - first < most && time() <= to) ++next_;
  return std::span(messages_).subspan(first, next_ - first);
}

ParaverThreads threads_of(const ParaverMessages& all, std::int64_t tasks) {
  ParaverThreads threads;
  if (all.size() > std::numeric_limits<std::uint32_t>::max())
    throw Damaged("more messages than stretto reads");
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const ParaverMessage& one = all[i];
    const auto [first, last] = std::minmax(one.sender, one.receiver);
    if (first < 1 || last > tasks) throw Damaged(fmt::format("a message of a task beyond {}", tasks));
    threads[{one.sender, one.sender_thread}].sent.add(i);
    ParaverQueues& receiver = threads[{one.receiver, one.receiver_thread}];
    receiver.posted.add(i);
    receiver.received.add(i);
  }
  for (auto& [thread, of] : threads) {
    of.sent.sort(all, &ParaverMessage::sent);
    of.posted.sort(all, &ParaverMessage::posted);
    of.received.sort(all, &ParaverMessage::received);
  }
  return threads;
}

std::size_t count_overtaking(const ParaverMessages& all) {
  const auto channel = [](const ParaverMessage& one) { return std::tie(one.sender, one.receiver, one.tag); };
  std::vector<std::uint32_t> order(all.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t i) {
    return std::tuple_cat(channel(all[i]), std::tuple(all[i].sent, i));
  });
  std::size_t count = 0;
  for (std::size_t i = 1; i < order.size(); ++i) {
    const ParaverMessage& before = all[order[i - 1]];
    const ParaverMessage& one = all[order[i]];
    if (channel(before) == channel(one) && one.posted < before.posted) ++count;
  }
  return count;
}

}  // namespace stretto::foreign
