// SPDX-License-Identifier: BSD-3-Clause
// How long a thread was runnable and had no core. On a busy machine all times of its trace include such
// waits.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace stretto::trace {

/// Nanoseconds since the thread's start for which it could have run, and another ran. None where the kernel
/// does not say, or the process can open no file.
[[nodiscard]] std::optional<std::uint64_t> waited_for_core_ns();

/// The same from the text of a file `schedstat` of Linux: time on a core, time of waiting for one, and turns.
/// None of a thread that has not run: the kernel does not count.
[[nodiscard]] std::optional<std::uint64_t> waited_in(std::string_view schedstat);

}  // namespace stretto::trace
