// SPDX-License-Identifier: BSD-3-Clause
#include "record/record_packer.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

namespace stretto::record {
namespace {

constexpr std::uint64_t odd = 0x9E3779B97F4A7C15;  // spreads numbers over the high bits
constexpr unsigned place_shift = 55;               // leaves 9 bits

/// Bytes that `value` takes without its leading zeros.
unsigned length_of(std::uint64_t value) { return static_cast<unsigned>(std::bit_width(value) + 7) / 8; }

/// Stores eight bytes, of which the first `length` count.
std::byte* put(std::byte* at, std::uint64_t value, unsigned length) {
  std::memcpy(at, &value, sizeof value);
  return at + length;
}

std::byte* put_number(std::byte* at, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) *at++ = static_cast<std::byte>(value | 0x80U);
  *at++ = static_cast<std::byte>(value);
  return at;
}

/// A difference of either sign: small ones take few bytes.
std::byte* put_difference(std::byte* at, std::uint64_t value, std::uint64_t from) {
  const auto difference = static_cast<std::int64_t>(value - from);
  return put_number(
      at, (static_cast<std::uint64_t>(difference) << 1U) ^ static_cast<std::uint64_t>(difference >> 63U));
}

/// A word as the set of its bytes that are not 0, and these: most bytes of a definition are 0.
std::byte* put_word(std::byte* at, std::uint64_t word) {
  std::byte& set = *at++ = std::byte{0};
  for (unsigned place = 0; place < 8; ++place, word >>= 8U) {
    if ((word & 0xFFU) == 0) continue;
    set |= static_cast<std::byte>(1U << place);
    *at++ = static_cast<std::byte>(word);
  }
  return at;
}

std::byte* put_words(std::byte* at, const void* from, std::size_t bytes) {
  const auto* next = static_cast<const std::byte*>(from);
  while (bytes > 0) {
    const std::size_t some = std::min(bytes, sizeof(std::uint64_t));
    std::uint64_t word = 0;
    std::memcpy(&word, next, some);
    at = put_word(at, word);
    next += some;
    bytes -= some;
  }
  return at;
}

std::uint64_t call_and_site(const Record& record) {
  return std::uint64_t{high_field(record.begin_and_call)} << 16U | high_field(record.duration_and_site);
}

std::uint64_t peer_and_tag(const Record& record) {
  static_assert(offsetof(Record, tag) == offsetof(Record, peer) + sizeof record.peer);
  std::uint64_t both = 0;
  std::memcpy(&both, reinterpret_cast<const std::byte*>(&record) + offsetof(Record, peer), sizeof both);
  return both;
}

std::uint64_t widened(std::int32_t value) { return static_cast<std::uint64_t>(std::int64_t{value}); }

std::uint64_t number_of_call(const Record& record) {
  return call_and_site(record) ^ widened(record.peer) << 32U;
}

/// The same for records that are alike.
std::uint64_t number_of(const Record& record) {
  return (number_of_call(record) ^ record.bytes_and_context ^ peer_and_tag(record) << 16U ^ record.count) *
             odd ^
         record.extra;
}

std::size_t place_of(std::uint64_t number) { return number * odd >> place_shift; }

/// The times of a record, as they are written after `last`.
struct Times {
  std::uint64_t gap_ns = 0;
  std::uint64_t duration_ns = 0;
  unsigned gap_length = packed::same_time;
  unsigned length = packed::same_time;

  Times(const Record& record, const Record& last) : duration_ns(low_field(record.duration_and_site)) {
    const std::uint64_t last_duration_ns = low_field(last.duration_and_site);
    const std::uint64_t later_ns = (record.begin_and_call - last.begin_and_call) & field_mask;
    gap_ns = (later_ns - last_duration_ns) & field_mask;
    if (later_ns != 0) gap_length = length_of(gap_ns);
    if (duration_ns != last_duration_ns) length = length_of(duration_ns);
  }
  [[nodiscard]] unsigned head() const { return gap_length | length << packed::length_bits; }
  [[nodiscard]] std::byte* put_at(std::byte* at) const {
    at = put(at, gap_ns, gap_length % packed::same_time);
    return put(at, duration_ns, length % packed::same_time);
  }
};

/// Whether everything but times and request is equal.
bool is_alike(const Record& one, const Record& other) {
  const std::uint64_t calls =
      ((one.begin_and_call ^ other.begin_and_call) | (one.duration_and_site ^ other.duration_and_site)) >>
      field_bits;
  return (calls | (one.bytes_and_context ^ other.bytes_and_context) | (one.extra ^ other.extra) |
          (peer_and_tag(one) ^ peer_and_tag(other)) | (one.count ^ other.count)) == 0;
}

bool is_same_call(const Record& one, const Record& other) {
  return call_and_site(one) == call_and_site(other) && one.peer == other.peer;
}

unsigned fields_of(const Record& record, const Record& from) {
  unsigned fields = 0;
  if (low_field(record.bytes_and_context) != low_field(from.bytes_and_context)) fields |= packed::bytes;
  if (high_field(record.bytes_and_context) != high_field(from.bytes_and_context)) fields |= packed::context;
  if (record.peer != from.peer) fields |= packed::peer;
  if (record.tag != from.tag) fields |= packed::tag;
  if (record.count != from.count) fields |= packed::count;
  if (record.extra != from.extra) fields |= packed::extra;
  if (call_and_site(record) != call_and_site(from)) fields |= packed::call_and_site;
  return fields;
}

std::byte* put_fields(std::byte* at, unsigned fields, const Record& record, const Record& from,
                      std::uint32_t request) {
  if ((fields & packed::bytes) != 0)
    at = put_difference(at, low_field(record.bytes_and_context), low_field(from.bytes_and_context));
  if ((fields & packed::context) != 0)
    at = put_difference(at, high_field(record.bytes_and_context), high_field(from.bytes_and_context));
  if ((fields & packed::peer) != 0) at = put_difference(at, widened(record.peer), widened(from.peer));
  if ((fields & packed::tag) != 0) at = put_difference(at, widened(record.tag), widened(from.tag));
  if ((fields & packed::request) != 0) at = put_difference(at, record.request, request);
  if ((fields & packed::count) != 0) at = put_difference(at, record.count, from.count);
  if ((fields & packed::extra) != 0) at = put_difference(at, record.extra, from.extra);
  if ((fields & packed::call_and_site) != 0) at = put(at, call_and_site(record), 4);
  return at;
}

}  // namespace

std::byte* RecordPacker::pack(const Record& record, std::byte* at) {
  const bool alike = is_alike(record, history_.expected());
  if (!alike || record.request != history_.expected_request() || --until_noted_ == 0) {
    return pack_other(record, alike, at);
  }
  const Times times(record, history_.before(1));
  *at++ = static_cast<std::byte>(times.head());
  at = times.put_at(at);
  history_.take(record);
  return at;
}

std::byte* RecordPacker::pack_other(const Record& record, bool alike, std::byte* at) {
  const std::uint32_t before = history_.distance();
  alike = note(record, alike);
  const Record& from = history_.expected();
  const std::uint32_t request = history_.expected_request();
  const std::uint32_t distance = history_.distance();
  unsigned fields = alike ? 0 : fields_of(record, from);
  if (record.request != request) fields |= packed::request;
  const Times times(record, history_.before(1));
  unsigned head = times.head();
  if (fields != 0) head |= packed::has_fields;
  if (distance != before) head |= packed::has_distance;
  *at++ = static_cast<std::byte>(head);
  if (fields != 0) *at++ = static_cast<std::byte>(fields);
  if (distance != before) at = put_number(at, distance);
  at = put_fields(times.put_at(at), fields, record, from, request);
  history_.take(record);
  return at;
}

bool RecordPacker::note(const Record& record, bool alike) {
  until_noted_ = noted_every;
  const std::size_t whole = place_of(number_of(history_.before(1)) + (number_of(record) >> 1U));
  const std::size_t call = place_of(number_of_call(record));
  if (!alike) alike = find(record, whole, call);
  whole_[whole] = calls_[call] = block_ + history_.count();
  return alike;
}

bool RecordPacker::find(const Record& record, std::size_t whole, std::size_t call) {
  const std::uint32_t alike = distance_to(whole_[whole]);
  if (alike != 0 && is_alike(record, history_.before(alike))) {
    history_.set_distance(alike);
    return true;
  }
  if (is_same_call(record, history_.expected())) return false;
  const std::uint32_t same = distance_to(calls_[call]);
  if (same != 0 && is_same_call(record, history_.before(same))) history_.set_distance(same);
  return false;
}

std::byte* RecordPacker::pack_definition(const Record& definition, const void* payload, std::byte* at) {
  const std::size_t bytes = low_field(definition.bytes_and_context);
  *at++ = static_cast<std::byte>(packed::has_distance);
  *at++ = std::byte{0};
  at = put_words(at, &definition, sizeof definition);
  return put_words(at, payload, bytes);
}

}  // namespace stretto::record
