// SPDX-License-Identifier: BSD-3-Clause
// Waits that a program can end: an interpreter sees a Ctrl-C only when it is called.
#pragma once

#include <functional>

namespace stretto {

/// Has the waits of this thread call `check`, about ten times a second. Where it returns true, the wait
/// throws InterruptedError, which leaves memory and handles as TimeoutError does. Data that MPI moves in
/// place is waited for first; where `check` returns true once more, one line ends all ranks. A wait in a call
/// of MPI, as on path rma, does not end. `check` must not call the runtime. An empty one: none.
void check_in_waits(std::function<bool()> check);

}  // namespace stretto
