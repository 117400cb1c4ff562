// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

namespace stretto::mpi {

/// A count as MPI's calls take it. Throws std::invalid_argument where an int is too small; `what` (such as
/// "numbers in one message") is for the message.
[[nodiscard]] inline int count_of(std::size_t number, std::string_view what) {
  constexpr std::size_t most = std::numeric_limits<int>::max();
  if (number <= most) [[likely]]
    return static_cast<int>(number);
  throw std::invalid_argument(std::to_string(number) + " " + std::string(what) + "; MPI counts to " +
                              std::to_string(most) + ": use more ranks, or smaller pieces");
}

}  // namespace stretto::mpi
