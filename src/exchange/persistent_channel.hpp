// SPDX-License-Identifier: BSD-3-Clause
// Transport `mpi-persistent`: MPI_Send_init and MPI_Recv_init once per transfer, then MPI_Start.
#pragma once

#include <vector>

#include "exchange/prepared_requests.hpp"
#include "exchange/two_sided_channel.hpp"

namespace stretto::exchange {

class PersistentChannel : public TwoSidedChannel {
 public:
  using Channel::supports;

  /// Duplicates `parent`. Collective.
  explicit PersistentChannel(MPI_Comm parent) : TwoSidedChannel(parent) {}

  [[nodiscard]] std::string_view name() const override { return "mpi-persistent"; }
  [[nodiscard]] bool supports(Method method) const override { return method == Method::individual; }
  void reserve(std::size_t size_bytes) override;
  Ticket start(const Transfer& transfer) override;
  Ticket expect(const Transfer& transfer) override;
  // The pieces go one by one through start() and expect() of this class.
  // NOLINTBEGIN(bugprone-parent-virtual-call)
  void start_pieces(const Pieces& pieces, Method method) override { Channel::start_pieces(pieces, method); }
  void expect_pieces(const Pieces& pieces, Method method) override { Channel::expect_pieces(pieces, method); }
  // NOLINTEND(bugprone-parent-virtual-call)
  void finish(Ticket ticket) override;
  void finish() override;
  void poll() override;

 protected:
  Ticket started(MPI_Request& request);

  PreparedRequests prepared_;

 private:
  std::vector<MPI_Request> active_;  // handles of started requests; completion does not change a handle
};

}  // namespace stretto::exchange
