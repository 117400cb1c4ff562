// SPDX-License-Identifier: BSD-3-Clause
// Which bytes of this process's part of a region are given out one by one: a list of what is in use, first
// fit. Knows no memory, only offsets.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>

namespace stretto::armci {

class Heap {
 public:
  explicit Heap(std::size_t size_bytes) : size_bytes_(size_bytes) {}

  /// The offset of so many bytes, a multiple of 64, of which no other has any; none where they do not fit.
  [[nodiscard]] std::optional<std::size_t> take(std::size_t size_bytes);
  /// False where nothing in use begins there.
  [[nodiscard]] bool give_back(std::size_t offset);

 private:
  std::size_t size_bytes_;
  std::mutex mutex_;
  std::map<std::size_t, std::size_t> used_;  // ends by their beginnings
};

}  // namespace stretto::armci
