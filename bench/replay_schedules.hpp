// SPDX-License-Identifier: BSD-3-Clause
// Schedules to measure the replay with: the ones that LogGOPSim's figures are of, in any size.
#pragma once

#include <cstdint>
#include <string>

#include "replay/schedule.hpp"

namespace stretto::bench {

/// `rows` x `columns` ranks on a torus; every iteration calculates, then exchanges with four neighbours.
/// A rank waits for all four before it calculates again. 9 operations a rank and iteration.
[[nodiscard]] replay::Schedule halo(std::uint32_t rows, std::uint32_t columns, std::uint32_t iterations,
                                    std::uint64_t size_bytes, std::uint64_t work_ns);

/// Every rank sends to every other and receives from it, all at once, in the order of their distance.
[[nodiscard]] replay::Schedule all_to_all(std::uint32_t ranks, std::uint64_t size_bytes);

/// 2^steps ranks; in step k a rank exchanges with the one whose number differs in bit k, then reduces.
[[nodiscard]] replay::Schedule recursive_doubling(std::uint32_t steps, std::uint64_t size_bytes,
                                                  std::uint64_t reduce_ns);

}  // namespace stretto::bench
