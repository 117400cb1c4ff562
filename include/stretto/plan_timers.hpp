// SPDX-License-Identifier: BSD-3-Clause
// Where the time of a plan went: of transforms, of sparse products.
#pragma once

namespace stretto {

/// Seconds since the plan was made, or its timers were set back. They add up to the time in its calls.
struct PlanTimers {
  double init_s = 0;     ///< preparing and starting transfers, with waiting for a target that is not ready
  double work_s = 0;     ///< transforming and copying, or multiplying
  double sync_s = 0;     ///< waiting for data of others
  double barrier_s = 0;  ///< notifying others that theirs may be read, or was
};

}  // namespace stretto
