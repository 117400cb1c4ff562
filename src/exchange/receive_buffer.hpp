// SPDX-License-Identifier: BSD-3-Clause
// Receive buffers: memory in whole cache lines, left uninitialised so that its pages are not touched before
// the first block arrives.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

namespace stretto::exchange {

inline constexpr std::size_t buffer_alignment = 64;

struct ReceiveBufferDeleter {
  void operator()(std::byte* memory) const {
    ::operator delete[](memory, std::align_val_t{buffer_alignment});
  }
};

using ReceiveBuffer = std::unique_ptr<std::byte[], ReceiveBufferDeleter>;

/// `size_bytes` of uninitialised memory; never null.
inline ReceiveBuffer make_receive_buffer(std::size_t size_bytes) {
  return ReceiveBuffer(new (std::align_val_t{buffer_alignment})
                           std::byte[std::max<std::size_t>(size_bytes, 1)]);
}

}  // namespace stretto::exchange
