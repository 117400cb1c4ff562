// SPDX-License-Identifier: BSD-3-Clause
// Values as an OTF2 archive has them. Integers are mostly stated by a byte with their length, then so many
// bytes; the lengths 0 and 255 alone are 0 and the largest number.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "foreign/damaged.hpp"

namespace stretto::foreign {

inline constexpr std::uint32_t undefined32 = 0xFFFFFFFF;

class Otf2Bytes {
 public:
  Otf2Bytes() = default;
  Otf2Bytes(std::span<const std::byte> bytes, bool is_big_endian)
      : at_(bytes.data()), end_(at_ + bytes.size()), is_big_endian_(is_big_endian) {}

  [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  [[nodiscard]] const std::byte* at() const { return at_; }

  // Each of these throws Damaged at the end.
  std::uint8_t byte() {
    need(1);
    return static_cast<std::uint8_t>(*at_++);
  }
  /// An integer of this type in all its bytes.
  template <typename Integer>
  Integer full() {
    return static_cast<Integer>(bytes(sizeof(Integer)));
  }
  double real() { return std::bit_cast<double>(bytes(sizeof(double))); }
  std::uint64_t number() { return number_of(sizeof(std::uint64_t)); }
  std::uint32_t number32() { return static_cast<std::uint32_t>(number_of(sizeof(std::uint32_t))); }
  std::string_view text() {
    const auto* const begin = reinterpret_cast<const char*>(at_);
    const void* const end = left() > 0 ? std::memchr(begin, '\0', left()) : nullptr;
    if (end == nullptr) throw Damaged("a text without an end");
    at_ = static_cast<const std::byte*>(end) + 1;
    return {begin, static_cast<const char*>(end)};
  }
  /// The content of a record, which its length precedes.
  Otf2Bytes record() {
    std::uint64_t length = byte();
    if (length == long_record) length = full<std::uint64_t>();
    return piece(length);
  }
  /// The content of a record that is one number.
  Otf2Bytes one_number() {
    need(1);
    const auto length = static_cast<std::size_t>(*at_);
    return piece(1 + (length == largest ? 0 : length));
  }

 private:
  static constexpr std::uint64_t long_record = 255;
  static constexpr std::size_t largest = 255;

  void need(std::uint64_t bytes) const {
    if (left() < bytes) throw Damaged("a record is longer than its space");
  }
  Otf2Bytes piece(std::uint64_t length) {
    need(length);
    const Otf2Bytes result({at_, static_cast<std::size_t>(length)}, is_big_endian_);
    at_ += length;
    return result;
  }
  std::uint64_t bytes(std::size_t count) {
    need(count);
    std::uint64_t value = 0;
    if (is_big_endian_) {
      for (std::size_t i = 0; i < count; ++i) value = value << 8U | static_cast<std::uint64_t>(at_[i]);
    } else {
      std::memcpy(&value, at_, count);
    }
    at_ += count;
    return value;
  }
  std::uint64_t number_of(std::size_t most) {
    const std::size_t length = byte();
    if (length == largest) return ~std::uint64_t{0};
    if (length > most) throw Damaged("a number is too long");
    return bytes(length);
  }

  const std::byte* at_ = nullptr;
  const std::byte* end_ = nullptr;
  bool is_big_endian_ = false;
};

}  // namespace stretto::foreign
