// SPDX-License-Identifier: BSD-3-Clause
// Transport `mpi-request`: a get built from two-sided MPI. The origin sends a request and waits for the data.
// The target answers only when it is inside an MPI call (ARMCI paper, section 4.1, figure 6).
#include <mpi.h>

#include <cstdint>
#include <deque>
#include <vector>

#include "exchange/memory_channel.hpp"
#include "exchange/messages.hpp"
#include "exchange/transports.hpp"
#include "mpi/check.hpp"

namespace stretto::exchange {
namespace {

using mpi::check;

constexpr int request_tag = 0;
constexpr int data_tag = 1;

class RequestChannel final : public MemoryChannel {
 public:
  using MemoryChannel::finish;
  using MemoryChannel::supports;

  explicit RequestChannel(MPI_Comm parent) : MemoryChannel(parent), communicator_(parent) {}

  std::string_view name() const override { return "mpi-request"; }
  bool supports(ChannelOperation operation) const override { return operation == ChannelOperation::get; }
  bool has_passive_side(ChannelOperation /*operation*/) const override { return true; }

  void reserve(std::size_t size_bytes) override {
    if (size_bytes > this->size_bytes()) allocate(size_bytes);
  }

  // Replies arrive in the order of the requests, because MPI keeps the order between two ranks.
  Ticket start(const Transfer& transfer) override {
    const RequestHeader& header = sent_.emplace_back(
        RequestHeader{.offset_bytes = transfer.offset_bytes, .size_bytes = transfer.size_bytes});
    start_receive(destination(transfer), static_cast<int>(transfer.size_bytes), MPI_BYTE, transfer.peer,
                  data_tag, communicator_.get(), under_way_.emplace_back(MPI_REQUEST_NULL));
    start_send(&header, sizeof header, MPI_BYTE, transfer.peer, request_tag, communicator_.get(),
               under_way_.emplace_back(MPI_REQUEST_NULL));
    return 0;
  }

  Ticket expect(const Transfer& transfer) override {
    Expected& expected = expected_.emplace_back();
    expected.peer = transfer.peer;
    start_receive(&expected.header, sizeof expected.header, MPI_BYTE, transfer.peer, request_tag,
                  communicator_.get(), expected.request);
    return 0;
  }

  void finish() override {
    for (bool done = false; !expected_.empty() || !done;) {
      answer_requests();
      done = test_all(under_way_);
    }
    under_way_.clear();
    sent_.clear();
  }

  void barrier() override { check(MPI_Barrier(communicator_.get()), "MPI_Barrier"); }

  void poll() override {
    answer_requests();
    if (!under_way_.empty()) (void)test_all(under_way_);
  }

 private:
  struct RequestHeader {
    std::uint64_t offset_bytes = 0;
    std::uint64_t size_bytes = 0;
  };
  struct Expected {
    RequestHeader header;
    int peer = 0;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void answer_requests() {
    while (!expected_.empty()) {
      Expected& first = expected_.front();
      int come = 0;
      check(MPI_Test(&first.request, &come, MPI_STATUS_IGNORE), "MPI_Test");
      if (come == 0) return;
      start_send(source({.offset_bytes = first.header.offset_bytes}),
                 static_cast<int>(first.header.size_bytes), MPI_BYTE, first.peer, data_tag,
                 communicator_.get(), under_way_.emplace_back(MPI_REQUEST_NULL));
      expected_.pop_front();
    }
  }

  mpi::Communicator communicator_;
  std::vector<MPI_Request> under_way_;  // outgoing requests and data, and receives of data
  std::deque<RequestHeader> sent_;      // outgoing requests, kept until their sends complete
  std::deque<Expected> expected_;       // expected requests of other ranks
};

}  // namespace

std::unique_ptr<Channel> request_channel(MPI_Comm parent) { return std::make_unique<RequestChannel>(parent); }

}  // namespace stretto::exchange
