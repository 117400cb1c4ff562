// SPDX-License-Identifier: BSD-3-Clause
#include "memory/conversion.hpp"

#include <algorithm>

#include "memory/granules.hpp"

namespace stretto::memory {
namespace {

const std::uint64_t first_ticks = ticks();
const std::uint64_t first_ns = clock_ns();

}  // namespace

Conversion::Conversion()
    : now_ticks_(ticks()),
      now_ns_(clock_ns()),
      ns_of_a_tick_(static_cast<double>(now_ns_ - first_ns) /
                    static_cast<double>(std::max<std::uint64_t>(now_ticks_ - first_ticks, 1))) {}

std::uint64_t Conversion::ns(std::uint64_t ticks) const {
  const auto since = static_cast<double>(static_cast<std::int64_t>(ticks - now_ticks_));
  return now_ns_ + static_cast<std::uint64_t>(static_cast<std::int64_t>(since * ns_of_a_tick_));
}

}  // namespace stretto::memory
