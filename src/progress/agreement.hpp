// SPDX-License-Identifier: BSD-3-Clause
// The ranks of MPI_COMM_WORLD agree on a trial, by sums on a communicator of their own.
#pragma once

#include <mpi.h>

#include <optional>

#include "progress/poller.hpp"

namespace stretto::progress {

class WorldAgreement final : public Agreement {
 public:
  /// Collective over MPI_COMM_WORLD.
  WorldAgreement();
  ~WorldAgreement() override = default;

  void post(const Trial::Rates& rates) override;
  std::optional<Trial::Rates> sums() override;

  /// Completes the sums that some ranks have begun. Collective; nothing may be called afterwards.
  void finish();

 private:
  MPI_Comm communicator_ = MPI_COMM_NULL;
  MPI_Request request_ = MPI_REQUEST_NULL;
  Trial::Rates own_{};
  Trial::Rates sums_{};
  int posted_ = 0;
};

}  // namespace stretto::progress
