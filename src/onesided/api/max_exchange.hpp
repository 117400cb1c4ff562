// SPDX-License-Identifier: BSD-3-Clause
// An allreduce by messages between pairs of ranks. Requests are served between them, which a collective of
// MPI would not do. One that a timeout has interrupted keeps its place: MPI may still write to it, and the
// next call continues there, so that all ranks stay in step.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "onesided/memory/threading.hpp"

namespace stretto::onesided {

/// What the next call on the same communicator must be.
enum class ExchangePurpose { barrier, agreement };

struct MaxExchange {
  ExchangePurpose purpose = ExchangePurpose::barrier;
  std::uint64_t value = 0;
  std::uint64_t theirs = 0;
  int rank = 0;  // in the communicator, and its size
  int size = 0;
  int distance = 1;
  std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  bool started = false;  // the messages of this distance

  /// Moves it as far as it goes without waiting. True when it has ended.
  [[nodiscard]] bool advance(MPI_Comm over);
};

/// The exchanges that were interrupted, by communicator.
class InterruptedExchanges {
 public:
  /// That of the communicator, or a new one. Throws HandleError where one for another purpose has not ended.
  [[nodiscard]] std::unique_ptr<MaxExchange> take(MPI_Comm over, ExchangePurpose purpose,
                                                  std::uint64_t value);
  void keep(MPI_Comm over, std::unique_ptr<MaxExchange> exchange);
  /// The communicator is about to be freed: what MPI may still write to is never freed.
  void leave(MPI_Comm over) noexcept;
  void leave_all() noexcept;

 private:
  Mutex mutex_;
  std::vector<std::pair<MPI_Comm, std::unique_ptr<MaxExchange>>> exchanges_;
};

}  // namespace stretto::onesided
