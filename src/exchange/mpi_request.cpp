// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/mpi_request.hpp"

#include <algorithm>
#include <span>

#include "mpi/check.hpp"
#include "exchange/pattern.hpp"

namespace stretto::exchange {
namespace {

constexpr int request_tag = 0;
constexpr int data_tag = 1;

}  // namespace

using mpi::check;

void MpiRequest::reserve(std::size_t size_bytes) {
  if (size_bytes <= outgoing_.size()) return;
  outgoing_.assign(size_bytes, std::byte{1});
  incoming_.assign(size_bytes, std::byte{0});
}

// Replies come in the order of the requests, which MPI keeps between two ranks.
Ticket MpiRequest::start(const Transfer& transfer) {
  const Wanted& wanted =
      sent_.emplace_back(Wanted{.offset_bytes = transfer.offset_bytes, .size_bytes = transfer.size_bytes});
  MPI_Request& data = under_way_.emplace_back(MPI_REQUEST_NULL);
  check(MPI_Irecv(incoming_.data() + transfer.landing(), static_cast<int>(transfer.size_bytes), MPI_BYTE,
                  transfer.peer, data_tag, communicator_.get(), &data),
        "MPI_Irecv");
  MPI_Request& request = under_way_.emplace_back(MPI_REQUEST_NULL);
  check(
      MPI_Isend(&wanted, sizeof wanted, MPI_BYTE, transfer.peer, request_tag, communicator_.get(), &request),
      "MPI_Isend");
  return 0;
}

Ticket MpiRequest::expect(const Transfer& transfer) {
  Expected& expected = expected_.emplace_back();
  expected.peer = transfer.peer;
  check(MPI_Irecv(&expected.wanted, sizeof expected.wanted, MPI_BYTE, transfer.peer, request_tag,
                  communicator_.get(), &expected.request),
        "MPI_Irecv");
  return 0;
}

void MpiRequest::answer_those_that_came() {
  while (!expected_.empty()) {
    Expected& first = expected_.front();
    int come = 0;
    check(MPI_Test(&first.request, &come, MPI_STATUS_IGNORE), "MPI_Test");
    if (come == 0) return;
    MPI_Request& data = under_way_.emplace_back(MPI_REQUEST_NULL);
    check(MPI_Isend(outgoing_.data() + first.wanted.offset_bytes, static_cast<int>(first.wanted.size_bytes),
                    MPI_BYTE, first.peer, data_tag, communicator_.get(), &data),
          "MPI_Isend");
    expected_.pop_front();
  }
}

void MpiRequest::finish() {
  for (int done = 0; !expected_.empty() || done == 0;) {
    answer_those_that_came();
    check(MPI_Testall(static_cast<int>(under_way_.size()), under_way_.data(), &done, MPI_STATUSES_IGNORE),
          "MPI_Testall");
  }
  under_way_.clear();
  sent_.clear();
}

void MpiRequest::barrier() { check(MPI_Barrier(communicator_.get()), "MPI_Barrier"); }

void MpiRequest::poll() {
  answer_those_that_came();
  if (under_way_.empty()) return;
  int done = 0;
  check(MPI_Testall(static_cast<int>(under_way_.size()), under_way_.data(), &done, MPI_STATUSES_IGNORE),
        "MPI_Testall");
}

void MpiRequest::fill(std::uint32_t seed) {
  fill_pattern(outgoing_, communicator_.rank(), seed);
  std::fill(incoming_.begin(), incoming_.end(), std::byte{0});
}

bool MpiRequest::arrived(const Transfer& transfer, std::uint32_t seed) const {
  const std::span<const std::byte> bytes{incoming_.data() + transfer.landing(), transfer.size_bytes};
  return holds_pattern(bytes, transfer.offset_bytes, transfer.peer, seed);
}

}  // namespace stretto::exchange
