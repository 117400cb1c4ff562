// SPDX-License-Identifier: BSD-3-Clause
// Transport `mpi-rma`: MPI_Put and MPI_Get on an allocated window in a permanent lock epoch, completed by a
// flush. Puts arrive in the window; gets read from it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "exchange/mpi_vector_type.hpp"
#include "exchange/rma_window.hpp"
#include "mpi/communicator.hpp"

namespace stretto::exchange {

class RmaChannel final : public Channel {
 public:
  using Channel::supports;

  /// Duplicates `parent`. Collective.
  explicit RmaChannel(MPI_Comm parent);

  [[nodiscard]] std::string_view name() const override { return "mpi-rma"; }
  [[nodiscard]] bool supports(ChannelOperation operation) const override {
    return operation != ChannelOperation::send;
  }
  void reserve(std::size_t size_bytes) override;
  [[nodiscard]] TransferBuffers memory(ChannelOperation operation) override;
  Ticket start(const Transfer& transfer) override;
  Ticket expect(const Transfer& transfer) override;
  [[nodiscard]] bool supports(Method method) const override { return method != Method::aggregate; }
  void start_pieces(const Pieces& pieces, Method method) override;
  void finish(Ticket ticket) override;
  void finish() override;
  /// A signal is a flush and then an empty message, because MPI's one-sided operations do not notify their
  /// target.
  [[nodiscard]] bool signals() const override { return true; }
  void deliver(Ticket ticket) override;
  void barrier() override;
  void poll() override;
  void fill(std::uint32_t seed) override;
  [[nodiscard]] bool arrived(const Transfer& transfer, std::uint32_t seed) const override;

 private:
  // Layout of the window: the source of gets, then the target of puts.
  [[nodiscard]] std::span<std::byte> exposed() const { return {window_->memory(), size_bytes_}; }
  [[nodiscard]] std::span<std::byte> received_by_put() const {
    return {window_->memory() + size_bytes_, size_bytes_};
  }

  mpi::Communicator communicator_;
  MpiVectorType vector_;
  std::optional<RmaWindow> window_;  // none before reserve()
  std::size_t size_bytes_ = 0;
  std::vector<std::byte> outgoing_;            // sources of puts
  std::vector<std::byte> fetched_;             // destinations of gets
  std::vector<bool> unflushed_;                // peers with operations that are not flushed yet
  std::vector<bool> unsignalled_;              // peers that must still be notified of a put
  std::vector<MPI_Request> signals_sent_;      // notifications to other ranks
  std::vector<MPI_Request> signals_expected_;  // notifications to this rank
};

}  // namespace stretto::exchange
