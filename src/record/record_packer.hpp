// SPDX-License-Identifier: BSD-3-Clause
// Writes records into a packed block, each as its difference from an earlier one. Allocates only when made.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "record/record_history.hpp"

namespace stretto::record {

class RecordPacker {
 public:
  RecordPacker() {
    history_.reserve();
    begin_block();
  }
  void begin_block() {
    history_.clear();
    block_ += RecordHistory::window;  // no position of an earlier block is near enough
    block_ += packed_;
    packed_ = 0;
  }
  /// Writes the record at `at`, where `packed::max_record_bytes` are free. Returns where it ends.
  [[nodiscard]] std::byte* pack(const Record& record, std::byte* at);
  /// Writes a definition with its payload, which are not stated against others. Returns where they end.
  [[nodiscard]] static std::byte* pack_definition(const Record& definition, const void* payload,
                                                  std::byte* at);
  /// The most bytes that `pack_definition` writes.
  [[nodiscard]] static std::size_t max_definition_bytes(std::size_t payload) {
    return 2 + (sizeof(std::uint64_t) + 1) * ((sizeof(Record) + payload) / sizeof(std::uint64_t) + 1);
  }

 private:
  static constexpr std::size_t places = 512;
  using Places = std::array<std::uint32_t, places>;

  /// Where a record last stood, as a distance; 0: it is not known, or too far.
  [[nodiscard]] std::uint32_t distance_to(std::uint32_t position) const {
    const std::uint32_t distance = block_ + packed_ - position;
    return history_.reaches(distance) ? distance : 0;
  }
  /// Chooses what to state the record against. Returns whether only times and request differ.
  bool find(const Record& record, std::size_t whole, std::size_t call);

  RecordHistory history_;
  Places whole_{};            // position by what the records here and before it are
  Places calls_{};            // by call, site and peer
  std::uint64_t last_ = 0;    // a number for the record before
  std::uint32_t block_ = 0;   // position of the block's first record
  std::uint32_t packed_ = 0;  // records of the block
};

}  // namespace stretto::record
