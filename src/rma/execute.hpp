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

/// Throws what the public headers say, before any byte moves.
void check_transfer(const Transfer& transfer);

/// Until complete here.
void run(Transfer&& transfer);
/// The shortest way, for a contiguous put or get in a neighbour's memory: done when it returns true. False
/// where anything speaks against it, wrong arguments too: run() then does it, or says what is wrong.
[[nodiscard]] bool store_directly(const Region& region, Place place, Source source);
[[nodiscard]] bool load_directly(const Region& region, Place place, Sink sink);
/// Returns when it has started.
[[nodiscard]] Handle start(Transfer&& transfer);
/// The same, completed by wait_implicit.
void start_implicit(Transfer&& transfer);

/// Throws ArgumentError `place` unless an object of `size_bytes` at `offset` is aligned.
void check_aligned(std::size_t offset, std::size_t size_bytes);

/// What a handle is made of.
struct HandleAccess {
  static Handle make(std::shared_ptr<RegionState> region, int target, Path path, std::uint64_t ticket,
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
