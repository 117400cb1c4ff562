// SPDX-License-Identifier: BSD-3-Clause
#include "replay/open_channels.hpp"

#include <utility>

namespace stretto::replay {

std::uint32_t OpenChannels::add_end(const Key& key) {
  std::size_t place = place_of(key);
  if (slots_[place] == none) {
    if (2 * (count_ + 1) > slots_.size()) {
      grow();
      place = place_of(key);
    }
    ++count_;
    if (free_.empty()) {
      free_.push_back(numbers());
      channels_.emplace_back();
    }
    slots_[place] = free_.back();
    free_.pop_back();
    channels_[slots_[place]] = {.key = key};
  }
  ++channels_[slots_[place]].unmatched;
  return slots_[place];
}

bool OpenChannels::match(std::uint32_t channel) {
  Channel& of = channels_[channel];
  of.unmatched -= 2;
  if (of.unmatched > 0) return false;
  remove(place_of(of.key));
  free_.push_back(channel);
  --count_;
  return true;
}

std::size_t OpenChannels::first_of(const Key& key) const {
  constexpr std::uint64_t odd = 0x9E3779B97F4A7C15U;
  const std::uint64_t ranks = std::uint64_t{key.receiver} << 32U | key.source;
  const std::uint64_t mixed = (ranks * odd ^ ranks >> 29U ^ key.tag) * odd;
  return (mixed ^ mixed >> 32U) & mask();
}

std::size_t OpenChannels::place_of(const Key& key) const {
  std::size_t at = first_of(key);
  while (slots_[at] != none && channels_[slots_[at]].key != key) at = (at + 1) & mask();
  return at;
}

void OpenChannels::grow() {
  const std::vector<std::uint32_t> before =
      std::exchange(slots_, std::vector<std::uint32_t>(2 * slots_.size(), none));
  for (const std::uint32_t channel : before) {
    if (channel != none) slots_[place_of(channels_[channel].key)] = channel;
  }
}

/// Channels behind the hole move up, unless that is before the place where a search for them begins.
void OpenChannels::remove(std::size_t hole) {
  slots_[hole] = none;
  for (std::size_t at = (hole + 1) & mask(); slots_[at] != none; at = (at + 1) & mask()) {
    const std::size_t first = first_of(channels_[slots_[at]].key);
    if (((at - first) & mask()) < ((at - hole) & mask())) continue;
    slots_[hole] = std::exchange(slots_[at], none);
    hole = at;
  }
}

}  // namespace stretto::replay
