// SPDX-License-Identifier: BSD-3-Clause
// Which memory consecutive messages of the probes latency and bandwidth use.
#pragma once

#include <optional>
#include <string_view>

namespace stretto::probe {

/// distinct: each message of a window or of a series of ping-pongs has its own place in the buffers. same:
/// all use one place, which stays in the processor's cache, as the OSU micro-benchmarks do.
enum class Buffers { distinct, same };

[[nodiscard]] std::string_view to_string(Buffers buffers);
[[nodiscard]] std::optional<Buffers> buffers_from(std::string_view name);

}  // namespace stretto::probe
