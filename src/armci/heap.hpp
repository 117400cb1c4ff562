// SPDX-License-Identifier: BSD-3-Clause
// Allocates bytes of this process's part of a region: a list of the blocks in use, first fit. It knows
// offsets, and no memory.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>

namespace stretto::armci {

class Heap {
 public:
  explicit Heap(std::size_t size_bytes) : size_bytes_(size_bytes) {}

  /// The offset of a new block, a multiple of 64; nullopt where it does not fit.
  [[nodiscard]] std::optional<std::size_t> take(std::size_t size_bytes);
  /// Frees the block at `offset`; false where none begins there.
  [[nodiscard]] bool release(std::size_t offset);

 private:
  std::size_t size_bytes_;
  std::mutex mutex_;
  std::map<std::size_t, std::size_t> used_;  // ends by their beginnings
};

}  // namespace stretto::armci
