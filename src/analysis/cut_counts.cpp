// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/cut_counts.hpp"

#include <algorithm>

namespace stretto::analysis {

void CutCounts::add(const Channel& channel, const LastTimes& times) {
  Ends& ends = channels_[channel.key];
  ends.sends += channel.sends();
  ends.receives += channel.receives();
  if (channel.sends() > 0) ends.times.sent_s = times.sent_s;
  if (channel.receives() > 0) ends.times.received_s = times.received_s;
}

std::optional<Channel::Key> CutCounts::unreceived() const {
  for (const auto& [key, ends] : channels_) {
    const auto& [sent_s, received_s] = ends.times;
    for (std::size_t i = 0; i < std::min(sent_s.size(), received_s.size()); ++i) {
      if (received_s[i] < sent_s[i]) return key;
    }
  }
  return {};
}

void CutCounts::join(std::size_t rank, const Sequence& sequence, std::size_t members) {
  ++joined_[rank][sequence];
  sequences_[sequence].members = members;
}

void CutCounts::open(const EpochPair& pair, bool exposes) {
  Openings& of = epochs_[pair];
  ++(exposes ? of.exposing : of.accessing);
}

void CutCounts::finish() {
  for (const auto& of_rank : joined_) {
    for (const auto& [sequence, count] : of_rank) {
      Joined& all = sequences_[sequence];
      all.fewest = all.ranks++ == 0 ? count : std::min(all.fewest, count);
    }
  }
}

std::uint64_t CutCounts::lone(const Channel::Key& channel, bool sends) const {
  const auto found = channels_.find(channel);
  if (found == channels_.end()) return 0;
  const Ends& ends = found->second;
  return (sends ? ends.sends : ends.receives) - std::min(ends.sends, ends.receives);
}

std::uint64_t CutCounts::lone(std::size_t rank, const Sequence& sequence) const {
  const auto own = joined_[rank].find(sequence);
  const auto all = sequences_.find(sequence);
  if (own == joined_[rank].end() || all == sequences_.end()) return 0;
  const bool all_join = all->second.ranks >= all->second.members;
  return own->second - (all_join ? all->second.fewest : 0);
}

std::uint64_t CutCounts::lone(const EpochPair& pair, bool exposes) const {
  const auto found = epochs_.find(pair);
  if (found == epochs_.end()) return 0;
  const auto [exposing, accessing] = found->second;
  return (exposes ? exposing : accessing) - std::min(exposing, accessing);
}

}  // namespace stretto::analysis
