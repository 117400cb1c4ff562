// SPDX-License-Identifier: BSD-3-Clause
// The probes `nbc` and `neighbourhood` over MPI: nonblocking collectives on the groups and buffers of
// MpiCollectives, and exchanges with neighbours on a Cartesian communicator.
#pragma once

#include <mpi.h>

#include <array>
#include <vector>

#include "probe/nonblocking.hpp"
#include "tools/mpi_collectives.hpp"

namespace stretto::tools {

class MpiNonblocking final : public probe::NonblockingCollectives {
 public:
  explicit MpiNonblocking(MPI_Comm world);
  ~MpiNonblocking() override;

  [[nodiscard]] std::string_view absence(probe::NonblockingOperation operation) const override;
  void prepare(const probe::NonblockingCall& call, bool checked) override;
  void start() override;
  void poll() override;
  void finish() override;
  void fill(std::uint32_t seed) override;
  [[nodiscard]] measure::CheckedTransfers verify(std::uint32_t seed) const override;

 private:
  [[nodiscard]] bool with_neighbours() const {
    return call_.operation >= probe::NonblockingOperation::neighbor_alltoall;
  }
  void prepare_neighbours(bool checked);
  void start_collective();
  void start_sends();
  [[nodiscard]] measure::CheckedTransfers verify_neighbours(std::uint32_t seed) const;

  MPI_Comm world_;
  int rank_ = 0;
  MpiCollectives collectives_;
  probe::NonblockingCall call_;
  std::vector<int> counts_;            // of a reduce-scatter
  std::vector<MPI_Request> requests_;  // under way
  MPI_Comm grid_ = MPI_COMM_NULL;      // all ranks; created once
  std::array<int, 4> neighbours_{};    // -1 at the border
  Buffer send_;                        // of neighbours: a block a direction
  Buffer receive_;
};

}  // namespace stretto::tools
