// SPDX-License-Identifier: BSD-3-Clause
// Bytes that tell where they came from: what a transport fills its buffers with when data is checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace stretto::exchange {

/// Bytes that depend on the rank that fills, the place in its buffer and the seed. `bytes` stand at
/// `offset_bytes` of the buffer.
void fill_pattern(std::span<std::byte> bytes, int rank, std::uint32_t seed, std::size_t offset_bytes = 0);

/// Whether `bytes`, which stand at `offset_bytes` of a buffer, are those that `rank` fills it with.
[[nodiscard]] bool holds_pattern(std::span<const std::byte> bytes, std::size_t offset_bytes, int rank,
                                 std::uint32_t seed);

}  // namespace stretto::exchange
