// SPDX-License-Identifier: BSD-3-Clause
// Random operations besides those on the one region of a RandomRun: active messages, puts into memory of the
// program, and flags that are set. Each leaves memory that does not depend on the order between ranks.
#pragma once

#include <array>
#include <atomic>
#include <cstring>
#include <random>
#include <stretto/region.hpp>
#include <stretto/remote_function.hpp>
#include <stretto/runtime.hpp>
#include <stretto/signal.hpp>
#include <stretto/transfer.hpp>
#include <vector>

namespace stretto::testing::random_traffic {

class RandomMessages {
 public:
  /// Collective, while no operation is outstanding.
  explicit RandomMessages(Runtime& runtime)
      : own_(static_cast<std::size_t>(runtime.size()) * words_of_origin + called_words, 0),
        region_(runtime, std::as_writable_bytes(std::span(own_))),
        function_(runtime,
                  [this](int source, std::span<const std::byte> payload) { called(source, payload); }),
        sent_(static_cast<std::size_t>(runtime.size()), 0) {}

  void call(int target, std::mt19937& random) {
    std::array<std::uint64_t, 8> payload{};
    const std::size_t words = 1 + random() % payload.size();
    for (std::size_t i = 0; i < words; ++i) payload[i] = random();
    function_.call(target, std::span(payload).first(words));
  }
  /// Blocking puts of one origin to one place take effect in their order.
  void put_into_own(int target, std::mt19937& random) {
    std::array<std::uint64_t, data_words> data{};
    for (std::uint64_t& word : data) word = random();
    put(region_, {.target = target, .offset = place() + 8}, data);
  }
  void set_flag(int target) {
    const std::uint64_t value = ++sent_[static_cast<std::size_t>(target)];
    raise_signal(region_, target, {.offset = place(), .value = value, .add = false});
  }

  /// What is in the memory. After a barrier.
  [[nodiscard]] const std::vector<std::uint64_t>& memory() const { return own_; }

 private:
  static constexpr std::size_t data_words = 300;  // several segments of the smaller settings
  static constexpr std::size_t words_of_origin = 1 + data_words;
  static constexpr std::size_t called_words = 3;

  [[nodiscard]] std::size_t place() const {
    return 8 * words_of_origin * static_cast<std::size_t>(region_.rank());
  }

  /// Sums do not depend on the order of the sources, and one handler runs at a time.
  void called(int source, std::span<const std::byte> payload) {
    std::uint64_t* const words = &own_[own_.size() - called_words];
    words[0] += 1;
    words[1] += static_cast<std::uint64_t>(source) * payload.size();
    for (std::size_t i = 0; i + 8 <= payload.size(); i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, &payload[i], sizeof word);
      words[2] ^= word * (i + 1);
    }
  }

  std::vector<std::uint64_t> own_;
  Region region_;
  RemoteFunction function_;
  std::vector<std::uint64_t> sent_;
};

}  // namespace stretto::testing::random_traffic
