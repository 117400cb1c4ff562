// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/api/max_exchange.hpp"

#include <algorithm>
#include <stretto/error.hpp>

#include "mpi/check.hpp"
#include "onesided/api/left_behind.hpp"

namespace stretto::onesided {

using mpi::check;

// A dissemination algorithm: SimGrid's MPI_Ibarrier lets ranks leave before all have entered.
bool MaxExchange::advance(MPI_Comm over) {
  for (; distance < size; distance *= 2) {
    if (!started) {
      check(MPI_Irecv(&theirs, 1, MPI_UINT64_T, (rank - distance + size) % size, distance, over,
                      requests.data()),
            "MPI_Irecv");
      check(MPI_Isend(&value, 1, MPI_UINT64_T, (rank + distance) % size, distance, over, &requests[1]),
            "MPI_Isend");
      started = true;
    }
    for (MPI_Request& request : requests) {
      int done = 0;
      if (request == MPI_REQUEST_NULL) continue;  // SimGrid makes a second test an error
      check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
      if (done == 0) return false;
    }
    started = false;
    value = std::max(value, theirs);
  }
  return true;
}

std::unique_ptr<MaxExchange> InterruptedExchanges::take(MPI_Comm over, ExchangePurpose purpose,
                                                        std::uint64_t value) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(exchanges_.begin(), exchanges_.end(), [&](const auto& one) { return one.first == over; });
  if (found == exchanges_.end()) {
    auto exchange = std::make_unique<MaxExchange>();
    exchange->purpose = purpose;
    exchange->value = value;
    check(MPI_Comm_rank(over, &exchange->rank), "MPI_Comm_rank");
    check(MPI_Comm_size(over, &exchange->size), "MPI_Comm_size");
    return exchange;
  }
  if (found->second->purpose != purpose) {
    throw HandleError("another collective of these ranks has timed out: call it again first");
  }
  std::unique_ptr<MaxExchange> exchange = std::move(found->second);
  exchanges_.erase(found);
  return exchange;
}

void InterruptedExchanges::keep(MPI_Comm over, std::unique_ptr<MaxExchange> exchange) {
  const std::lock_guard lock(mutex_);
  exchanges_.emplace_back(over, std::move(exchange));
}

void InterruptedExchanges::leave(MPI_Comm over) noexcept {
  const std::lock_guard lock(mutex_);
  for (auto& [communicator, exchange] : exchanges_) {
    if (communicator == over) leave_behind(std::move(exchange));
  }
  std::erase_if(exchanges_, [&](const auto& one) { return one.first == over; });
}

void InterruptedExchanges::leave_all() noexcept {
  const std::lock_guard lock(mutex_);
  for (auto& [communicator, exchange] : exchanges_) leave_behind(std::move(exchange));
  exchanges_.clear();
}

}  // namespace stretto::onesided
