// SPDX-License-Identifier: BSD-3-Clause
// Which memory consecutive messages of the probes latency and bandwidth use.
#pragma once

#include <optional>
#include <string_view>

namespace stretto::probe {

/// distinct: each message of a window or of a series of ping-pongs has its own part of the buffers. same: all
/// messages use one part, which stays in the processor's cache, as in the OSU micro-benchmarks.
enum class Buffers { distinct, same };

/// The names in files and on command lines.
[[nodiscard]] std::string_view to_string(Buffers buffers);
[[nodiscard]] std::optional<Buffers> buffers_from(std::string_view name);

}  // namespace stretto::probe
