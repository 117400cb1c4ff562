// SPDX-License-Identifier: BSD-3-Clause
#include "progress/agreement.hpp"

namespace stretto::progress {

WorldAgreement::WorldAgreement() { PMPI_Comm_dup(MPI_COMM_WORLD, &communicator_); }

void WorldAgreement::post(const Trial::Rates& rates) {
  own_ = rates;
  PMPI_Iallreduce(own_.data(), sums_.data(), static_cast<int>(own_.size()), MPI_DOUBLE, MPI_SUM,
                  communicator_, &request_);
  ++posted_;
}

std::optional<Trial::Rates> WorldAgreement::sums() {
  int completed = 0;
  PMPI_Test(&request_, &completed, MPI_STATUS_IGNORE);
  return completed != 0 ? std::optional(sums_) : std::nullopt;
}

// A nonblocking collective cannot be cancelled: what one rank has begun, all must begin.
void WorldAgreement::finish() {
  int most = posted_;
  PMPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  PMPI_Wait(&request_, MPI_STATUS_IGNORE);
  while (posted_ < most) {
    post({});
    PMPI_Wait(&request_, MPI_STATUS_IGNORE);
  }
  PMPI_Comm_free(&communicator_);
}

}  // namespace stretto::progress
