// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/persistent_channel.hpp"

#include "exchange/messages.hpp"
#include "exchange/transports.hpp"
#include "mpi/check.hpp"

namespace stretto::exchange {
using mpi::check;

// Requests hold addresses, which change with the memory.
void PersistentChannel::reserve(std::size_t size_bytes) {
  prepared_.clear();
  TwoSidedChannel::reserve(size_bytes);
}

Ticket PersistentChannel::started(MPI_Request& request) {
  check(MPI_Start(&request), "MPI_Start");
  active_.push_back(request);
  return active_.size() - 1;
}

Ticket PersistentChannel::start(const Transfer& transfer) {
  return started(prepared_.acquire(true, transfer, 1, [&](MPI_Request& request) {
    check(MPI_Send_init(source(transfer), static_cast<int>(transfer.size_bytes), MPI_BYTE, transfer.peer,
                        transfer_tag, communicator(), &request),
          "MPI_Send_init");
  }));
}

Ticket PersistentChannel::expect(const Transfer& transfer) {
  return started(prepared_.acquire(false, transfer, 1, [&](MPI_Request& request) {
    check(MPI_Recv_init(destination(transfer), static_cast<int>(transfer.size_bytes), MPI_BYTE, transfer.peer,
                        transfer_tag, communicator(), &request),
          "MPI_Recv_init");
  }));
}

void PersistentChannel::finish(Ticket ticket) { wait_for(active_[ticket]); }

void PersistentChannel::finish() {
  wait_for_all(active_);
  active_.clear();
  prepared_.release();
}

void PersistentChannel::poll() {
  if (!active_.empty()) (void)test_all(active_);
}

void add_persistent_channels(const ChannelRequest& request, Channels& channels) {
  channels.push_back(std::make_unique<PersistentChannel>(request.communicator));
}

}  // namespace stretto::exchange
