// SPDX-License-Identifier: BSD-3-Clause
// Page numbers and address sizes of a process.
#pragma once

#include <cstddef>
#include <cstdint>

namespace stretto::memory {

inline constexpr unsigned page_bits = 12;
inline constexpr std::size_t page_bytes = std::size_t{1} << page_bits;
#if defined(__x86_64__)
inline constexpr unsigned address_bits = 47;  // bits of a user-space address
#else
inline constexpr unsigned address_bits = 48;
#endif
inline constexpr std::size_t process_pages = std::size_t{1} << (address_bits - page_bits);

/// Memory is known by its address here, as an integer.
inline void* pointer_to(std::uintptr_t address) {
  return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr)
}

}  // namespace stretto::memory
