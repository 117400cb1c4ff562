// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/api/left_behind.hpp"

#include <mutex>
#include <utility>
#include <vector>

#include "onesided/memory/threading.hpp"

namespace stretto::onesided {

void leave_behind(std::shared_ptr<void> object) noexcept {
  // Both are never destroyed: MPI may end after the destructors of a process have run. Without memory for
  // them the program ends. NOLINTBEGIN(bugprone-unhandled-exception-at-new)
  static auto& mutex = *new Mutex;
  static auto& objects = *new std::vector<std::shared_ptr<void>>;
  // NOLINTEND(bugprone-unhandled-exception-at-new)
  const std::lock_guard lock(mutex);
  objects.push_back(std::move(object));
}

}  // namespace stretto::onesided
