// SPDX-License-Identifier: BSD-3-Clause
// Transport `mpi-two-sided`: MPI_Isend and MPI_Irecv, completed together.
#pragma once

#include <vector>

#include "exchange/mpi_vector_type.hpp"
#include "exchange/page_memory.hpp"
#include "mpi/communicator.hpp"

namespace stretto::exchange {

class TwoSidedChannel : public Channel {
 public:
  using Channel::finish;
  using Channel::supports;

  /// Duplicates `parent`. Collective.
  explicit TwoSidedChannel(MPI_Comm parent) : communicator_(parent) {}

  [[nodiscard]] std::string_view name() const override { return "mpi-two-sided"; }
  [[nodiscard]] bool supports(ChannelOperation operation) const override {
    return operation == ChannelOperation::send;
  }
  void reserve(std::size_t size_bytes) override;
  [[nodiscard]] TransferBuffers memory(ChannelOperation /*operation*/) override {
    return {outgoing_, incoming_};
  }
  Ticket start(const Transfer& transfer) override;
  Ticket expect(const Transfer& transfer) override;
  [[nodiscard]] bool supports(Method method) const override { return method != Method::aggregate; }
  void start_pieces(const Pieces& pieces, Method method) override;
  void expect_pieces(const Pieces& pieces, Method method) override;
  void finish(Ticket ticket) override;
  void finish() override;
  void barrier() override;
  void poll() override;
  void fill(std::uint32_t seed) override;
  [[nodiscard]] bool arrived(const Transfer& transfer, std::uint32_t seed) const override;

 protected:
  [[nodiscard]] MPI_Comm communicator() const { return communicator_.get(); }
  /// Where the data of a transfer leaves from and arrives.
  [[nodiscard]] std::byte* source(const Transfer& transfer) {
    return outgoing_.data() + transfer.offset_bytes;
  }
  [[nodiscard]] std::byte* destination(const Transfer& transfer) {
    return incoming_.data() + transfer.receive_offset();
  }

 private:
  mpi::Communicator communicator_;
  MpiVectorType vector_;
  PageMemory outgoing_;
  PageMemory incoming_;
  std::vector<MPI_Request> requests_;
};

}  // namespace stretto::exchange
