// SPDX-License-Identifier: BSD-3-Clause
// Bytes that identify their origin. Transports fill their buffers with them when data is verified.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace stretto::exchange {

/// Fills `bytes`, which begin at `offset_bytes` of a buffer. The values depend on the rank that fills, the
/// offset and the seed.
void fill_pattern(std::span<std::byte> bytes, int rank, std::uint32_t seed, std::size_t offset_bytes = 0);

/// Whether `bytes`, which begin at `offset_bytes` of a buffer, hold what `rank` fills the buffer with.
[[nodiscard]] bool holds_pattern(std::span<const std::byte> bytes, std::size_t offset_bytes, int rank,
                                 std::uint32_t seed);

}  // namespace stretto::exchange
