// SPDX-License-Identifier: BSD-3-Clause
// The entry points of libstretto_memory.so for the callbacks: accesses of any length and address.
// `pc`: where the program loads or stores.
#pragma once

#include <cstddef>
#include <cstdint>

#define STRETTO_NOTED extern "C" __attribute__((visibility("default"))) void

STRETTO_NOTED stretto_memory_loads(std::uintptr_t address, std::size_t bytes, std::uintptr_t pc);
STRETTO_NOTED stretto_memory_stores(std::uintptr_t address, std::size_t bytes, std::uintptr_t pc);
/// An access of many bytes. Loads that follow stores of as many bytes are those of a copy to there.
STRETTO_NOTED stretto_memory_range_stores(std::uintptr_t address, std::size_t bytes, std::uintptr_t pc);
STRETTO_NOTED stretto_memory_range_loads(std::uintptr_t address, std::size_t bytes, std::uintptr_t pc);
/// Before and after the program copies a block from `from`, or fills it (`from` is 0).
STRETTO_NOTED stretto_memory_block_begins(std::uintptr_t to, std::uintptr_t from, std::size_t bytes,
                                          std::uintptr_t pc);
STRETTO_NOTED stretto_memory_block_ends(std::size_t bytes, std::uintptr_t pc);
/// The program has allocated memory at `pc`.
STRETTO_NOTED stretto_memory_allocated(std::uintptr_t begin, std::size_t bytes, std::uintptr_t pc);

namespace stretto::memory {
/// Smaller allocations are not noted.
inline constexpr std::size_t min_allocation = 256;
}  // namespace stretto::memory
