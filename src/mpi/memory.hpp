// SPDX-License-Identifier: BSD-3-Clause
// Memory that MPI allocates, so that it can register it with the network. It is checked: when memory is
// short, MPICH's MPI_Alloc_mem returns success and an address near 0, and memory that processes share ends a
// process that stores to it.
#pragma once

#include <cstddef>
#include <memory>

namespace stretto::mpi {

/// Throws std::bad_alloc where there is not as much.
[[nodiscard]] std::byte* allocate(std::size_t size_bytes);
/// Gives back what allocate() has returned, or nullptr. Throws MpiError.
void release(std::byte* memory);

struct Release {
  void operator()(std::byte* memory) const noexcept;
};
using Memory = std::unique_ptr<std::byte[], Release>;

/// Whether the machine has as much memory at all, with what it swaps. What has not is refused before MPI
/// allocates it on several ranks.
[[nodiscard]] bool machine_has(std::size_t size_bytes);

/// Whether this process has mapped all of this memory.
[[nodiscard]] bool is_mapped(const void* memory, std::size_t size_bytes);

/// Whether all of this memory can be stored to. It is in memory afterwards, where the kernel can tell; it is
/// also true where the kernel cannot.
[[nodiscard]] bool make_present(void* memory, std::size_t size_bytes);

}  // namespace stretto::mpi
