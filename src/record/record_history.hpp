// SPDX-License-Identifier: BSD-3-Clause
// What the writer and the reader of a packed block both know: its last records, and which of them the next
// one is stated against. Programs repeat their steps, so a record mostly equals the one a period before.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "record/trace_format.hpp"

namespace stretto::record {

/// How a packed record is laid out: a byte of lengths, then what its flags say (docs/formats.md).
namespace packed {
inline constexpr std::uint8_t has_fields = 0x40;    ///< a byte of fields that differ follows
inline constexpr std::uint8_t has_distance = 0x80;  ///< another distance follows
inline constexpr unsigned same_time = 7;            ///< a length: the value is that of the record before
inline constexpr unsigned length_bits = 3;
inline constexpr unsigned length_mask = 7;
enum Field : std::uint8_t {
  bytes = 0x01,
  context = 0x02,
  peer = 0x04,
  tag = 0x08,
  request = 0x10,
  count = 0x20,
  extra = 0x40,
  call_and_site = 0x80
};
/// A record takes fewer bytes, unless it is written as it is.
inline constexpr std::size_t max_record_bytes = 80;
}  // namespace packed

class RecordHistory {
 public:
  /// The largest distance. Steps of more records are stated less well.
  static constexpr std::uint32_t window = 1024;

  /// A block begins: nothing before it is known.
  void clear() {
    count_ = 0;
    distance_ = 1;
    shift_ = 0;
    if (!records_.empty()) records_[window - 1] = {};
  }
  /// Takes the memory now that `take` would take.
  void reserve() { records_.resize(window); }

  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] std::uint32_t distance() const { return distance_; }
  void set_distance(std::uint32_t distance) { distance_ = distance; }
  /// Whether there is a record so far back; with none at all, the distance is 1.
  [[nodiscard]] bool reaches(std::uint64_t distance) const {
    return distance >= 1 && distance <= std::min(std::max(count_, 1U), window);
  }
  /// The record `back` before the next one; before the first one, a record of zeros.
  [[nodiscard]] const Record& before(std::uint32_t back) const { return records_[(count_ - back) % window]; }
  /// The record that the next one is stated against.
  [[nodiscard]] const Record& expected() const { return before(distance_); }
  /// Numbers of requests ascend from period to period by the same number.
  [[nodiscard]] std::uint32_t expected_request() const {
    const std::uint32_t request = expected().request;
    return request == 0 ? 0 : request + shift_;
  }
  void take(const Record& record) {
    const std::uint32_t request = expected().request;
    if (request != 0 && record.request != 0) shift_ = record.request - request;
    records_[count_ % window] = record;
    ++count_;
  }

 private:
  std::vector<Record> records_;  // of `window`, or none
  std::uint32_t count_ = 0;
  std::uint32_t distance_ = 1;
  std::uint32_t shift_ = 0;
};

}  // namespace stretto::record
