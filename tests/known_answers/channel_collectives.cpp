// SPDX-License-Identifier: BSD-3-Clause
#include "known_answers/channel_collectives.hpp"

#include <algorithm>
#include <array>

namespace stretto::known_answers {

using exchange::ChannelOperation;
using probe::NeighbourGrid;

std::string_view ChannelCollectives::absence(NonblockingOperation operation) const {
  switch (operation) {
    case NonblockingOperation::reduce:
    case NonblockingOperation::allreduce:
    case NonblockingOperation::reduce_scatter:
      return "there are no reductions without an MPI";
    default:
      return {};
  }
}

exchange::Transfer ChannelCollectives::block(int peer, std::size_t from, std::size_t to) const {
  return {.operation = ChannelOperation::send,
          .peer = peer,
          .size_bytes = call_.size_bytes,
          .offset_bytes = from * call_.size_bytes,
          .receive_offset_bytes = to * call_.size_bytes};
}

void ChannelCollectives::add_send(int peer, std::size_t from, std::size_t to) {
  sends_.push_back(block(peer, from, to));
}

void ChannelCollectives::add_receive(int peer, std::size_t from, std::size_t to) {
  receives_.push_back(block(peer, from, to));
}

void ChannelCollectives::prepare(const NonblockingCall& call, bool /*checked*/) {
  call_ = call;
  sends_.clear();
  receives_.clear();
  channel_.reserve(call.size_bytes * static_cast<std::size_t>(std::max(call.members, 4)));
  const int rank = team_.rank();
  if (rank >= call.members) return;
  if (call.operation >= NonblockingOperation::neighbor_alltoall) return plan_neighbours();
  const auto own = static_cast<std::size_t>(rank);
  for (int step = 1; step < call.members; ++step) {
    const int to = (rank + step) % call.members;
    const int from = (rank + call.members - step) % call.members;
    const auto target = static_cast<std::size_t>(to);
    const auto source = static_cast<std::size_t>(from);
    switch (call.operation) {
      case NonblockingOperation::broadcast:
        if (rank == 0) add_send(to, 0, 0);
        if (from == 0) add_receive(from, 0, 0);
        break;
      case NonblockingOperation::scatter:
        if (rank == 0) add_send(to, target, 0);
        if (from == 0) add_receive(from, own, 0);
        break;
      case NonblockingOperation::gather:
        if (to == 0) add_send(to, 0, own);
        if (rank == 0) add_receive(from, 0, source);
        break;
      case NonblockingOperation::allgather:
        add_send(to, 0, own);
        add_receive(from, 0, source);
        break;
      default:
        add_send(to, target, own);
        add_receive(from, own, source);
    }
  }
}

void ChannelCollectives::plan_neighbours() {
  const std::array<int, 4> neighbours = NeighbourGrid::of(call_.members).neighbours(team_.rank());
  for (std::size_t direction = 0; direction < neighbours.size(); ++direction) {
    const int peer = neighbours[direction];
    if (peer < 0) continue;
    add_send(peer, direction, NeighbourGrid::opposite(direction));
    add_receive(peer, NeighbourGrid::opposite(direction), direction);
  }
}

void ChannelCollectives::start() {
  for (const exchange::Transfer& transfer : receives_) channel_.expect(transfer);
  for (const exchange::Transfer& transfer : sends_) channel_.start(transfer);
}

measure::CheckedTransfers ChannelCollectives::verify(std::uint32_t seed) const {
  measure::CheckedTransfers checked;
  for (const exchange::Transfer& transfer : receives_) {
    ++checked.transfers;
    if (!channel_.arrived(transfer, seed)) ++checked.wrong;
  }
  return checked;
}

}  // namespace stretto::known_answers
