// SPDX-License-Identifier: BSD-3-Clause
// Many small strided pieces of memory, to or from one peer, and the methods to transfer them (ARMCI paper,
// section 4.1, figure 7).
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "exchange/channel.hpp"

namespace stretto::exchange {

/// individual: one operation per piece. aggregate: one operation per piece, coalesced by the transport.
/// vector: one operation that describes all pieces.
enum class Method { individual, aggregate, vector };

inline constexpr Method all_methods[] = {Method::individual, Method::aggregate, Method::vector};

constexpr std::array<std::string_view, 3> names_of(Method /*type*/) {
  return {"individual", "aggregate", "vector"};
}

/// `count` pieces of equal size, `stride_bytes` apart, at the same offsets in both buffers.
struct Pieces {
  ChannelOperation operation = ChannelOperation::put;
  int peer = 0;
  std::size_t count = 0;
  std::size_t piece_bytes = 0;
  std::size_t stride_bytes = 0;
  std::size_t offset_bytes = 0;  ///< offset of the first piece

  [[nodiscard]] Transfer piece(std::size_t index) const {
    return {.operation = operation,
            .peer = peer,
            .size_bytes = piece_bytes,
            .offset_bytes = offset_bytes + index * stride_bytes};
  }
};

}  // namespace stretto::exchange
