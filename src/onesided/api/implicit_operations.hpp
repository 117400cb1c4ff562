// SPDX-License-Identifier: BSD-3-Clause
// The implicit operations of the message path to one target, until they are waited for.
#pragma once

#include <memory>
#include <vector>

#include "onesided/engine/operation.hpp"
#include "onesided/memory/threading.hpp"

namespace stretto::onesided {

/// Those to each target have a lock of their own, because threads have targets of their own.
class ImplicitOperations {
 public:
  void add(std::shared_ptr<MessageOperation>&& operation);
  [[nodiscard]] std::vector<std::shared_ptr<MessageOperation>> all();
  void remove_done();

 private:
  void remove_done_locked();

  Mutex mutex_;
  std::vector<std::shared_ptr<MessageOperation>> operations_;
};

}  // namespace stretto::onesided
