// SPDX-License-Identifier: BSD-3-Clause
#include "tools/mpi_nonblocking.hpp"

#include <algorithm>
#include <cstring>

#include "exchange/pattern.hpp"
#include "mpi/check.hpp"

namespace stretto::tools {
namespace {

using mpi::check;
using probe::NeighbourGrid;
using probe::NonblockingOperation;

constexpr std::size_t directions = 4;

}  // namespace

MpiNonblocking::MpiNonblocking(MPI_Comm world) : world_(world), collectives_(world) {
  check(MPI_Comm_rank(world, &rank_), "MPI_Comm_rank");
}

MpiNonblocking::~MpiNonblocking() {
  if (grid_ != MPI_COMM_NULL) MPI_Comm_free(&grid_);
}

std::string_view MpiNonblocking::absence([[maybe_unused]] NonblockingOperation operation) const {
#ifdef STRETTO_SIMGRID
  if (operation == NonblockingOperation::neighbor_alltoall) {
    return "SimGrid's SMPI has no neighbourhood collectives";
  }
#endif
  return {};
}

void MpiNonblocking::prepare(const probe::NonblockingCall& call, bool checked) {
  call_ = call;
  if (with_neighbours()) return prepare_neighbours(checked);
  collectives_.prepare({.operation = static_cast<collective::Operation>(call.operation),
                        .members = call.members,
                        .size_bytes = call.size_bytes},
                       checked);
  counts_.assign(static_cast<std::size_t>(call.members), ReducedElements(call.size_bytes).count);
}

void MpiNonblocking::prepare_neighbours(bool checked) {
  const NeighbourGrid grid = NeighbourGrid::of(call_.members);
  if (grid_ == MPI_COMM_NULL) {
    const std::array<int, 2> widths{grid.rows, grid.columns};
    const std::array<int, 2> wraps{0, 0};
    check(MPI_Cart_create(world_, 2, widths.data(), wraps.data(), 0, &grid_), "MPI_Cart_create");
  }
  neighbours_ = grid.neighbours(rank_);
  send_.resize(directions * call_.size_bytes, checked);
  receive_.resize(directions * call_.size_bytes, checked);
}

void MpiNonblocking::start() {
  if (call_.operation == NonblockingOperation::neighbor_sends) return start_sends();
#ifndef STRETTO_SIMGRID
  if (call_.operation == NonblockingOperation::neighbor_alltoall) {
    const auto bytes = static_cast<int>(call_.size_bytes);
    check(MPI_Ineighbor_alltoall(send_.get(), bytes, MPI_BYTE, receive_.get(), bytes, MPI_BYTE, grid_,
                                 &requests_.emplace_back(MPI_REQUEST_NULL)),
          "MPI_Ineighbor_alltoall");
    return;
  }
#endif
  if (collectives_.is_member()) start_collective();
}

void MpiNonblocking::start_collective() {
  const auto bytes = static_cast<int>(call_.size_bytes);
  const ReducedElements e(call_.size_bytes);
  constexpr int root = 0;
  const std::byte* from = collectives_.sent();
  std::byte* to = collectives_.received();
  MPI_Comm group = collectives_.group();
  MPI_Request* request = &requests_.emplace_back(MPI_REQUEST_NULL);
  switch (call_.operation) {
    case NonblockingOperation::broadcast:
      return check(MPI_Ibcast(to, bytes, MPI_BYTE, root, group, request), "MPI_Ibcast");
    case NonblockingOperation::gather:
      return check(MPI_Igather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, root, group, request),
                   "MPI_Igather");
    case NonblockingOperation::scatter:
      return check(MPI_Iscatter(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, root, group, request),
                   "MPI_Iscatter");
    case NonblockingOperation::reduce:
      return check(MPI_Ireduce(from, to, e.count, e.type, e.op, root, group, request), "MPI_Ireduce");
    case NonblockingOperation::allreduce:
      return check(MPI_Iallreduce(from, to, e.count, e.type, e.op, group, request), "MPI_Iallreduce");
    case NonblockingOperation::allgather:
      return check(MPI_Iallgather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, group, request),
                   "MPI_Iallgather");
    case NonblockingOperation::reduce_scatter:
      return check(MPI_Ireduce_scatter(from, to, counts_.data(), e.type, e.op, group, request),
                   "MPI_Ireduce_scatter");
    case NonblockingOperation::alltoall:
      return check(MPI_Ialltoall(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, group, request),
                   "MPI_Ialltoall");
    case NonblockingOperation::neighbor_alltoall:
    case NonblockingOperation::neighbor_sends:
      return;
  }
}

// A tag is the direction in which the sender sends.
void MpiNonblocking::start_sends() {
  const auto bytes = static_cast<int>(call_.size_bytes);
  for (std::size_t direction = 0; direction < directions; ++direction) {
    if (neighbours_[direction] < 0) continue;
    check(MPI_Irecv(receive_.get() + direction * call_.size_bytes, bytes, MPI_BYTE, neighbours_[direction],
                    static_cast<int>(NeighbourGrid::opposite(direction)), grid_,
                    &requests_.emplace_back(MPI_REQUEST_NULL)),
          "MPI_Irecv");
  }
  for (std::size_t direction = 0; direction < directions; ++direction) {
    if (neighbours_[direction] < 0) continue;
    check(MPI_Isend(send_.get() + direction * call_.size_bytes, bytes, MPI_BYTE, neighbours_[direction],
                    static_cast<int>(direction), grid_, &requests_.emplace_back(MPI_REQUEST_NULL)),
          "MPI_Isend");
  }
}

void MpiNonblocking::poll() {
  if (requests_.empty()) return;
  int done = 0;
  check(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE),
        "MPI_Testall");
}

void MpiNonblocking::finish() {
  if (requests_.empty()) return;
  check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
        "MPI_Waitall");
  requests_.clear();
}

void MpiNonblocking::fill(std::uint32_t seed) {
  if (!with_neighbours()) return collectives_.fill(seed);
  exchange::fill_pattern({send_.get(), send_.size()}, rank_, seed);
  if (receive_.size() > 0) std::memset(receive_.get(), 0, receive_.size());
}

measure::CheckedTransfers MpiNonblocking::verify(std::uint32_t seed) const {
  return with_neighbours() ? verify_neighbours(seed) : collectives_.verify(seed);
}

measure::CheckedTransfers MpiNonblocking::verify_neighbours(std::uint32_t seed) const {
  measure::CheckedTransfers checked;
  const std::span<const std::byte> result{receive_.get(), receive_.size()};
  for (std::size_t direction = 0; direction < directions; ++direction) {
    if (neighbours_[direction] < 0) continue;
    ++checked.transfers;
    const std::size_t sent_at = NeighbourGrid::opposite(direction) * call_.size_bytes;
    const auto block = result.subspan(direction * call_.size_bytes, call_.size_bytes);
    if (!exchange::holds_pattern(block, sent_at, neighbours_[direction], seed)) ++checked.wrong;
  }
  return checked;
}

}  // namespace stretto::tools
