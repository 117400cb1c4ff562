// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/mpi_two_sided.hpp"

#include <algorithm>
#include <span>

#include "mpi/check.hpp"
#include "exchange/pattern.hpp"

namespace stretto::exchange {
namespace {

constexpr int tag = 0;

}  // namespace

using mpi::check;

void MpiTwoSided::reserve(std::size_t size_bytes) {
  if (size_bytes <= outgoing_.size()) return;
  outgoing_.assign(size_bytes, std::byte{1});
  incoming_.assign(size_bytes, std::byte{0});
}

Ticket MpiTwoSided::start(const Transfer& transfer) {
  MPI_Request& request = requests_.emplace_back(MPI_REQUEST_NULL);
  check(MPI_Isend(outgoing_.data() + transfer.offset_bytes, static_cast<int>(transfer.size_bytes), MPI_BYTE,
                  transfer.peer, tag, communicator_.get(), &request),
        "MPI_Isend");
  return requests_.size() - 1;
}

Ticket MpiTwoSided::expect(const Transfer& transfer) {
  MPI_Request& request = requests_.emplace_back(MPI_REQUEST_NULL);
  check(MPI_Irecv(incoming_.data() + transfer.landing(), static_cast<int>(transfer.size_bytes), MPI_BYTE,
                  transfer.peer, tag, communicator_.get(), &request),
        "MPI_Irecv");
  return requests_.size() - 1;
}

void MpiTwoSided::start_pieces(const Pieces& pieces, Method method) {
  if (method == Method::individual) return Transport::start_pieces(pieces, method);
  MPI_Request& request = requests_.emplace_back(MPI_REQUEST_NULL);
  check(MPI_Isend(outgoing_.data() + pieces.offset_bytes, 1, vector_.of(pieces), pieces.peer, tag,
                  communicator_.get(), &request),
        "MPI_Isend");
}

void MpiTwoSided::expect_pieces(const Pieces& pieces, Method method) {
  if (method == Method::individual) return Transport::expect_pieces(pieces, method);
  MPI_Request& request = requests_.emplace_back(MPI_REQUEST_NULL);
  check(MPI_Irecv(incoming_.data() + pieces.offset_bytes, 1, vector_.of(pieces), pieces.peer, tag,
                  communicator_.get(), &request),
        "MPI_Irecv");
}

void MpiTwoSided::finish(Ticket ticket) {
  check(MPI_Wait(&requests_[ticket], MPI_STATUS_IGNORE), "MPI_Wait");
}

void MpiTwoSided::finish() {
  check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
        "MPI_Waitall");
  requests_.clear();
}

void MpiTwoSided::barrier() { check(MPI_Barrier(communicator_.get()), "MPI_Barrier"); }

void MpiTwoSided::poll() {
  if (requests_.empty()) return;
  int done = 0;
  check(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE),
        "MPI_Testall");
}

void MpiTwoSided::fill(std::uint32_t seed) {
  fill_pattern(outgoing_, communicator_.rank(), seed);
  std::fill(incoming_.begin(), incoming_.end(), std::byte{0});
}

bool MpiTwoSided::arrived(const Transfer& transfer, std::uint32_t seed) const {
  const std::span<const std::byte> bytes{incoming_.data() + transfer.landing(), transfer.size_bytes};
  return holds_pattern(bytes, transfer.offset_bytes, transfer.peer, seed);
}

}  // namespace stretto::exchange
