// SPDX-License-Identifier: BSD-3-Clause
// Reads the records of a packed block, in pieces. Its input may be damaged.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "record/record_history.hpp"

namespace stretto::record {

class RecordUnpacker {
 public:
  struct Unpacked {
    std::size_t bytes = 0;        ///< that were read
    const char* wrong = nullptr;  ///< what cannot be read behind them; null: nothing
  };

  void begin_block() {
    history_.reserve();
    history_.clear();
  }
  /// Appends records to `records` until it has `most`, or too few bytes are left for another. A definition is
  /// appended with its payload as in version 1. `whole`: no bytes follow, so that all must be read.
  [[nodiscard]] Unpacked unpack(std::span<const std::byte> packed, bool whole, std::size_t most,
                                std::vector<Record>& records);

 private:
  RecordHistory history_;
};

}  // namespace stretto::record
