// SPDX-License-Identifier: BSD-3-Clause
// Transfers from the arguments of the public functions.
#pragma once

#include <span>
#include <stretto/region.hpp>
#include <stretto/shape.hpp>

#include "onesided/path/execute.hpp"

namespace stretto::onesided {

[[nodiscard]] LayoutTransfer make_transfer(OperationKind kind, const Region& region, Place place,
                                           const void* local, std::size_t size_bytes);
[[nodiscard]] LayoutTransfer make_transfer(OperationKind kind, const Region& region, Place place,
                                           const void* local, const Strided& shape);
[[nodiscard]] LayoutTransfer make_transfer(const Region& region, int target,
                                           std::span<const PutPiece> pieces);
[[nodiscard]] LayoutTransfer make_transfer(const Region& region, int target,
                                           std::span<const GetPiece> pieces);

[[nodiscard]] inline LayoutTransfer make_transfer(const Region& region, Place place, Source source) {
  return make_transfer(OperationKind::put, region, place, source.data, source.size_bytes);
}
[[nodiscard]] inline LayoutTransfer make_transfer(const Region& region, Place place, Sink sink) {
  return make_transfer(OperationKind::get, region, place, sink.data, sink.size_bytes);
}

// Inline, because a small transfer takes no longer than a call.
[[nodiscard]] inline ContiguousTransfer make_contiguous(const Region& region, Place place, Source source) {
  return {.kind = OperationKind::put,
          .region = region,
          .target = place.target,
          .piece = {const_cast<std::byte*>(source.data), place.offset, source.size_bytes}};
}
[[nodiscard]] inline ContiguousTransfer make_contiguous(const Region& region, Place place, Sink sink) {
  return {.kind = OperationKind::get,
          .region = region,
          .target = place.target,
          .piece = {sink.data, place.offset, sink.size_bytes}};
}

/// Turns a put into an accumulate.
[[nodiscard]] LayoutTransfer as_accumulate(LayoutTransfer&& put, const Scale& scale);

}  // namespace stretto::onesided
