// SPDX-License-Identifier: BSD-3-Clause
// Random damage to files, for the tests of their readers.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace stretto::testing {

/// The number of inputs: STRETTO_FUZZ_INPUTS, or `usual`.
inline int fuzz_inputs(int usual) {
  const char* const requested = std::getenv("STRETTO_FUZZ_INPUTS");
  return requested != nullptr ? std::atoi(requested) : usual;
}

class Mutator {
 public:
  /// `pieces`: texts to insert into a file, such as words of its language.
  explicit Mutator(std::vector<std::string> pieces) : pieces_(std::move(pieces)) {}

  std::string mutate(std::string bytes) {
    for (std::uint32_t i = 1 + random_() % 4; i > 0; --i) mutate_once(bytes);
    return bytes;
  }
  std::size_t below(std::size_t end) { return end == 0 ? 0 : random_() % end; }

 private:
  void mutate_once(std::string& bytes) {
    const std::size_t at = below(bytes.size());
    switch (random_() % 7) {
      case 0:
        bytes.resize(at);
        break;
      case 1:
        if (!bytes.empty()) bytes[at] = static_cast<char>(bytes[at] ^ (1U << random_() % 8));
        break;
      case 2:
        bytes.insert(at, pieces_[below(pieces_.size())]);
        break;
      case 3:
        bytes.erase(at, 1 + below(12));
        break;
      case 4:
        bytes.insert(at, bytes.substr(below(bytes.size()), 1 + below(40)));
        break;
      case 5:
        if (!bytes.empty()) bytes[at] = static_cast<char>(random_());
        break;
      default:
        for (std::size_t i = at; i < std::min(at + 4, bytes.size()); ++i) bytes[i] = static_cast<char>(0xFF);
        break;
    }
  }

  std::vector<std::string> pieces_;
  std::mt19937 random_{20260101};
};

}  // namespace stretto::testing
