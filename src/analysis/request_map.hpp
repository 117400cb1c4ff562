// SPDX-License-Identifier: BSD-3-Clause
// What is known of requests in progress, by number: a hash table in one piece of memory, because requests
// come and go with each message. Values move when others are added or taken out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace stretto::analysis {

template <typename T>
class RequestMap {
 public:
  /// The value of a request; null: it has none.
  [[nodiscard]] T* find(std::uint32_t request) {
    if (count_ == 0) return nullptr;
    Slot& slot = slots_[place_of(request)];
    return slot.value ? &*slot.value : nullptr;
  }

  /// Sets the value of a request that has none.
  void add(std::uint32_t request, T value) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    slots_[place_of(request)] = {request, std::move(value)};
    ++count_;
  }

  /// Takes the value of a request out; empty: it has none.
  std::optional<T> take(std::uint32_t request) {
    if (count_ == 0) return {};
    std::size_t hole = place_of(request);
    std::optional<T> taken = std::exchange(slots_[hole].value, {});
    if (!taken) return taken;
    --count_;
    // Values behind a hole move up, unless that is before the place where a search for them begins.
    for (std::size_t at = next(hole); slots_[at].value; at = next(at)) {
      const std::size_t first = first_of(slots_[at].request);
      if (((at - first) & mask()) < ((at - hole) & mask())) continue;
      slots_[hole] = {slots_[at].request, std::exchange(slots_[at].value, {})};
      hole = at;
    }
    return taken;
  }

  /// Passes every value to `use`.
  template <typename Use>
  void for_each(const Use& use) {
    for (Slot& slot : slots_) {
      if (slot.value) use(*slot.value);
    }
  }

 private:
  struct Slot {
    std::uint32_t request = 0;
    std::optional<T> value;
  };

  [[nodiscard]] std::size_t mask() const { return slots_.size() - 1; }
  [[nodiscard]] std::size_t next(std::size_t at) const { return (at + 1) & mask(); }
  [[nodiscard]] std::size_t first_of(std::uint32_t request) const {
    return (std::uint64_t{request} * 0x9E3779B97F4A7C15U >> 32U) & mask();
  }
  /// The slot of a request, or the empty one in which it would be.
  [[nodiscard]] std::size_t place_of(std::uint32_t request) const {
    std::size_t at = first_of(request);
    while (slots_[at].value && slots_[at].request != request) at = next(at);
    return at;
  }
  void grow() {
    std::vector<Slot> before(slots_.empty() ? 8 : 2 * slots_.size());
    before.swap(slots_);
    for (Slot& slot : before) {
      if (slot.value) slots_[place_of(slot.request)] = std::move(slot);
    }
  }

  std::vector<Slot> slots_;  // as many as a power of 2, at least half of them empty
  std::size_t count_ = 0;
};

}  // namespace stretto::analysis
