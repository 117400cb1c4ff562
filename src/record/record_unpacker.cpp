// SPDX-License-Identifier: BSD-3-Clause
#include "record/record_unpacker.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace stretto::record {
namespace {

/// More than a damaged record can take.
constexpr std::size_t max_read_bytes = 128;

/// Reads numbers from memory that is longer than any record.
class Numbers {
 public:
  explicit Numbers(const std::byte* at) : at_(at) {}
  [[nodiscard]] const std::byte* at() const { return at_; }

  std::uint8_t byte() { return static_cast<std::uint8_t>(*at_++); }
  std::uint64_t fixed(unsigned length) {
    std::uint64_t value = 0;
    std::memcpy(&value, at_, sizeof value);
    at_ += length;
    return length == 0 ? 0 : value & (~std::uint64_t{0} >> (64 - 8 * length));
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t part = byte();
      value |= std::uint64_t{part & 0x7FU} << shift;
      if (part < 0x80) break;
    }
    return value;
  }
  std::uint64_t difference() {
    const std::uint64_t folded = number();
    return (folded >> 1U) ^ (0 - (folded & 1U));
  }

 private:
  const std::byte* at_;
};

void read_fields(Numbers& numbers, unsigned fields, Record& record) {
  std::uint64_t bytes = low_field(record.bytes_and_context);
  std::uint64_t context = high_field(record.bytes_and_context);
  if ((fields & packed::bytes) != 0) bytes += numbers.difference();
  if ((fields & packed::context) != 0) context += numbers.difference();
  record.bytes_and_context = (bytes & field_mask) | context << field_bits;
  if ((fields & packed::peer) != 0)
    record.peer = static_cast<std::int32_t>(static_cast<std::uint64_t>(record.peer) + numbers.difference());
  if ((fields & packed::tag) != 0)
    record.tag = static_cast<std::int32_t>(static_cast<std::uint64_t>(record.tag) + numbers.difference());
  if ((fields & packed::request) != 0) record.request += static_cast<std::uint32_t>(numbers.difference());
  if ((fields & packed::count) != 0) record.count += static_cast<std::uint32_t>(numbers.difference());
  if ((fields & packed::extra) != 0) record.extra += numbers.difference();
  if ((fields & packed::call_and_site) != 0) {
    const std::uint64_t both = numbers.fixed(4);
    record.begin_and_call = (both >> 16U) << field_bits;
    record.duration_and_site = (both & 0xFFFFU) << field_bits;
  }
}

/// Reads the rest of a record that is stated against `history.expected()`.
Record read_record(Numbers& numbers, unsigned head, unsigned fields, const RecordHistory& history) {
  const unsigned gap_length = head & packed::length_mask;
  const unsigned length = head >> packed::length_bits & packed::length_mask;
  const Record& last = history.before(1);
  const std::uint64_t last_begin_ns = low_field(last.begin_and_call);
  const std::uint64_t last_duration_ns = low_field(last.duration_and_site);
  std::uint64_t begin_ns = last_begin_ns;
  if (gap_length != packed::same_time) begin_ns += last_duration_ns + numbers.fixed(gap_length);
  const std::uint64_t duration_ns = length == packed::same_time ? last_duration_ns : numbers.fixed(length);
  Record record = history.expected();
  record.request = history.expected_request();
  if (fields != 0) read_fields(numbers, fields, record);
  record.begin_and_call = (record.begin_and_call & ~field_mask) | (begin_ns & field_mask);
  record.duration_and_site = (record.duration_and_site & ~field_mask) | (duration_ns & field_mask);
  return record;
}

/// Reads words of which only the bytes that are not 0 are there. Returns how many bytes they take; 0: they
/// end behind `from`.
std::size_t read_words(std::span<const std::byte> from, void* to, std::size_t bytes) {
  auto* next = static_cast<std::byte*>(to);
  std::size_t at = 0;
  while (bytes > 0) {
    if (at == from.size()) return 0;
    const auto set = static_cast<unsigned>(from[at++]);
    if (static_cast<std::size_t>(std::popcount(set)) > from.size() - at) return 0;
    std::array<std::byte, sizeof(std::uint64_t)> word{};
    for (unsigned place = 0; place < word.size(); ++place) {
      if ((set >> place & 1U) != 0) word[place] = from[at++];
    }
    const std::size_t some = std::min(bytes, word.size());
    std::memcpy(next, word.data(), some);
    next += some;
    bytes -= some;
  }
  return at;
}

/// Appends a definition and its payload, padded to whole records. Returns their bytes; 0: too few are there.
std::size_t read_definition(std::span<const std::byte> from, std::vector<Record>& records) {
  Record definition;
  const std::size_t own = read_words(from, &definition, sizeof definition);
  const std::uint64_t payload = low_field(definition.bytes_and_context);
  // Eight bytes take one at least: a payload that cannot be there takes no memory.
  if (own == 0 || payload / sizeof(std::uint64_t) > from.size() - own) return 0;
  const std::size_t first = records.size() + 1;
  records.push_back(definition);
  records.resize(first + (payload + sizeof definition - 1) / sizeof definition);
  const std::size_t more = read_words(from.subspan(own), records.data() + first, payload);
  if (payload == 0 || more > 0) return own + more;
  records.resize(first - 1);
  return 0;
}

}  // namespace

RecordUnpacker::Unpacked RecordUnpacker::unpack(std::span<const std::byte> packed, bool whole,
                                                std::size_t most, std::vector<Record>& records) {
  Unpacked done;
  std::array<std::byte, 2 * max_read_bytes> end{};  // the last records, with zeros behind them
  while (records.size() < most && done.bytes < packed.size()) {
    const std::span<const std::byte> rest = packed.subspan(done.bytes);
    const bool near_end = rest.size() < max_read_bytes;
    if (near_end && !whole) break;
    const std::byte* begin = rest.data();
    if (near_end) {
      end = {};
      std::ranges::copy(rest, end.begin());
      begin = end.data();
    }
    Numbers numbers(begin);
    const unsigned head = numbers.byte();
    const bool has_fields = (head & packed::has_fields) != 0;
    const unsigned fields = has_fields ? numbers.byte() : 0;
    if ((head & packed::has_distance) != 0) {
      const std::uint64_t distance = numbers.number();
      if (distance == 0) {
        const auto before = static_cast<std::size_t>(numbers.at() - begin);
        const std::size_t copied = before > rest.size() ? 0 : read_definition(rest.subspan(before), records);
        if (copied == 0 && !whole) break;
        if (copied == 0) return {done.bytes, "a definition that is longer than its block"};
        done.bytes += before + copied;
        continue;
      }
      if (!history_.reaches(distance)) return {done.bytes, "a record that refers to one before its block"};
      history_.set_distance(static_cast<std::uint32_t>(distance));
    }
    const Record record = read_record(numbers, head, fields, history_);
    const auto bytes = static_cast<std::size_t>(numbers.at() - begin);
    if (bytes > rest.size()) return {done.bytes, "a record that is longer than its block"};
    if (high_field(record.begin_and_call) == definition)
      return {done.bytes, "a definition without its payload"};
    records.push_back(record);
    history_.take(record);
    done.bytes += bytes;
  }
  return done;
}

}  // namespace stretto::record
