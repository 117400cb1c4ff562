// SPDX-License-Identifier: BSD-3-Clause
// An explicit handle: one nonblocking operation, until it is waited for. Completion is local: a put's source
// may be reused, a get's data is there. Runtime::wait, test and wait_any take it.
#pragma once

#include <cstdint>
#include <memory>
#include <stretto/options.hpp>

namespace stretto {

namespace onesided {
struct MessageOperation;
struct RegionState;
struct HandleAccess;
}  // namespace onesided

class [[nodiscard]] Handle {
 public:
  /// A handle of no operation; waiting for it returns at once.
  Handle() = default;
  Handle(Handle&& other) noexcept;
  Handle& operator=(Handle&& other) noexcept;
  /// A pending handle must be waited for. Dropping one is an error on stderr that ends the program, or calls
  /// what Runtime::on_dropped_handle was given. While an exception unwinds, the operation is waited for, or
  /// after a timeout abandoned.
  ~Handle() {
    if (pending()) drop();
  }

  /// Whether the operation was neither waited for nor tested with success.
  [[nodiscard]] bool pending() const { return region_ != nullptr; }

 private:
  friend struct onesided::HandleAccess;
  void drop() noexcept;

  onesided::RegionState* region_ = nullptr;  // of the operation; nullptr when there is nothing to wait for
  std::shared_ptr<onesided::MessageOperation> operation_;  // on the message path
  std::uint64_t ticket_ = 0;                               // on the rma path
  int target_ = 0;
  Path path_ = Path::direct;
};

}  // namespace stretto
