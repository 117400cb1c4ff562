// SPDX-License-Identifier: BSD-3-Clause
// Where data is and what shape it has: contiguous, strided over any number of levels, or a vector of pieces.
// Sizes, offsets and strides are bytes.
#pragma once

#include <concepts>
#include <cstddef>
#include <ranges>
#include <span>
#include <type_traits>

namespace stretto {

/// A place in a region: `offset` bytes into the part of rank `target` (a rank of the region's team).
struct Place {
  int target = 0;
  std::size_t offset = 0;
};

namespace detail {
template <typename Range>
concept PlainRange = std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range> &&
    std::is_trivially_copyable_v<std::ranges::range_value_t<Range>>;
}  // namespace detail

/// Bytes that leave this rank: any contiguous range of plain values.
struct Source {
  const std::byte* data = nullptr;
  std::size_t size_bytes = 0;

  Source(const void* bytes, std::size_t size)
      : data(static_cast<const std::byte*>(bytes)), size_bytes(size) {}
  template <detail::PlainRange Range>
  Source(const Range& range)  // NOLINT(google-explicit-constructor): any range is a source
      : Source(std::ranges::data(range),
               std::ranges::size(range) * sizeof(std::ranges::range_value_t<Range>)) {}
};

/// Where bytes arrive at this rank: any contiguous range of plain values that can be written to.
struct Sink {
  std::byte* data = nullptr;
  std::size_t size_bytes = 0;

  Sink(void* bytes, std::size_t size) : data(static_cast<std::byte*>(bytes)), size_bytes(size) {}
  template <detail::PlainRange Range>
  requires(!std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<Range>>>)
      Sink(Range&& range)  // NOLINT(google-explicit-constructor, bugprone-forwarding-reference-overload)
      : Sink(std::ranges::data(range), std::ranges::size(range) * sizeof(std::ranges::range_value_t<Range>)) {
  }
};

/// Blocks of counts[0] bytes; counts[i] of them, i >= 1, lie local_strides[i-1] apart here and
/// remote_strides[i-1] apart at the target. Both have one member less than counts, which has at least one.
struct Strided {
  std::span<const std::size_t> counts;
  std::span<const std::size_t> local_strides;
  std::span<const std::size_t> remote_strides;
};

/// One piece of an I/O vector that leaves this rank.
struct PutPiece {
  const void* from = nullptr;
  std::size_t offset = 0;  ///< into the target's part of the region
  std::size_t size_bytes = 0;
};

/// One piece of an I/O vector that arrives here.
struct GetPiece {
  void* to = nullptr;
  std::size_t offset = 0;
  std::size_t size_bytes = 0;
};

}  // namespace stretto
