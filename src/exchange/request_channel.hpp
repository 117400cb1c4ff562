// SPDX-License-Identifier: BSD-3-Clause
// Transport `mpi-request`: a get built from two-sided MPI. The origin sends a request and waits for the data.
// The target answers only when it is inside an MPI call (ARMCI paper, section 4.1, figure 6).
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "exchange/channel.hpp"
#include "mpi/communicator.hpp"

namespace stretto::exchange {

class RequestChannel final : public Channel {
 public:
  using Channel::finish;
  using Channel::supports;

  /// Duplicates `parent`. Collective.
  explicit RequestChannel(MPI_Comm parent) : communicator_(parent) {}

  [[nodiscard]] std::string_view name() const override { return "mpi-request"; }
  [[nodiscard]] bool supports(ChannelOperation operation) const override {
    return operation == ChannelOperation::get;
  }
  [[nodiscard]] bool has_passive_side(ChannelOperation /*operation*/) const override { return true; }
  void reserve(std::size_t size_bytes) override;
  Ticket start(const Transfer& transfer) override;
  Ticket expect(const Transfer& transfer) override;
  void finish() override;
  void barrier() override;
  void poll() override;
  void fill(std::uint32_t seed) override;
  [[nodiscard]] bool arrived(const Transfer& transfer, std::uint32_t seed) const override;

 private:
  struct RequestHeader {
    std::uint64_t offset_bytes = 0;
    std::uint64_t size_bytes = 0;
  };
  struct Expected {
    RequestHeader header;
    int peer = 0;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void answer_requests();

  mpi::Communicator communicator_;
  std::vector<std::byte> outgoing_;
  std::vector<std::byte> incoming_;
  std::vector<MPI_Request> under_way_;  // outgoing requests and data, and receives of data
  std::deque<RequestHeader> sent_;      // outgoing requests, kept until their sends complete
  std::deque<Expected> expected_;       // expected requests of other ranks
};

}  // namespace stretto::exchange
