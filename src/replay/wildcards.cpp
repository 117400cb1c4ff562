// SPDX-License-Identifier: BSD-3-Clause
#include "replay/wildcards.hpp"

#include <array>

namespace stretto::replay {
namespace {

std::uint64_t key(std::uint32_t source, std::uint32_t tag) {
  return (static_cast<std::uint64_t>(source) << 32U) | tag;
}

/// The keys of all receives that match a message.
std::array<std::uint64_t, 4> keys(std::uint32_t source, std::uint32_t tag) {
  return {key(source, tag), key(any, tag), key(source, any), key(any, any)};
}

}  // namespace

OperationId WildcardMatcher::arrive(OperationId message, std::uint32_t source, std::uint32_t tag) {
  std::deque<Entry>* oldest = nullptr;
  for (const std::uint64_t one : keys(source, tag)) {
    const auto found = posted_.find(one);
    if (found == posted_.end() || found->second.empty()) continue;
    if (oldest == nullptr || found->second.front().age < oldest->front().age) oldest = &found->second;
  }
  if (oldest != nullptr) {
    const OperationId receive = oldest->front().operation;
    oldest->pop_front();
    return receive;
  }
  const auto age = static_cast<std::uint32_t>(taken_.size());
  taken_.push_back(false);
  for (const std::uint64_t one : keys(source, tag)) messages_[one].push_back({age, message});
  return no_operation;
}

OperationId WildcardMatcher::post(OperationId receive, std::uint32_t source, std::uint32_t tag) {
  const auto found = messages_.find(key(source, tag));
  if (found != messages_.end()) {
    std::deque<Entry>& queue = found->second;
    while (!queue.empty() && taken_[queue.front().age]) queue.pop_front();
    if (!queue.empty()) {
      const Entry entry = queue.front();
      queue.pop_front();
      taken_[entry.age] = true;
      return entry.operation;
    }
  }
  posted_[key(source, tag)].push_back({posts_++, receive});
  return no_operation;
}

}  // namespace stretto::replay
