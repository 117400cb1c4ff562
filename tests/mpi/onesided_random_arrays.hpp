// SPDX-License-Identifier: BSD-3-Clause
// Random operations on distributed arrays, over the borders between ranks. What an origin puts, only it puts
// and gets: each get is compared with what it has put so far. To sums, all origins add whole numbers.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <random>
#include <span>
#include <stretto/array.hpp>
#include <stretto/runtime.hpp>
#include <vector>

namespace stretto::testing::random_traffic {

class RandomArrays {
 public:
  /// Collective, while no operation is outstanding.
  explicit RandomArrays(Runtime& runtime)
      : first_(own_elements * static_cast<std::size_t>(runtime.rank()) + own_elements * 3 / 4),
        values_(runtime, own_elements * static_cast<std::size_t>(runtime.size()) + own_elements),
        sums_(runtime, sum_elements * static_cast<std::size_t>(runtime.size()) + 1),
        expected_(own_elements, 0) {}

  void one(std::mt19937& random) {
    switch (random() % 5) {
      case 0:
        return put(random);
      case 1:
        return get(random);
      case 2:
        return accumulate(random);
      case 3: {
        const std::size_t at = random() % own_elements;
        expected_[at] = random();
        if (random() % 2 == 0) return values_.put(first_ + at, expected_[at]);
        return values_.pointer(first_ + at).put(expected_[at]);
      }
      default: {
        const std::size_t at = random() % own_elements;
        const bool by_index = random() % 2 == 0;
        const std::uint64_t got = by_index ? values_.get(first_ + at) : values_.pointer(first_ + at).get();
        wrong_gets_ += got == expected_[at] ? 0 : 1;
      }
    }
  }

  /// Gets that did not return what this rank had put.
  [[nodiscard]] std::uint64_t wrong_gets() const { return wrong_gets_; }
  /// What is in this rank's memory. After a barrier.
  [[nodiscard]] std::vector<std::uint64_t> memory() const {
    std::vector<std::uint64_t> all(values_.local().begin(), values_.local().end());
    for (const double sum : sums_.local()) all.push_back(std::bit_cast<std::uint64_t>(sum));
    return all;
  }

 private:
  static constexpr std::size_t own_elements = 500;  // several segments of the smaller settings
  static constexpr std::size_t sum_elements = 300;

  struct Range {
    std::size_t first;
    std::size_t count;
  };
  static Range range(std::mt19937& random, std::size_t size) {
    const std::size_t first = random() % size;
    const std::size_t longest = random() % 4 == 0 ? size : std::min<std::size_t>(size, 20);
    return {first, random() % (std::min(longest, size - first) + 1)};
  }

  void put(std::mt19937& random) {
    const Range chosen = range(random, own_elements);
    const auto values = std::span(expected_).subspan(chosen.first, chosen.count);
    for (std::uint64_t& value : values) value = random();
    values_.put(first_ + chosen.first, std::span<const std::uint64_t>(values));
  }

  void get(std::mt19937& random) {
    const Range chosen = range(random, own_elements);
    std::vector<std::uint64_t> got(chosen.count);
    values_.get(first_ + chosen.first, std::span(got));
    const auto expected = std::span(expected_).subspan(chosen.first, chosen.count);
    wrong_gets_ += std::equal(got.begin(), got.end(), expected.begin()) ? 0 : 1;
  }

  void accumulate(std::mt19937& random) {
    const Range chosen = range(random, sums_.size());
    std::vector<double> terms(chosen.count);
    for (double& term : terms) term = static_cast<double>(random() % 100);
    sums_.accumulate(chosen.first, std::span<const double>(terms), 2.0);
  }

  std::size_t first_;  // of this rank's own elements, which lie in the blocks of two ranks at some origins
  Array<std::uint64_t> values_;
  Array<double> sums_;
  std::vector<std::uint64_t> expected_;
  std::uint64_t wrong_gets_ = 0;
};

}  // namespace stretto::testing::random_traffic
