// SPDX-License-Identifier: BSD-3-Clause
// Memory into which blocks arrive: whole cache lines, not touched before the first of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

namespace stretto::kernel {

inline constexpr std::size_t landing_alignment = 64;

struct LandingDeleter {
  void operator()(std::byte* memory) const {
    ::operator delete[](memory, std::align_val_t{landing_alignment});
  }
};

using Landing = std::unique_ptr<std::byte[], LandingDeleter>;

/// `size_bytes` of uninitialised memory; never null.
inline Landing make_landing(std::size_t size_bytes) {
  return Landing(new (std::align_val_t{landing_alignment}) std::byte[std::max<std::size_t>(size_bytes, 1)]);
}

}  // namespace stretto::kernel
