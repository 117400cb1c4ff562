// SPDX-License-Identifier: BSD-3-Clause
// Carries out one data movement: checks it, chooses its path, and does it or starts it.
#pragma once

#include <memory>
#include <stretto/element.hpp>
#include <stretto/handle.hpp>
#include <stretto/region.hpp>
#include <stretto/shape.hpp>

#include "rma/layout.hpp"
#include "rma/operation.hpp"
#include "rma/path.hpp"

namespace stretto::rma {

struct RegionState;
struct State;

struct Transfer {
  Kind kind = Kind::put;
  const Region& region;
  int target = 0;  // in the region's team
  Layout layout;
  Scale scale{};
  PacketFlag flag{};
};

/// A put or get of one piece: what most are, and what takes less time than a layout would.
struct Block {
  Kind kind = Kind::put;
  const Region& region;
  int target = 0;  // in the region's team
  Piece piece;     // which region it is in, the member above says
};

/// Until complete here.
void run(Transfer&& transfer);
void run(const Block& block);
/// Returns when it has started.
[[nodiscard]] Handle start(Transfer&& transfer);
[[nodiscard]] Handle start(const Block& block);
/// The same, completed by wait_implicit.
void start_implicit(Transfer&& transfer);
void start_implicit(const Block& block);

/// What a handle is made of.
struct HandleAccess {
  static Handle make(RegionState& region, int target, Path path, std::uint64_t ticket,
                     std::shared_ptr<Operation> operation);
  static State& state(const Handle& handle);
  /// Complete, as far as that can be seen without waiting.
  static bool is_complete(const Handle& handle);
  static void complete(Handle& handle);
  static Path path(const Handle& handle) { return handle.path_; }
  /// Nothing is left to wait for.
  static void clear(Handle& handle);
};

}  // namespace stretto::rma
