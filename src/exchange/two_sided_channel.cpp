// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/two_sided_channel.hpp"

#include <algorithm>
#include <span>

#include "exchange/messages.hpp"
#include "exchange/pattern.hpp"
#include "exchange/transports.hpp"
#include "mpi/check.hpp"

namespace stretto::exchange {
using mpi::check;

void TwoSidedChannel::reserve(std::size_t size_bytes) {
  if (size_bytes <= outgoing_.size()) return;
  outgoing_.assign(size_bytes, std::byte{1});
  incoming_.assign(size_bytes, std::byte{0});
}

Ticket TwoSidedChannel::start(const Transfer& transfer) {
  MPI_Request& request = requests_.emplace_back(MPI_REQUEST_NULL);
  start_send(source(transfer), static_cast<int>(transfer.size_bytes), MPI_BYTE, transfer.peer, transfer_tag,
             communicator_.get(), request);
  return requests_.size() - 1;
}

Ticket TwoSidedChannel::expect(const Transfer& transfer) {
  MPI_Request& request = requests_.emplace_back(MPI_REQUEST_NULL);
  start_receive(destination(transfer), static_cast<int>(transfer.size_bytes), MPI_BYTE, transfer.peer,
                transfer_tag, communicator_.get(), request);
  return requests_.size() - 1;
}

void TwoSidedChannel::start_pieces(const Pieces& pieces, Method method) {
  if (method == Method::individual) return Channel::start_pieces(pieces, method);
  MPI_Request& request = requests_.emplace_back(MPI_REQUEST_NULL);
  start_send(outgoing_.data() + pieces.offset_bytes, 1, vector_.of(pieces), pieces.peer, transfer_tag,
             communicator_.get(), request);
}

void TwoSidedChannel::expect_pieces(const Pieces& pieces, Method method) {
  if (method == Method::individual) return Channel::expect_pieces(pieces, method);
  MPI_Request& request = requests_.emplace_back(MPI_REQUEST_NULL);
  start_receive(incoming_.data() + pieces.offset_bytes, 1, vector_.of(pieces), pieces.peer, transfer_tag,
                communicator_.get(), request);
}

void TwoSidedChannel::finish(Ticket ticket) { wait_for(requests_[ticket]); }

void TwoSidedChannel::finish() {
  wait_for_all(requests_);
  requests_.clear();
}

void TwoSidedChannel::barrier() { check(MPI_Barrier(communicator_.get()), "MPI_Barrier"); }

void TwoSidedChannel::poll() {
  if (!requests_.empty()) (void)test_all(requests_);
}

void TwoSidedChannel::fill(std::uint32_t seed) {
  fill_pattern(outgoing_, communicator_.rank(), seed);
  std::fill(incoming_.begin(), incoming_.end(), std::byte{0});
}

bool TwoSidedChannel::arrived(const Transfer& transfer, std::uint32_t seed) const {
  const std::span<const std::byte> bytes{incoming_.data() + transfer.receive_offset(), transfer.size_bytes};
  return holds_pattern(bytes, transfer.offset_bytes, transfer.peer, seed);
}

void add_two_sided_channels(const ChannelRequest& request, Channels& channels) {
  channels.push_back(std::make_unique<TwoSidedChannel>(request.communicator));
}

}  // namespace stretto::exchange
