// SPDX-License-Identifier: BSD-3-Clause
// Transport `mpi-rma`: MPI_Put and MPI_Get on an allocated window in a permanent lock epoch, completed by a
// flush. Puts arrive in the window; gets read from it.
#include <mpi.h>

#include <optional>
#include <stdexcept>
#include <vector>

#include "exchange/memory_channel.hpp"
#include "exchange/messages.hpp"
#include "exchange/mpi_vector_type.hpp"
#include "exchange/rma_window.hpp"
#include "exchange/transports.hpp"
#include "mpi/check.hpp"
#include "onesided/memory/cache_lines.hpp"

namespace stretto::exchange {
namespace {

using mpi::check;

constexpr int signal_tag = 1;

class RmaChannel final : public MemoryChannel {
 public:
  using MemoryChannel::supports;

  explicit RmaChannel(MPI_Comm parent)
      : MemoryChannel(parent),
        communicator_(parent),
        unflushed_(static_cast<std::size_t>(communicator_.size()), false),
        unsignalled_(unflushed_) {}

  std::string_view name() const override { return "mpi-rma"; }
  bool supports(ChannelOperation operation) const override { return operation != ChannelOperation::send; }
  bool supports(Method method) const override { return method != Method::aggregate; }

  void reserve(std::size_t size_bytes) override {
    if (size_bytes <= this->size_bytes()) return;
    size_bytes = onesided::round_up_to_lines(size_bytes);
    window_.reset();
    window_.emplace(communicator_.get(), 2 * size_bytes);
    allocate(size_bytes, {window_->memory(), 2 * size_bytes});
    window_->synchronise();
  }

  Ticket start(const Transfer& transfer) override {
    if (transfer.signal) unsignalled_[static_cast<std::size_t>(transfer.peer)] = true;
    return move(transfer, static_cast<int>(transfer.size_bytes), MPI_BYTE);
  }

  Ticket expect(const Transfer& transfer) override {
    if (!transfer.signal) throw std::logic_error("a one-sided operation has no passive side");
    start_receive(nullptr, 0, MPI_BYTE, transfer.peer, signal_tag, communicator_.get(),
                  signals_expected_.emplace_back(MPI_REQUEST_NULL));
    return unflushed_.size() + signals_expected_.size() - 1;  // after the tickets that are peers
  }

  void start_pieces(const Pieces& pieces, Method method) override {
    if (method == Method::individual) return Channel::start_pieces(pieces, method);
    move(pieces.piece(0), 1, vector_.of(pieces));
  }

  void finish(Ticket ticket) override {
    if (ticket >= unflushed_.size()) {
      wait_for(signals_expected_[ticket - unflushed_.size()]);
      window_->synchronise();
      return;
    }
    if (!unflushed_[ticket]) return;
    window_->flush(static_cast<int>(ticket));
    unflushed_[ticket] = false;
  }

  void finish() override {
    for (Ticket peer = 0; peer < unflushed_.size(); ++peer) {
      deliver(peer);
      finish(peer);
    }
    for (std::vector<MPI_Request>* requests : {&signals_sent_, &signals_expected_}) {
      if (requests->empty()) continue;
      wait_for_all(*requests);
      requests->clear();
    }
  }

  /// A signal is a flush and then an empty message, because MPI's one-sided operations do not notify their
  /// target.
  bool signals() const override { return true; }

  void deliver(Ticket ticket) override {
    if (!unsignalled_[ticket]) return;
    finish(ticket);
    start_send(nullptr, 0, MPI_BYTE, static_cast<int>(ticket), signal_tag, communicator_.get(),
               signals_sent_.emplace_back(MPI_REQUEST_NULL));
    unsignalled_[ticket] = false;
  }

  void barrier() override {
    check(MPI_Barrier(communicator_.get()), "MPI_Barrier");
    window_->synchronise();
  }

  // MPI has no test for a flush; a probe makes the library progress.
  void poll() override {
    int found = 0;
    check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator_.get(), &found, MPI_STATUS_IGNORE),
          "MPI_Iprobe");
  }

  void fill(std::uint32_t seed) override {
    MemoryChannel::fill(seed);
    window_->synchronise();
  }

  bool arrived(const Transfer& transfer, std::uint32_t seed) const override {
    window_->synchronise();
    return MemoryChannel::arrived(transfer, seed);
  }

 private:
  /// A put or get of `count` elements at the place of `transfer`.
  Ticket move(const Transfer& transfer, int count, MPI_Datatype type) {
    const auto peer = static_cast<std::size_t>(transfer.peer);
    unflushed_[peer] = true;
    if (transfer.operation == ChannelOperation::put) {
      window_->put(source(transfer), count, type, transfer.peer, size_bytes() + transfer.receive_offset());
    } else {
      window_->get(destination(transfer), count, type, transfer.peer, transfer.offset_bytes);
    }
    return peer;  // only a flush of the peer completes an operation
  }

  mpi::Communicator communicator_;
  MpiVectorType vector_;
  std::optional<RmaWindow> window_;            // none before reserve()
  std::vector<bool> unflushed_;                // peers with operations that are not flushed yet
  std::vector<bool> unsignalled_;              // peers that must still be notified of a put
  std::vector<MPI_Request> signals_sent_;      // notifications to other ranks
  std::vector<MPI_Request> signals_expected_;  // notifications to this rank
};

}  // namespace

std::unique_ptr<Channel> rma_channel(MPI_Comm parent) { return std::make_unique<RmaChannel>(parent); }

}  // namespace stretto::exchange
