// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/request_channel.hpp"

#include <algorithm>
#include <span>

#include "exchange/messages.hpp"
#include "exchange/pattern.hpp"
#include "exchange/transports.hpp"
#include "mpi/check.hpp"

namespace stretto::exchange {
namespace {

constexpr int request_tag = 0;
constexpr int data_tag = 1;

}  // namespace

using mpi::check;

void RequestChannel::reserve(std::size_t size_bytes) {
  if (size_bytes <= outgoing_.size()) return;
  outgoing_.assign(size_bytes, std::byte{1});
  incoming_.assign(size_bytes, std::byte{0});
}

// Replies arrive in the order of the requests, because MPI keeps the order between two ranks.
Ticket RequestChannel::start(const Transfer& transfer) {
  const RequestHeader& header = sent_.emplace_back(
      RequestHeader{.offset_bytes = transfer.offset_bytes, .size_bytes = transfer.size_bytes});
  MPI_Request& data = under_way_.emplace_back(MPI_REQUEST_NULL);
  start_receive(incoming_.data() + transfer.receive_offset(), static_cast<int>(transfer.size_bytes), MPI_BYTE,
                transfer.peer, data_tag, communicator_.get(), data);
  MPI_Request& request = under_way_.emplace_back(MPI_REQUEST_NULL);
  start_send(&header, sizeof header, MPI_BYTE, transfer.peer, request_tag, communicator_.get(), request);
  return 0;
}

Ticket RequestChannel::expect(const Transfer& transfer) {
  Expected& expected = expected_.emplace_back();
  expected.peer = transfer.peer;
  start_receive(&expected.header, sizeof expected.header, MPI_BYTE, transfer.peer, request_tag,
                communicator_.get(), expected.request);
  return 0;
}

void RequestChannel::answer_requests() {
  while (!expected_.empty()) {
    Expected& first = expected_.front();
    int come = 0;
    check(MPI_Test(&first.request, &come, MPI_STATUS_IGNORE), "MPI_Test");
    if (come == 0) return;
    MPI_Request& data = under_way_.emplace_back(MPI_REQUEST_NULL);
    start_send(outgoing_.data() + first.header.offset_bytes, static_cast<int>(first.header.size_bytes),
               MPI_BYTE, first.peer, data_tag, communicator_.get(), data);
    expected_.pop_front();
  }
}

void RequestChannel::finish() {
  for (bool done = false; !expected_.empty() || !done;) {
    answer_requests();
    done = test_all(under_way_);
  }
  under_way_.clear();
  sent_.clear();
}

void RequestChannel::barrier() { check(MPI_Barrier(communicator_.get()), "MPI_Barrier"); }

void RequestChannel::poll() {
  answer_requests();
  if (!under_way_.empty()) (void)test_all(under_way_);
}

void RequestChannel::fill(std::uint32_t seed) {
  fill_pattern(outgoing_, communicator_.rank(), seed);
  std::fill(incoming_.begin(), incoming_.end(), std::byte{0});
}

bool RequestChannel::arrived(const Transfer& transfer, std::uint32_t seed) const {
  const std::span<const std::byte> bytes{incoming_.data() + transfer.receive_offset(), transfer.size_bytes};
  return holds_pattern(bytes, transfer.offset_bytes, transfer.peer, seed);
}

void add_request_channels(const ChannelRequest& request, Channels& channels) {
  channels.push_back(std::make_unique<RequestChannel>(request.communicator));
}

}  // namespace stretto::exchange
