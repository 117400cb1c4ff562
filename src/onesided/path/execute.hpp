// SPDX-License-Identifier: BSD-3-Clause
// Carries out one transfer: checks it, chooses its path, and completes it or starts it.
#pragma once

#include <memory>
#include <stretto/element.hpp>
#include <stretto/handle.hpp>
#include <stretto/region.hpp>
#include <stretto/shape.hpp>

#include "onesided/engine/operation.hpp"
#include "onesided/path/choose_path.hpp"
#include "onesided/path/layout.hpp"

namespace stretto::onesided {

struct LayoutTransfer {
  OperationKind kind = OperationKind::put;
  const Region& region;
  int target = 0;  // in the region's team
  Layout layout;
  Scale scale{};
  PacketFlag flag{};
};

/// A put or get of one piece. Most are, and they take less time than a layout would.
struct ContiguousTransfer {
  OperationKind kind = OperationKind::put;
  const Region& region;
  int target = 0;  // in the region's team
  Piece piece;     // in `region`; its own number is not set
};

/// Returns when it is complete at this rank.
void run(LayoutTransfer&& transfer);
void run(const ContiguousTransfer& transfer);
/// Returns when it has started.
[[nodiscard]] Handle start(LayoutTransfer&& transfer);
[[nodiscard]] Handle start(const ContiguousTransfer& transfer);
/// The same, completed by wait_implicit.
void start_implicit(LayoutTransfer&& transfer);
void start_implicit(const ContiguousTransfer& transfer);

}  // namespace stretto::onesided
