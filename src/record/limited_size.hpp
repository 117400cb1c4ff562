// SPDX-License-Identifier: BSD-3-Clause
// How long the files of a trace with a limit of size may be, and their blocks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "record/trace_format.hpp"

namespace stretto::record {

struct LimitedSize {
  std::uint64_t file_bytes = 0;
  std::uint64_t block_bytes = 0;
};

namespace limited {
inline constexpr std::uint64_t header_bytes = std::uint64_t{1}
                                              << 15U;  ///< of which the names of calls are most
inline constexpr std::uint64_t min_block_bytes = std::uint64_t{1} << 13U;
inline constexpr std::uint64_t min_blocks = 8;
inline constexpr std::uint64_t usual_blocks = 32;

/// A block holds the definition of a collective with counts that exchanges with all ranks in both directions.
constexpr std::uint64_t needed_block_bytes(std::uint64_t ranks) {
  constexpr std::uint64_t packed_bytes_of_rank = 2 * sizeof(PeerBytes) * 9 / 8;
  constexpr std::uint64_t others = 1024;
  return whole_pages(std::max(min_block_bytes, packed_bytes_of_rank * ranks + others));
}

constexpr std::uint64_t needed_file_bytes(std::uint64_t ranks) {
  return header_bytes + min_blocks * needed_block_bytes(ranks);
}
}  // namespace limited

/// The smallest limit for the files of so many ranks together, with the copy of one of them that is made when
/// a trace is cut out of them.
constexpr std::uint64_t min_limit(std::uint64_t ranks) {
  return (ranks + 1) * limited::needed_file_bytes(ranks);
}

/// The size of one rank's file; nothing: the limit is too small.
constexpr std::optional<LimitedSize> limited_size(std::uint64_t limit, std::uint64_t ranks) {
  if (limit < min_limit(ranks)) return {};
  const std::uint64_t file_bytes = limit / (ranks + 1) / trace_page_bytes * trace_page_bytes;
  const std::uint64_t usual =
      whole_pages(std::min(file_bytes / limited::usual_blocks, max_packed_block_bytes));
  return LimitedSize{.file_bytes = file_bytes,
                     .block_bytes = std::max(usual, limited::needed_block_bytes(ranks))};
}

}  // namespace stretto::record
