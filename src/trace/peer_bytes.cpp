// SPDX-License-Identifier: BSD-3-Clause
#include "trace/peer_bytes.hpp"

#include <algorithm>
#include <limits>

#include "record/trace_format.hpp"
#include "trace/stream.hpp"

namespace stretto::trace {
namespace {

constexpr std::size_t max_known = 1024;

bool are_equal(const std::vector<std::uint64_t>& some, std::uint64_t value) {
  return std::ranges::all_of(some, [value](std::uint64_t one) { return one == value; });
}

void add(std::vector<record::PeerBytes>& all, const std::vector<std::uint64_t>& side) {
  for (std::size_t peer = 0; peer < side.size(); ++peer) {
    if (side[peer] > 0) all.push_back({.peer = peer, .bytes = side[peer]});
  }
}

}  // namespace

std::int32_t PeerBytes::number_of(const std::vector<std::uint64_t>& sent,
                                  const std::vector<std::uint64_t>& received, Stream& stream) {
  if (sent.empty() && received.empty()) return 0;
  const std::uint64_t first = sent.empty() ? received.front() : sent.front();
  if (are_equal(sent, first) && are_equal(received, first)) return 0;
  const std::scoped_lock lock(mutex_);
  const auto found = known_.find({sent, received});
  std::int32_t number = found != known_.end() ? found->second : 0;
  if (number != 0 && !stream.lacks(record::peer_bytes, static_cast<std::uint32_t>(number))) return number;
  if (number == 0) {
    if (last_number_ == std::numeric_limits<std::int32_t>::max()) return 0;
    if (known_.size() == max_known) known_.clear();
    number = known_[{sent, received}] = ++last_number_;
  }
  std::vector<record::PeerBytes> all;
  add(all, sent);
  record::Record record = record::definition_of(record::peer_bytes, number);
  record.count = static_cast<std::uint32_t>(all.size());
  add(all, received);
  stream.append(record, all.data(), all.size() * sizeof all[0]);
  return number;
}

}  // namespace stretto::trace
