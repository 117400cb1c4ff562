// SPDX-License-Identifier: BSD-3-Clause
// One task for each of several numbers, on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace stretto::replay {

/// Calls a task with each number below `count`. Every thread makes a task of its own with `make_task` once it
/// has a number, so a task may keep what it needs again. `threads`: 0 for the number of cores.
///
/// After a failure no further number is begun. Of several failures that of the lowest number is thrown.
void for_all(std::size_t count, unsigned threads,
             const std::function<std::function<void(std::size_t)>()>& make_task);

}  // namespace stretto::replay
