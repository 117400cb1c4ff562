// SPDX-License-Identifier: BSD-3-Clause
// Carries out one data movement: checks it, chooses its path, and does it or starts it.
#pragma once

#include <memory>
#include <stretto/element.hpp>
#include <stretto/handle.hpp>
#include <stretto/region.hpp>
#include <stretto/shape.hpp>

#include "rma/engine/operation.hpp"
#include "rma/path/choose_path.hpp"
#include "rma/path/layout.hpp"

namespace stretto::rma {

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

}  // namespace stretto::rma
