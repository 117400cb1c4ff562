// SPDX-License-Identifier: BSD-3-Clause
// The two completions of one operation, and a fence that does not wait. Source completion: the source may be
// changed, as after Runtime::wait. Operation completion: the data is also visible at the target, as after a
// fence. For what fetches data both are the same.
//
// Where the target's runtime serves requests, the first test of operation completion sends a query, which
// the target answers. Over MPI_Put there is no query and no test: these calls wait. They throw HandleError,
// FinalizedError and TimeoutError.
#pragma once

#include <stretto/handle.hpp>
#include <stretto/runtime.hpp>
#include <vector>

namespace stretto {

/// Source completion. The handle stays pending, because its operation may still be on its way.
void wait_source(Handle& handle);
[[nodiscard]] bool test_source(Handle& handle);

/// Operation completion; the handle is not pending afterwards, or when the test returns true.
void wait_remote(Handle& handle);
[[nodiscard]] bool test_remote(Handle& handle);

namespace nonblocking {

/// A fence as an operation of its own: its handle completes when all puts, accumulates and updates that this
/// rank has started to `target` are visible there. Throws ArgumentError `target`.
Handle fence(Runtime& runtime, int target);
/// One handle for each rank that has something outstanding.
[[nodiscard]] std::vector<Handle> fence(Runtime& runtime);

}  // namespace nonblocking

}  // namespace stretto
