// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/two_sided_channel.hpp"

#include <algorithm>
#include <span>

#include "exchange/pattern.hpp"
#include "mpi/check.hpp"

namespace stretto::exchange {
namespace {

constexpr int tag = 0;

}  // namespace

using mpi::check;

void TwoSidedChannel::reserve(std::size_t size_bytes) {
  if (size_bytes <= outgoing_.size()) return;
  outgoing_.assign(size_bytes, std::byte{1});
  incoming_.assign(size_bytes, std::byte{0});
}

Ticket TwoSidedChannel::start(const Transfer& transfer) {
  MPI_Request& request = requests_.emplace_back(MPI_REQUEST_NULL);
  check(MPI_Isend(outgoing_.data() + transfer.offset_bytes, static_cast<int>(transfer.size_bytes), MPI_BYTE,
                  transfer.peer, tag, communicator_.get(), &request),
        "MPI_Isend");
  return requests_.size() - 1;
}

Ticket TwoSidedChannel::expect(const Transfer& transfer) {
  MPI_Request& request = requests_.emplace_back(MPI_REQUEST_NULL);
  check(MPI_Irecv(incoming_.data() + transfer.receive_offset(), static_cast<int>(transfer.size_bytes),
                  MPI_BYTE, transfer.peer, tag, communicator_.get(), &request),
        "MPI_Irecv");
  return requests_.size() - 1;
}

void TwoSidedChannel::start_pieces(const Pieces& pieces, Method method) {
  if (method == Method::individual) return Channel::start_pieces(pieces, method);
  MPI_Request& request = requests_.emplace_back(MPI_REQUEST_NULL);
  check(MPI_Isend(outgoing_.data() + pieces.offset_bytes, 1, vector_.of(pieces), pieces.peer, tag,
                  communicator_.get(), &request),
        "MPI_Isend");
}

void TwoSidedChannel::expect_pieces(const Pieces& pieces, Method method) {
  if (method == Method::individual) return Channel::expect_pieces(pieces, method);
  MPI_Request& request = requests_.emplace_back(MPI_REQUEST_NULL);
  check(MPI_Irecv(incoming_.data() + pieces.offset_bytes, 1, vector_.of(pieces), pieces.peer, tag,
                  communicator_.get(), &request),
        "MPI_Irecv");
}

void TwoSidedChannel::finish(Ticket ticket) {
  check(MPI_Wait(&requests_[ticket], MPI_STATUS_IGNORE), "MPI_Wait");
}

void TwoSidedChannel::finish() {
  check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
        "MPI_Waitall");
  requests_.clear();
}

void TwoSidedChannel::barrier() { check(MPI_Barrier(communicator_.get()), "MPI_Barrier"); }

void TwoSidedChannel::poll() {
  if (requests_.empty()) return;
  int done = 0;
  check(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE),
        "MPI_Testall");
}

void TwoSidedChannel::fill(std::uint32_t seed) {
  fill_pattern(outgoing_, communicator_.rank(), seed);
  std::fill(incoming_.begin(), incoming_.end(), std::byte{0});
}

bool TwoSidedChannel::arrived(const Transfer& transfer, std::uint32_t seed) const {
  const std::span<const std::byte> bytes{incoming_.data() + transfer.receive_offset(), transfer.size_bytes};
  return holds_pattern(bytes, transfer.offset_bytes, transfer.peer, seed);
}

}  // namespace stretto::exchange
