// SPDX-License-Identifier: BSD-3-Clause
// Whether the thread runs a signal handler of the program. A handler may interrupt the allocator, or this
// library: what it loads and stores is not recorded.
#pragma once

namespace stretto::memory {

extern constinit thread_local unsigned signal_handlers __attribute__((tls_model("initial-exec")));

[[nodiscard]] inline bool in_signal_handler() { return signal_handlers > 0; }

}  // namespace stretto::memory
