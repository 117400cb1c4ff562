// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/api/implicit_operations.hpp"

#include <bit>
#include <utility>

namespace stretto::onesided {

void ImplicitOperations::add(std::shared_ptr<MessageOperation>&& operation) {
  const std::lock_guard lock(mutex_);
  // Completed ones are removed now and then, because any number may be outstanding.
  if (operations_.size() >= 64 && std::has_single_bit(operations_.size())) remove_done_locked();
  operations_.push_back(std::move(operation));
}

std::vector<std::shared_ptr<MessageOperation>> ImplicitOperations::all() {
  const std::lock_guard lock(mutex_);
  return operations_;  // a copy: another thread may wait for them, too
}

void ImplicitOperations::remove_done() {
  const std::lock_guard lock(mutex_);
  remove_done_locked();
}

void ImplicitOperations::remove_done_locked() {
  std::erase_if(operations_, [](const auto& one) { return one->done.load() || one->abandoned.load(); });
}

}  // namespace stretto::onesided
