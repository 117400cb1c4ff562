// SPDX-License-Identifier: BSD-3-Clause
// What is done to a region's memory by whoever can reach it: a neighbour or the target's runtime. All updates
// are the processor's own atomics, so that they may come from several processes at once. Knows no MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stretto/atomic.hpp>
#include <stretto/element.hpp>

namespace stretto::rma {

/// Copies; blocks of one word, which strided data is made of, without a call.
void copy_bytes(std::byte* to, const std::byte* from, std::size_t size_bytes);

/// Whether two blocks of as many bytes have none in common.
inline bool apart(const std::byte* a, const std::byte* b, std::size_t size_bytes) {
  return a + size_bytes <= b || b + size_bytes <= a;
}

/// `count` blocks of `size_bytes`, so far apart there and here.
void copy_blocks(std::byte* to, std::size_t to_stride, const std::byte* from, std::size_t from_stride,
                 std::size_t size_bytes, std::size_t count);

/// to[i] += scale * from[i] for all elements; `to` is aligned to them, `from` need not be.
void accumulate(std::byte* to, const std::byte* from, std::size_t size_bytes, const Scale& scale);

/// Returns the value before.
std::uint64_t update(std::byte* place, stretto::detail::AtomicOperation operation, std::uint64_t operand,
                     std::uint64_t expected, std::size_t size_bytes);

/// A flag, of 4 or 8 bytes, is raised after everything that this process has written or seen.
void raise_flag(std::byte* place, std::uint64_t value, bool add,
                std::size_t size_bytes = sizeof(std::uint64_t));
[[nodiscard]] std::uint64_t read_flag(const std::byte* place);

}  // namespace stretto::rma
