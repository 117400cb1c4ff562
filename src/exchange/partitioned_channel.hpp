// SPDX-License-Identifier: BSD-3-Clause
// Transport `mpi-partitioned`: MPI-4's partitioned point-to-point communication. A send has parts that the
// sender marks as ready one by one with MPI_Pready.
#pragma once

#include <mpi.h>

// Open MPI 5 has partitioned communication, but calls itself MPI 3.1. SMPI has none.
#if defined(STRETTO_SIMGRID)
#define STRETTO_PARTITIONED 0
#elif MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
#define STRETTO_PARTITIONED 1
#else
#define STRETTO_PARTITIONED 0
#endif

#if STRETTO_PARTITIONED

#include <vector>

#include "exchange/prepared_requests.hpp"
#include "exchange/two_sided_channel.hpp"

namespace stretto::exchange {

class PartitionedChannel final : public TwoSidedChannel {
 public:
  using Channel::supports;

  /// Duplicates `parent`. Collective.
  explicit PartitionedChannel(MPI_Comm parent) : TwoSidedChannel(parent) {}

  [[nodiscard]] std::string_view name() const override { return "mpi-partitioned"; }
  [[nodiscard]] bool supports(ChannelOperation operation) const override {
    return operation == ChannelOperation::send;
  }
  [[nodiscard]] bool supports(Method method) const override { return method == Method::individual; }
  void reserve(std::size_t size_bytes) override;
  Ticket start(const Transfer& transfer) override;
  Ticket expect(const Transfer& transfer) override;
  void start_parts(const Transfer& transfer, int parts) override;
  void ready(const Transfer& transfer, int parts, int part) override;
  void expect_parts(const Transfer& transfer, int parts) override;
  // The pieces go one by one through start() and expect() of this class.
  // NOLINTBEGIN(bugprone-parent-virtual-call)
  void start_pieces(const Pieces& pieces, Method method) override { Channel::start_pieces(pieces, method); }
  void expect_pieces(const Pieces& pieces, Method method) override { Channel::expect_pieces(pieces, method); }
  // NOLINTEND(bugprone-parent-virtual-call)
  void finish(Ticket ticket) override;
  void finish() override;
  void poll() override;

 private:
  Ticket started(MPI_Request& request);

  PreparedRequests prepared_;
  std::vector<MPI_Request> active_;      // handles of started requests; completion does not change a handle
  MPI_Request open_ = MPI_REQUEST_NULL;  // the send of which parts become ready
};

}  // namespace stretto::exchange

#endif
