// SPDX-License-Identifier: BSD-3-Clause
// Which memory consecutive messages of the probes latency and bandwidth use.
#pragma once

#include <array>
#include <string_view>

#include "measure/named.hpp"

namespace stretto::probe {

using measure::to_string;

/// distinct: each message of a window or of a series of ping-pongs has its own part of the buffers. same: all
/// messages use one part, which stays in the processor's cache, as in the OSU micro-benchmarks.
enum class Buffers { distinct, same };

constexpr std::array<std::string_view, 2> names_of(Buffers /*type*/) { return {"distinct", "same"}; }

}  // namespace stretto::probe
