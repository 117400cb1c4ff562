// SPDX-License-Identifier: BSD-3-Clause
// The channels of two-sided MPI: messages, persistent requests, and MPI-4's partitioned communication.
#include <mpi.h>

#include <vector>

#include "exchange/memory_channel.hpp"
#include "exchange/messages.hpp"
#include "exchange/mpi_vector_type.hpp"
#include "exchange/prepared_requests.hpp"
#include "exchange/transports.hpp"
#include "mpi/check.hpp"

// Open MPI 5 has partitioned communication, but calls itself MPI 3.1. SMPI has none.
#if defined(STRETTO_SIMGRID)
#define STRETTO_PARTITIONED 0
#elif MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
#define STRETTO_PARTITIONED 1
#else
#define STRETTO_PARTITIONED 0
#endif

namespace stretto::exchange {
namespace {

using mpi::check;

/// Transport `mpi-two-sided`: MPI_Isend and MPI_Irecv, completed together.
class TwoSidedChannel : public MemoryChannel {
 public:
  using MemoryChannel::supports;

  explicit TwoSidedChannel(MPI_Comm parent) : MemoryChannel(parent), communicator_(parent) {}

  std::string_view name() const override { return "mpi-two-sided"; }
  bool supports(ChannelOperation operation) const override { return operation == ChannelOperation::send; }
  bool supports(Method method) const override { return method != Method::aggregate; }

  void reserve(std::size_t size_bytes) override {
    if (size_bytes > this->size_bytes()) allocate(size_bytes);
  }

  Ticket start(const Transfer& transfer) override {
    start_send(source(transfer), static_cast<int>(transfer.size_bytes), MPI_BYTE, transfer.peer, transfer_tag,
               communicator(), requests_.emplace_back(MPI_REQUEST_NULL));
    return requests_.size() - 1;
  }

  Ticket expect(const Transfer& transfer) override {
    start_receive(destination(transfer), static_cast<int>(transfer.size_bytes), MPI_BYTE, transfer.peer,
                  transfer_tag, communicator(), requests_.emplace_back(MPI_REQUEST_NULL));
    return requests_.size() - 1;
  }

  void start_pieces(const Pieces& pieces, Method method) override {
    if (method == Method::individual) return Channel::start_pieces(pieces, method);
    start_send(source(pieces.piece(0)), 1, vector_.of(pieces), pieces.peer, transfer_tag, communicator(),
               requests_.emplace_back(MPI_REQUEST_NULL));
  }

  void expect_pieces(const Pieces& pieces, Method method) override {
    if (method == Method::individual) return Channel::expect_pieces(pieces, method);
    start_receive(destination(pieces.piece(0)), 1, vector_.of(pieces), pieces.peer, transfer_tag,
                  communicator(), requests_.emplace_back(MPI_REQUEST_NULL));
  }

  void finish(Ticket ticket) override { wait_for(requests_[ticket]); }

  void finish() override {
    wait_for_all(requests_);
    requests_.clear();
  }

  void barrier() override { check(MPI_Barrier(communicator()), "MPI_Barrier"); }

  void poll() override {
    if (!requests_.empty()) (void)test_all(requests_);
  }

 protected:
  MPI_Comm communicator() const { return communicator_.get(); }

  std::vector<MPI_Request> requests_;  // one per ticket, and one per vector of pieces

 private:
  mpi::Communicator communicator_;
  MpiVectorType vector_;
};

/// Transport `mpi-persistent`: MPI_Send_init and MPI_Recv_init once per transfer, then MPI_Start. Completion
/// does not change the handle of a persistent request.
class PersistentChannel : public TwoSidedChannel {
 public:
  using TwoSidedChannel::finish;
  using TwoSidedChannel::supports;

  explicit PersistentChannel(MPI_Comm parent) : TwoSidedChannel(parent) {}

  std::string_view name() const override { return "mpi-persistent"; }
  bool supports(Method method) const override { return method == Method::individual; }

  // Requests hold addresses, which change with the memory.
  void reserve(std::size_t size_bytes) override {
    prepared_.clear();
    TwoSidedChannel::reserve(size_bytes);
  }

  Ticket start(const Transfer& transfer) override {
    return started(prepared_.acquire(true, transfer, 1, [&](MPI_Request& request) {
      check(MPI_Send_init(source(transfer), static_cast<int>(transfer.size_bytes), MPI_BYTE, transfer.peer,
                          transfer_tag, communicator(), &request),
            "MPI_Send_init");
    }));
  }

  Ticket expect(const Transfer& transfer) override {
    return started(prepared_.acquire(false, transfer, 1, [&](MPI_Request& request) {
      check(MPI_Recv_init(destination(transfer), static_cast<int>(transfer.size_bytes), MPI_BYTE,
                          transfer.peer, transfer_tag, communicator(), &request),
            "MPI_Recv_init");
    }));
  }

  void finish() override {
    TwoSidedChannel::finish();
    prepared_.release();
  }

 protected:
  Ticket started(MPI_Request& request) {
    check(MPI_Start(&request), "MPI_Start");
    requests_.push_back(request);
    return requests_.size() - 1;
  }

  PreparedRequests prepared_;
};

#if STRETTO_PARTITIONED

/// Transport `mpi-partitioned`: a send has parts that the sender marks as ready one by one with MPI_Pready.
class PartitionedChannel final : public PersistentChannel {
 public:
  explicit PartitionedChannel(MPI_Comm parent) : PersistentChannel(parent) {}

  std::string_view name() const override { return "mpi-partitioned"; }

  Ticket start(const Transfer& transfer) override {
    start_parts(transfer, 1);
    ready(transfer, 1, 0);
    return requests_.size() - 1;
  }

  Ticket expect(const Transfer& transfer) override {
    expect_parts(transfer, 1);
    return requests_.size() - 1;
  }

  void start_parts(const Transfer& transfer, int parts) override {
    MPI_Request& request = prepared_.acquire(true, transfer, parts, [&](MPI_Request& made) {
      check(MPI_Psend_init(source(transfer), parts, count_of_part(transfer, parts), MPI_BYTE, transfer.peer,
                           transfer_tag, communicator(), MPI_INFO_NULL, &made),
            "MPI_Psend_init");
    });
    open_ = request;
    started(request);
  }

  void ready(const Transfer& /*transfer*/, int /*parts*/, int part) override {
    check(MPI_Pready(part, open_), "MPI_Pready");
  }

  void expect_parts(const Transfer& transfer, int parts) override {
    started(prepared_.acquire(false, transfer, parts, [&](MPI_Request& made) {
      check(MPI_Precv_init(destination(transfer), parts, count_of_part(transfer, parts), MPI_BYTE,
                           transfer.peer, transfer_tag, communicator(), MPI_INFO_NULL, &made),
            "MPI_Precv_init");
    }));
  }

  // A probe makes the library progress. MPICH 5.0 returns an error from MPI_Testall of a partitioned request
  // next to one that is complete.
  void poll() override {
    int found = 0;
    check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator(), &found, MPI_STATUS_IGNORE), "MPI_Iprobe");
  }

 private:
  /// The elements of a part, bytes.
  static MPI_Count count_of_part(const Transfer& transfer, int parts) {
    return static_cast<MPI_Count>(transfer.size_bytes / static_cast<std::size_t>(parts));
  }

  MPI_Request open_ = MPI_REQUEST_NULL;  // the send of which parts become ready
};

#endif

}  // namespace

std::unique_ptr<Channel> two_sided_channel(MPI_Comm parent) {
  return std::make_unique<TwoSidedChannel>(parent);
}

std::unique_ptr<Channel> persistent_channel(MPI_Comm parent) {
  return std::make_unique<PersistentChannel>(parent);
}

std::unique_ptr<Channel> partitioned_channel([[maybe_unused]] MPI_Comm parent) {
#if STRETTO_PARTITIONED
  return std::make_unique<PartitionedChannel>(parent);
#else
  return nullptr;
#endif
}

std::string_view partitioned_absence() {
#if STRETTO_PARTITIONED
  return {};
#elif defined(STRETTO_SIMGRID)
  return "SimGrid's SMPI has no partitioned communication";
#else
  return "this MPI has no partitioned communication, which MPICH 4 and Open MPI 5 have";
#endif
}

}  // namespace stretto::exchange
