// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/rma_channel.hpp"

#include <algorithm>
#include <stdexcept>

#include "exchange/pattern.hpp"
#include "mpi/check.hpp"
#include "rma/memory/cache_lines.hpp"

namespace stretto::exchange {

namespace {

constexpr int signal_tag = 1;

}  // namespace

using mpi::check;

RmaChannel::RmaChannel(MPI_Comm parent)
    : communicator_(parent),
      unflushed_(static_cast<std::size_t>(communicator_.size()), false),
      unsignalled_(unflushed_) {}

RmaChannel::~RmaChannel() { release_window(); }

// Runs in the destructor too: what MPI says of a window that is going away is of no use to anyone.
void RmaChannel::release_window() {
  if (window_ == MPI_WIN_NULL) return;
  MPI_Win_unlock_all(window_);
  MPI_Win_free(&window_);
}

void RmaChannel::reserve(std::size_t size_bytes) {
  if (size_bytes <= size_bytes_) return;
  size_bytes = rma::round_up_to_lines(size_bytes);
  release_window();
  size_bytes_ = size_bytes;
  check(MPI_Win_allocate(static_cast<MPI_Aint>(2 * size_bytes), 1, MPI_INFO_NULL, communicator_.get(),
                         static_cast<void*>(&window_memory_), &window_),
        "MPI_Win_allocate");
  check(MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
  check(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "MPI_Win_lock_all");
  std::fill_n(window_memory_, 2 * size_bytes, std::byte{1});
  outgoing_.assign(size_bytes, std::byte{1});
  fetched_.assign(size_bytes, std::byte{0});
  synchronise_window();
}

TransferBuffers RmaChannel::memory(Operation operation) {
  if (operation == Operation::put) return {outgoing_, received_by_put()};
  return {exposed(), fetched_};
}

Ticket RmaChannel::start(const Transfer& transfer) {
  const auto size = static_cast<int>(transfer.size_bytes);
  const auto place = static_cast<MPI_Aint>(transfer.offset_bytes);
  const auto peer = static_cast<std::size_t>(transfer.peer);
  unflushed_[peer] = true;
  if (transfer.signal) unsignalled_[peer] = true;
  if (transfer.operation == Operation::put) {
    check(MPI_Put(outgoing_.data() + transfer.offset_bytes, size, MPI_BYTE, transfer.peer,
                  static_cast<MPI_Aint>(size_bytes_ + transfer.receive_offset()), size, MPI_BYTE, window_),
          "MPI_Put");
  } else {
    check(MPI_Get(fetched_.data() + transfer.receive_offset(), size, MPI_BYTE, transfer.peer, place, size,
                  MPI_BYTE, window_),
          "MPI_Get");
  }
  return peer;  // a flush is all that completes anything
}

Ticket RmaChannel::expect(const Transfer& transfer) {
  if (!transfer.signal) throw std::logic_error("a one-sided operation has no passive side");
  MPI_Request& request = signals_expected_.emplace_back(MPI_REQUEST_NULL);
  check(MPI_Irecv(nullptr, 0, MPI_BYTE, transfer.peer, signal_tag, communicator_.get(), &request),
        "MPI_Irecv");
  return unflushed_.size() + signals_expected_.size() - 1;  // behind the tickets that are peers
}

void RmaChannel::deliver(Ticket ticket) {
  if (!unsignalled_[ticket]) return;
  finish(ticket);
  MPI_Request& request = signals_sent_.emplace_back(MPI_REQUEST_NULL);
  check(MPI_Isend(nullptr, 0, MPI_BYTE, static_cast<int>(ticket), signal_tag, communicator_.get(), &request),
        "MPI_Isend");
  unsignalled_[ticket] = false;
}

void RmaChannel::start_pieces(const Pieces& pieces, Method method) {
  if (method == Method::individual) return Channel::start_pieces(pieces, method);
  const MPI_Datatype type = vector_.of(pieces);
  const auto place = static_cast<MPI_Aint>(pieces.offset_bytes);
  unflushed_[static_cast<std::size_t>(pieces.peer)] = true;
  if (pieces.operation == Operation::put) {
    check(MPI_Put(outgoing_.data() + pieces.offset_bytes, 1, type, pieces.peer,
                  static_cast<MPI_Aint>(size_bytes_) + place, 1, type, window_),
          "MPI_Put");
  } else {
    check(MPI_Get(fetched_.data() + pieces.offset_bytes, 1, type, pieces.peer, place, 1, type, window_),
          "MPI_Get");
  }
}

void RmaChannel::finish(Ticket ticket) {
  if (ticket >= unflushed_.size()) {
    check(MPI_Wait(&signals_expected_[ticket - unflushed_.size()], MPI_STATUS_IGNORE), "MPI_Wait");
    synchronise_window();
    return;
  }
  if (!unflushed_[ticket]) return;
  check(MPI_Win_flush(static_cast<int>(ticket), window_), "MPI_Win_flush");
  unflushed_[ticket] = false;
}

void RmaChannel::finish() {
  for (Ticket peer = 0; peer < unflushed_.size(); ++peer) {
    deliver(peer);
    finish(peer);
  }
  for (std::vector<MPI_Request>* requests : {&signals_sent_, &signals_expected_}) {
    if (requests->empty()) continue;
    check(MPI_Waitall(static_cast<int>(requests->size()), requests->data(), MPI_STATUSES_IGNORE),
          "MPI_Waitall");
    requests->clear();
  }
}

void RmaChannel::barrier() {
  check(MPI_Barrier(communicator_.get()), "MPI_Barrier");
  synchronise_window();
}

// Nothing tests a flush; a probe makes the library look at its network.
void RmaChannel::poll() {
  int found = 0;
  check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator_.get(), &found, MPI_STATUS_IGNORE),
        "MPI_Iprobe");
}

void RmaChannel::synchronise_window() const {
#ifndef STRETTO_SIMGRID  // which has no MPI_Win_sync: all its ranks live in one process
  check(MPI_Win_sync(window_), "MPI_Win_sync");
#endif
}

void RmaChannel::fill(std::uint32_t seed) {
  fill_pattern(outgoing_, communicator_.rank(), seed);
  fill_pattern(exposed(), communicator_.rank(), seed);
  std::fill(fetched_.begin(), fetched_.end(), std::byte{0});
  std::ranges::fill(received_by_put(), std::byte{0});
  synchronise_window();
}

bool RmaChannel::arrived(const Transfer& transfer, std::uint32_t seed) const {
  synchronise_window();
  const std::byte* base = transfer.operation == Operation::put ? received_by_put().data() : fetched_.data();
  const std::span<const std::byte> bytes{base + transfer.receive_offset(), transfer.size_bytes};
  return holds_pattern(bytes, transfer.offset_bytes, transfer.peer, seed);
}

}  // namespace stretto::exchange
