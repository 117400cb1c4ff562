// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/api/make_transfer.hpp"

#include <utility>
#include <vector>

#include "onesided/api/access.hpp"
#include "onesided/memory/region_state.hpp"

namespace stretto::onesided {
namespace {

// Pieces have one type for both directions; a put never writes through it.
std::byte* bytes(const void* local) { return static_cast<std::byte*>(const_cast<void*>(local)); }

}  // namespace

LayoutTransfer make_transfer(OperationKind kind, const Region& region, Place place, const void* local,
                             std::size_t size_bytes) {
  return {.kind = kind,
          .region = region,
          .target = place.target,
          .layout = Layout::contiguous({bytes(local), place.offset, size_bytes, Access::state(region)->id})};
}

LayoutTransfer make_transfer(OperationKind kind, const Region& region, Place place, const void* local,
                             const Strided& shape) {
  return {.kind = kind,
          .region = region,
          .target = place.target,
          .layout = Layout::strided({bytes(local), place.offset, 0, Access::state(region)->id}, shape)};
}

LayoutTransfer make_transfer(const Region& region, int target, std::span<const PutPiece> pieces) {
  std::vector<Piece> all;
  all.reserve(pieces.size());
  for (const PutPiece& one : pieces)
    all.push_back({bytes(one.from), one.offset, one.size_bytes, Access::state(region)->id});
  return {.kind = OperationKind::put,
          .region = region,
          .target = target,
          .layout = Layout::vector(std::move(all))};
}

LayoutTransfer make_transfer(const Region& region, int target, std::span<const GetPiece> pieces) {
  std::vector<Piece> all;
  all.reserve(pieces.size());
  for (const GetPiece& one : pieces)
    all.push_back({bytes(one.to), one.offset, one.size_bytes, Access::state(region)->id});
  return {.kind = OperationKind::get,
          .region = region,
          .target = target,
          .layout = Layout::vector(std::move(all))};
}

LayoutTransfer as_accumulate(LayoutTransfer&& put, const Scale& scale) {
  put.kind = OperationKind::accumulate;
  put.scale = scale;
  return std::move(put);
}

}  // namespace stretto::onesided
