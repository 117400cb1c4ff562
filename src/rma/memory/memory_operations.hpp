// SPDX-License-Identifier: BSD-3-Clause
// Operations on a region's memory, by a rank on its node or by the target's runtime. All updates use the
// processor's own atomics, because several processes may update at once. Knows no MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stretto/element.hpp>

namespace stretto::rma {

/// Copies. Blocks of one word, of which strided data consists, need no call.
void copy_bytes(std::byte* to, const std::byte* from, std::size_t size_bytes);

/// Whether two blocks of `size_bytes` are disjoint.
inline bool disjoint(const std::byte* a, const std::byte* b, std::size_t size_bytes) {
  return a + size_bytes <= b || b + size_bytes <= a;
}

/// Copies `count` blocks of `size_bytes` with these strides.
void copy_blocks(std::byte* to, std::size_t to_stride, const std::byte* from, std::size_t from_stride,
                 std::size_t size_bytes, std::size_t count);

/// to[i] += scale * from[i] for all elements. `from` need not be aligned to them. Where `to` is not, the caller is the
/// only process that updates these elements.
void accumulate(std::byte* to, const std::byte* from, std::size_t size_bytes, const Scale& scale);

/// Updates an integer of 4 or 8 bytes. Returns the value before.
std::uint64_t update(std::byte* place, stretto::detail::AtomicOperation operation, std::uint64_t operand,
                     std::uint64_t expected, std::size_t size_bytes);

/// Raises a flag of 4 or 8 bytes, after everything that this process has written or read before.
void raise_flag(std::byte* place, std::uint64_t value, bool add,
                std::size_t size_bytes = sizeof(std::uint64_t));
[[nodiscard]] std::uint64_t read_flag(const std::byte* place);

}  // namespace stretto::rma
