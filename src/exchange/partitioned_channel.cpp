// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/partitioned_channel.hpp"

#include "exchange/transports.hpp"

#if STRETTO_PARTITIONED

#include "exchange/messages.hpp"
#include "mpi/check.hpp"

namespace stretto::exchange {
namespace {

/// The elements of a part, bytes.
MPI_Count count_of_part(const Transfer& transfer, int parts) {
  return static_cast<MPI_Count>(transfer.size_bytes / static_cast<std::size_t>(parts));
}

}  // namespace

using mpi::check;

Ticket PartitionedChannel::start_in(const Transfer& transfer, int parts) {
  MPI_Request& request = prepared_.acquire(true, transfer, parts, [&](MPI_Request& made) {
    check(MPI_Psend_init(source(transfer), parts, count_of_part(transfer, parts), MPI_BYTE, transfer.peer,
                         transfer_tag, communicator(), MPI_INFO_NULL, &made),
          "MPI_Psend_init");
  });
  open_ = request;
  return started(request);
}

Ticket PartitionedChannel::expect_in(const Transfer& transfer, int parts) {
  return started(prepared_.acquire(false, transfer, parts, [&](MPI_Request& made) {
    check(MPI_Precv_init(destination(transfer), parts, count_of_part(transfer, parts), MPI_BYTE,
                         transfer.peer, transfer_tag, communicator(), MPI_INFO_NULL, &made),
          "MPI_Precv_init");
  }));
}

void PartitionedChannel::start_parts(const Transfer& transfer, int parts) { (void)start_in(transfer, parts); }

void PartitionedChannel::expect_parts(const Transfer& transfer, int parts) {
  (void)expect_in(transfer, parts);
}

void PartitionedChannel::ready(const Transfer& /*transfer*/, int /*parts*/, int part) {
  check(MPI_Pready(part, open_), "MPI_Pready");
}

Ticket PartitionedChannel::start(const Transfer& transfer) {
  const Ticket ticket = start_in(transfer, 1);
  ready(transfer, 1, 0);
  return ticket;
}

Ticket PartitionedChannel::expect(const Transfer& transfer) { return expect_in(transfer, 1); }

// A probe makes the library progress. MPICH 5.0 returns an error from MPI_Testall of a partitioned request
// next to one that is complete.
void PartitionedChannel::poll() {
  int found = 0;
  check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator(), &found, MPI_STATUS_IGNORE), "MPI_Iprobe");
}

}  // namespace stretto::exchange

#endif

namespace stretto::exchange {

void add_partitioned_channels([[maybe_unused]] const ChannelRequest& request,
                              [[maybe_unused]] Channels& channels) {
#if STRETTO_PARTITIONED
  channels.push_back(std::make_unique<PartitionedChannel>(request.communicator));
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
