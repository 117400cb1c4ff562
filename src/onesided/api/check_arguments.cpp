// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/api/check_arguments.hpp"

#include <algorithm>
#include <cstdint>
#include <stretto/error.hpp>
#include <string>

#include "onesided/api/access.hpp"
#include "onesided/memory/memory_operations.hpp"
#include "onesided/memory/region_state.hpp"

namespace stretto::onesided {
namespace {

[[noreturn]] void refuse_overlap(OperationKind kind) {
  throw ArgumentError(kind == OperationKind::get ? "sink" : "source",
                      "overlaps the place in the region that the data moves to or from");
}

[[noreturn]] void refuse_null(OperationKind kind) {
  throw ArgumentError(kind == OperationKind::get ? "sink" : "source", "is NULL");
}

void check_elements(const LayoutTransfer& transfer) {
  const std::size_t size = size_of(transfer.scale.type);
  transfer.layout.for_each([&](const Piece& piece) {
    if (piece.size_bytes % size != 0) {
      throw ArgumentError("source", "a block of " + std::to_string(piece.size_bytes) +
                                        " bytes is not made of elements of " + std::to_string(size));
    }
  });
}

void check_flag(const LayoutTransfer& transfer, const RegionState& region) {
  const std::size_t flag_bytes = transfer.flag.size_bytes;
  check_aligned(transfer.flag.offset, flag_bytes);
  if (transfer.flag.offset > SIZE_MAX - flag_bytes) throw ArgumentError("flag", "is out of range");
  const std::size_t end = transfer.flag.offset + flag_bytes;
  const std::size_t size = region.memory->size_bytes(transfer.target);
  if (end > size) {
    throw ArgumentError("flag", "reaches to byte " + std::to_string(end) + " of the " + std::to_string(size) +
                                    " that rank " + std::to_string(transfer.target) + " has");
  }
  transfer.layout.for_each([&](const Piece& piece) {
    if (piece.offset < end && transfer.flag.offset < piece.offset + piece.size_bytes) {
      throw ArgumentError("flag", "overlaps the data that it follows");
    }
  });
}

}  // namespace

void check_aligned(std::size_t offset, std::size_t size_bytes) {
  if (offset % size_bytes == 0) return;
  throw ArgumentError("place", "offset " + std::to_string(offset) + " is not a multiple of " +
                                   std::to_string(size_bytes) + ", which updates of this type need");
}

void check_arguments(const LayoutTransfer& transfer) {
  const RegionState& region = *Access::state(transfer.region);
  region.check_range(transfer.target, transfer.layout.remote_end());
  if (transfer.layout.has_null()) refuse_null(transfer.kind);
  if (transfer.kind == OperationKind::accumulate) check_elements(transfer);
  if (transfer.flag.region != no_region) check_flag(transfer, region);
  const std::byte* there = region.memory->node_local(transfer.target);
  if (there == nullptr || transfer.layout.size_bytes() == 0) return;
  // To add a number to itself means the same on every path: it is read once, and then added.
  const bool may_stay = transfer.kind == OperationKind::accumulate;
  if (transfer.layout.overlaps(there, may_stay)) refuse_overlap(transfer.kind);
}

void check_arguments(const ContiguousTransfer& transfer) {
  const RegionState& region = *Access::state(transfer.region);
  const Piece& piece = transfer.piece;
  region.check_range(transfer.target, piece.remote_end());
  if (piece.local == nullptr && piece.size_bytes > 0) [[unlikely]]
    refuse_null(transfer.kind);
  const std::byte* const there = region.memory->node_local(transfer.target);
  if (there == nullptr || piece.size_bytes == 0) return;
  if (!disjoint(there + piece.offset, piece.local, piece.size_bytes)) refuse_overlap(transfer.kind);
}

}  // namespace stretto::onesided
