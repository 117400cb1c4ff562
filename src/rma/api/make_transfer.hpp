// SPDX-License-Identifier: BSD-3-Clause
// From the arguments of the public functions to a transfer.
#pragma once

#include <span>
#include <stretto/region.hpp>
#include <stretto/shape.hpp>

#include "rma/path/execute.hpp"

namespace stretto::rma {

[[nodiscard]] Transfer describe(Kind kind, const Region& region, Place place, const void* local,
                                std::size_t size_bytes);
[[nodiscard]] Transfer describe(Kind kind, const Region& region, Place place, const void* local,
                                const Strided& shape);
[[nodiscard]] Transfer describe(const Region& region, int target, std::span<const PutPiece> pieces);
[[nodiscard]] Transfer describe(const Region& region, int target, std::span<const GetPiece> pieces);

[[nodiscard]] inline Transfer describe(const Region& region, Place place, Source source) {
  return describe(Kind::put, region, place, source.data, source.size_bytes);
}
[[nodiscard]] inline Transfer describe(const Region& region, Place place, Sink sink) {
  return describe(Kind::get, region, place, sink.data, sink.size_bytes);
}

// In line, for a small block takes no longer to move.
[[nodiscard]] inline Block describe_block(const Region& region, Place place, Source source) {
  return {.kind = Kind::put,
          .region = region,
          .target = place.target,
          .piece = {const_cast<std::byte*>(source.data), place.offset, source.size_bytes}};
}
[[nodiscard]] inline Block describe_block(const Region& region, Place place, Sink sink) {
  return {.kind = Kind::get,
          .region = region,
          .target = place.target,
          .piece = {sink.data, place.offset, sink.size_bytes}};
}

/// A put that becomes an accumulate.
[[nodiscard]] Transfer adding(Transfer&& put, const Scale& scale);

}  // namespace stretto::rma
