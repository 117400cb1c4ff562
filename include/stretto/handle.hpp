// SPDX-License-Identifier: BSD-3-Clause
// An explicit handle: one nonblocking operation, until it is waited for. Completion is local: a put's source
// may be reused, a get's data is there. Runtime::wait, test and wait_any take it.
#pragma once

#include <cstdint>
#include <memory>
#include <stretto/options.hpp>

namespace stretto {

namespace rma {
struct Operation;
struct RegionState;
struct HandleAccess;
}  // namespace rma

class [[nodiscard]] Handle {
 public:
  /// Stands for nothing; waiting for it returns at once.
  Handle() = default;
  Handle(Handle&& other) noexcept;
  Handle& operator=(Handle&& other) noexcept;
  /// A handle that is pending must be waited for: dropped, it is an error on stderr that ends the program
  /// (or what Runtime::on_dropped_handle was given). Under an exception it is waited for.
  ~Handle() {
    if (pending()) drop();
  }

  /// Neither waited for nor tested with success.
  [[nodiscard]] bool pending() const { return region_ != nullptr; }

 private:
  friend struct rma::HandleAccess;
  void drop() noexcept;

  rma::RegionState* region_ = nullptr;         // of the operation; nullptr when there is nothing to wait for
  std::shared_ptr<rma::Operation> operation_;  // on the message path
  std::uint64_t ticket_ = 0;                   // on the rma path
  int target_ = 0;
  Path path_ = Path::direct;
};

}  // namespace stretto
