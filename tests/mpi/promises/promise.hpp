// SPDX-License-Identifier: BSD-3-Clause
// A promise of docs/runtime.md as a test: what the origin does until the promise holds, and what the target
// does at the same time. onesided_promises_test.cpp runs it in every world.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <mutex>
#include <stretto/region.hpp>
#include <stretto/remote_function.hpp>
#include <stretto/runtime.hpp>
#include <string>
#include <vector>

#include "memory_view.hpp"

namespace stretto::testing::promises {

/// The data of one thread in every rank's part, and the words behind it.
struct Slot {
  static constexpr std::size_t max_data = std::size_t{4} << 20;
  static constexpr std::size_t words = 16;
  static constexpr std::size_t size = max_data + words * sizeof(std::uint64_t);

  std::size_t begin = 0;
  [[nodiscard]] std::size_t word(std::size_t index) const {
    return begin + max_data + index * sizeof(std::uint64_t);
  }
};

/// What the remote function of the tests does at its target: it stores `value`, or the word at `from`.
struct CallPayload {
  static constexpr std::uint64_t no_place = ~std::uint64_t{0};

  std::uint64_t to = 0;
  std::uint64_t value = 0;
  std::uint64_t from = no_place;
};

/// What several threads have found to be wrong.
class Findings {
 public:
  void add(const std::string& text) {
    const std::lock_guard lock(mutex_);
    texts_.push_back(text);
  }
  [[nodiscard]] std::vector<std::string> take() {
    const std::lock_guard lock(mutex_);
    return std::move(texts_);
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> texts_;
};

/// One try of a promise by one thread of a rank.
struct Try {
  Runtime& runtime;
  Region& region;
  const MemoryView& view;
  Findings& findings;
  RemoteFunction* function = nullptr;  // carries out a CallPayload
  int peer = 0;                        // the origin's: the target it looks at; the target's: the origin
  Slot slot;                           // of this thread
  std::size_t size = 8;
  std::uint64_t threads = 1;
  unsigned turn = 0;  // counts the tries, the same on both sides: chooses the way, and the data

  void expect(bool holds, const std::string& what) const {
    if (!holds) findings.add(what);
  }

  /// The bytes of this try, and another choice of them.
  [[nodiscard]] std::vector<std::byte> data(unsigned more = 0) const {
    std::vector<std::byte> bytes(size);
    std::uint64_t x = (std::uint64_t{turn} * 64 + more + 1) * 0x9E3779B97F4A7C15U + slot.begin;
    for (std::size_t i = 0; i < size; i += sizeof x) {
      x = x * 6364136223846793005U + 1442695040888963407U;
      std::memcpy(&bytes[i], &x, sizeof x);
    }
    return bytes;
  }
  [[nodiscard]] Place place() const { return {.target = peer, .offset = slot.begin}; }
  [[nodiscard]] std::uint64_t stamp() const { return std::uint64_t{turn} + 1; }
  /// The flag of this try: word 0.
  [[nodiscard]] Flag flag() const { return {.offset = slot.word(0), .value = stamp(), .add = false}; }

  /// What is in the target's memory now.
  void expect_data(const std::vector<std::byte>& expected, const char* what = "the data") const {
    expect(view.read(peer, slot.begin, expected.size()) == expected,
           std::string(what) + " is not in the target's memory");
  }
  void expect_word(std::size_t index, std::uint64_t expected, const char* what) const {
    const std::uint64_t found = view.word(peer, slot.word(index));
    expect(found == expected, std::string(what) + " is " + std::to_string(found) +
                                  " in the target's memory, and not " + std::to_string(expected));
  }
  /// What is in this rank's own memory now.
  void expect_here(const std::vector<std::byte>& expected) const {
    expect(std::memcmp(region.local().data() + slot.begin, expected.data(), expected.size()) == 0,
           "the data is not in this rank's memory");
  }
};

/// What a promise needs.
struct Needs {
  bool word = false;        // it is about words, whatever the size
  bool one_caller = false;  // one thread of a rank calls at a time: the others put and fence
  bool calls = false;       // a remote function
};

struct Promise {
  const char* id;
  std::function<void(Try&)> origin;
  /// nullptr: the target calls nothing, or waits in the runtime where the path needs that.
  std::function<void(Try&)> target = nullptr;
  Needs needs{};
  /// Called at the origin by one thread when all have made their try.
  std::function<void(Try&)> finish = nullptr;
  /// The part that ranks have in a collective call which are neither origin nor target.
  std::function<void(Runtime&)> others = nullptr;
};

[[nodiscard]] std::vector<Promise> completion_promises();
[[nodiscard]] std::vector<Promise> order_promises();
[[nodiscard]] std::vector<Promise> visibility_promises();

}  // namespace stretto::testing::promises
