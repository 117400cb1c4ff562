// SPDX-License-Identifier: BSD-3-Clause
// What a replay keeps of an operation.
#pragma once

#include "replay/schedule.hpp"

namespace stretto::replay {

struct OperationState {
  double ready_s = 0;           ///< arrival time of a message
  std::uint32_t remaining = 0;  ///< unfinished dependencies, or Stuck::ended
  OperationId link = 0;         ///< next in the channel's queue, later the matching operation
};

}  // namespace stretto::replay
