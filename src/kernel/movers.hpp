// SPDX-License-Identifier: BSD-3-Clause
// The four movers, for make_mover() only.
#pragma once

#include <memory>
#include <vector>

#include "kernel/mover.hpp"

namespace stretto::kernel {

[[nodiscard]] std::unique_ptr<Mover> one_sided_mover(Runtime& runtime, const Team& team,
                                                     const MoverShape& shape,
                                                     const std::vector<Route>& routes);
[[nodiscard]] std::unique_ptr<Mover> rma_mover(const Team& team, const MoverShape& shape);
[[nodiscard]] std::unique_ptr<Mover> two_sided_mover(const Team& team, const MoverShape& shape,
                                                     std::vector<Route> routes);
/// One contiguous block a source: that is what an all-to-all can carry.
[[nodiscard]] std::unique_ptr<Mover> alltoall_mover(const Team& team, const MoverShape& shape,
                                                    const std::vector<Route>& routes);

}  // namespace stretto::kernel
