// SPDX-License-Identifier: BSD-3-Clause
// Operations on a region's memory, by a rank on its node or by the target's runtime. All updates use the
// processor's own atomics, because several processes may update at once. Knows no MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stretto/element.hpp>

#include "onesided/memory/cache_lines.hpp"

namespace stretto::onesided {

/// Copies. Blocks of one word, of which strided data consists, need no call.
void copy_bytes(std::byte* to, const std::byte* from, std::size_t size_bytes);

/// Whether two blocks of `size_bytes` are disjoint.
inline bool disjoint(const std::byte* a, const std::byte* b, std::size_t size_bytes) {
  return a + size_bytes <= b || b + size_bytes <= a;
}

/// Copies `count` blocks of `size_bytes` with these strides.
void copy_blocks(std::byte* to, std::size_t to_stride, const std::byte* from, std::size_t from_stride,
                 std::size_t size_bytes, std::size_t count);

/// to[i] += scale * from[i] for all elements, of which none need be aligned. Aligned ones of `to` are updated
/// by the processor's atomics, the others under `lock`: an int that is 0 when nobody holds it, the same for
/// all who update them.
void accumulate(std::byte* to, const std::byte* from, std::size_t size_bytes, const Scale& scale, int& lock);

/// The lock of a rank's part of a region, in the cache line after the part.
inline int& update_lock(std::byte* part, std::size_t part_bytes) {
  return *reinterpret_cast<int*>(part + round_up_to_lines(part_bytes));
}

/// Updates a value of 4 or 8 bytes; operands are its bits. Returns the value before.
std::uint64_t update(std::byte* place, stretto::detail::AtomicOperation operation, std::uint64_t operand,
                     std::uint64_t expected, std::size_t size_bytes);

/// Raises a flag of 4 or 8 bytes, after everything that this process has written or read before.
void raise_flag(std::byte* place, std::uint64_t value, bool add,
                std::size_t size_bytes = sizeof(std::uint64_t));
[[nodiscard]] std::uint64_t read_flag(const std::byte* place);

}  // namespace stretto::onesided
