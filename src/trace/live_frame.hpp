// SPDX-License-Identifier: BSD-3-Clause
// Whether a wrapper's frame is still on the stack after longjmp, which runs no destructors. Knows no MPI.
#pragma once

namespace stretto::trace {

/// Whether the object lies in a frame of this library that the calling thread has not left. Only frames
/// outside of that of `inner`, an object of a caller, count.
[[nodiscard]] bool is_in_live_frame(const void* object, const void* inner);

}  // namespace stretto::trace
