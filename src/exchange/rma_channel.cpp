// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/rma_channel.hpp"

#include <algorithm>
#include <stdexcept>

#include "exchange/messages.hpp"
#include "exchange/pattern.hpp"
#include "exchange/transports.hpp"
#include "mpi/check.hpp"
#include "onesided/memory/cache_lines.hpp"

namespace stretto::exchange {

namespace {

constexpr int signal_tag = 1;

}  // namespace

using mpi::check;

RmaChannel::RmaChannel(MPI_Comm parent)
    : communicator_(parent),
      unflushed_(static_cast<std::size_t>(communicator_.size()), false),
      unsignalled_(unflushed_) {}

void RmaChannel::reserve(std::size_t size_bytes) {
  if (size_bytes <= size_bytes_) return;
  size_bytes = onesided::round_up_to_lines(size_bytes);
  window_.reset();
  size_bytes_ = size_bytes;
  window_.emplace(communicator_.get(), 2 * size_bytes);
  std::fill_n(window_->memory(), 2 * size_bytes, std::byte{1});
  outgoing_.assign(size_bytes, std::byte{1});
  fetched_.assign(size_bytes, std::byte{0});
  window_->synchronise();
}

TransferBuffers RmaChannel::memory(ChannelOperation operation) {
  if (operation == ChannelOperation::put) return {outgoing_, received_by_put()};
  return {exposed(), fetched_};
}

Ticket RmaChannel::start(const Transfer& transfer) {
  const auto size = static_cast<int>(transfer.size_bytes);
  const auto peer = static_cast<std::size_t>(transfer.peer);
  unflushed_[peer] = true;
  if (transfer.signal) unsignalled_[peer] = true;
  if (transfer.operation == ChannelOperation::put) {
    window_->put(outgoing_.data() + transfer.offset_bytes, size, MPI_BYTE, transfer.peer,
                 size_bytes_ + transfer.receive_offset());
  } else {
    window_->get(fetched_.data() + transfer.receive_offset(), size, MPI_BYTE, transfer.peer,
                 transfer.offset_bytes);
  }
  return peer;  // only a flush of the peer completes an operation
}

Ticket RmaChannel::expect(const Transfer& transfer) {
  if (!transfer.signal) throw std::logic_error("a one-sided operation has no passive side");
  MPI_Request& request = signals_expected_.emplace_back(MPI_REQUEST_NULL);
  start_receive(nullptr, 0, MPI_BYTE, transfer.peer, signal_tag, communicator_.get(), request);
  return unflushed_.size() + signals_expected_.size() - 1;  // after the tickets that are peers
}

void RmaChannel::deliver(Ticket ticket) {
  if (!unsignalled_[ticket]) return;
  finish(ticket);
  MPI_Request& request = signals_sent_.emplace_back(MPI_REQUEST_NULL);
  start_send(nullptr, 0, MPI_BYTE, static_cast<int>(ticket), signal_tag, communicator_.get(), request);
  unsignalled_[ticket] = false;
}

void RmaChannel::start_pieces(const Pieces& pieces, Method method) {
  if (method == Method::individual) return Channel::start_pieces(pieces, method);
  const MPI_Datatype type = vector_.of(pieces);
  unflushed_[static_cast<std::size_t>(pieces.peer)] = true;
  if (pieces.operation == ChannelOperation::put) {
    window_->put(outgoing_.data() + pieces.offset_bytes, 1, type, pieces.peer,
                 size_bytes_ + pieces.offset_bytes);
  } else {
    window_->get(fetched_.data() + pieces.offset_bytes, 1, type, pieces.peer, pieces.offset_bytes);
  }
}

void RmaChannel::finish(Ticket ticket) {
  if (ticket >= unflushed_.size()) {
    wait_for(signals_expected_[ticket - unflushed_.size()]);
    window_->synchronise();
    return;
  }
  if (!unflushed_[ticket]) return;
  window_->flush(static_cast<int>(ticket));
  unflushed_[ticket] = false;
}

void RmaChannel::finish() {
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

void RmaChannel::barrier() {
  check(MPI_Barrier(communicator_.get()), "MPI_Barrier");
  window_->synchronise();
}

// MPI has no test for a flush; a probe makes the library progress.
void RmaChannel::poll() {
  int found = 0;
  check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator_.get(), &found, MPI_STATUS_IGNORE),
        "MPI_Iprobe");
}

void RmaChannel::fill(std::uint32_t seed) {
  fill_pattern(outgoing_, communicator_.rank(), seed);
  fill_pattern(exposed(), communicator_.rank(), seed);
  std::fill(fetched_.begin(), fetched_.end(), std::byte{0});
  std::ranges::fill(received_by_put(), std::byte{0});
  window_->synchronise();
}

bool RmaChannel::arrived(const Transfer& transfer, std::uint32_t seed) const {
  window_->synchronise();
  const std::byte* base =
      transfer.operation == ChannelOperation::put ? received_by_put().data() : fetched_.data();
  const std::span<const std::byte> bytes{base + transfer.receive_offset(), transfer.size_bytes};
  return holds_pattern(bytes, transfer.offset_bytes, transfer.peer, seed);
}

void add_rma_channels(const ChannelRequest& request, Channels& channels) {
  channels.push_back(std::make_unique<RmaChannel>(request.communicator));
}

}  // namespace stretto::exchange
