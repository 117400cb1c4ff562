// SPDX-License-Identifier: BSD-3-Clause
// The transports of the kernels.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "exchange/transports.hpp"

namespace stretto::kernel {

/// The transports that a kernel can use. The first, the runtime, is the default.
inline constexpr auto kernel_transports = [] {
  // Those with an arena have a public name. The arena's address is no constant expression under sanitizers.
  constexpr auto fits = [](const exchange::TransportEntry& one) { return one.transport && one.overlaps; };
  std::array<std::string_view, std::ranges::count_if(exchange::transports, fits)> names;
  auto last = names.rbegin();
  for (const exchange::TransportEntry& one : exchange::transports) {
    if (fits(one)) *last++ = one.name;
  }
  return names;
}();

}  // namespace stretto::kernel
