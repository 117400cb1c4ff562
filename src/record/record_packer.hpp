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
    block_ += history_.count() + RecordHistory::window;  // no position of an earlier block is near enough
    history_.clear();
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
  /// Of records that are as expected only some are noted: noting takes as long as packing. Periods mostly do
  /// not divide by 7, so that all records of a step are noted some time.
  static constexpr std::uint32_t noted_every = 7;
  using Places = std::array<std::uint32_t, places>;

  /// Where a record last stood, as a distance; 0: it is not known, or too far.
  [[nodiscard]] std::uint32_t distance_to(std::uint32_t position) const {
    const std::uint32_t distance = block_ + history_.count() - position;
    return history_.reaches(distance) ? distance : 0;
  }
  /// Writes a record that is not as expected, or is noted.
  [[gnu::noinline]] std::byte* pack_other(const Record& record, bool alike, std::byte* at);
  /// Notes where the record stands, and chooses what to state it against, unless what is expected is alike.
  /// Returns whether only times and request differ.
  bool note(const Record& record, bool alike);
  bool find(const Record& record, std::size_t whole, std::size_t call);

  RecordHistory history_;
  Places whole_{};           // position of records, by what they and the one before them are
  Places calls_{};           // by call, site and peer
  std::uint32_t block_ = 0;  // position of the block's first record
  std::uint32_t until_noted_ = noted_every;
};

}  // namespace stretto::record
