// SPDX-License-Identifier: BSD-3-Clause
// Numbers of the channels with messages that are not matched yet. A number is used again: collective
// operations have tags of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stretto::replay {

/// A hash table in one piece of memory.
class OpenChannels {
 public:
  struct Key {
    std::uint32_t receiver = 0;
    std::uint32_t source = 0;
    std::uint32_t tag = 0;
    bool operator==(const Key&) const = default;
  };

  OpenChannels() : slots_(min_slots, none) {}

  /// The number of a channel to which an end of a message is added.
  std::uint32_t add_end(const Key& key);
  /// Both ends of a message of this channel have met; true: it has no others, and its number is free.
  bool match(std::uint32_t channel);
  /// One more than the largest number so far.
  [[nodiscard]] std::uint32_t numbers() const { return static_cast<std::uint32_t>(channels_.size()); }

 private:
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  static constexpr std::size_t min_slots = 1024;
  struct Channel {
    Key key;
    std::uint32_t unmatched = 0;  // ends
  };

  [[nodiscard]] std::size_t mask() const { return slots_.size() - 1; }
  [[nodiscard]] std::size_t first_of(const Key& key) const;
  /// The slot of a key, or the empty one in which it would be.
  [[nodiscard]] std::size_t place_of(const Key& key) const;
  void grow();
  void remove(std::size_t hole);

  std::vector<std::uint32_t> slots_;  // numbers of channels; as many as a power of 2, half of them empty
  std::vector<Channel> channels_;
  std::vector<std::uint32_t> free_;
  std::size_t count_ = 0;
};

}  // namespace stretto::replay
