// SPDX-License-Identifier: BSD-3-Clause
#include "tools/mpi_collectives.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stretto/collective.hpp>

#include "exchange/pattern.hpp"
#include "mpi/check.hpp"

namespace stretto::tools {
namespace {

using collective::Operation;
using mpi::check;

bool is_reduction(Operation operation) {
  return operation == Operation::reduce || operation == Operation::allreduce ||
         operation == Operation::reduce_scatter;
}

/// The number of blocks of b bytes in the buffers of a rank.
struct Blocks {
  std::size_t send = 1;
  std::size_t receive = 1;
};

Blocks blocks_of(const probe::CollectiveCall& call, bool is_root) {
  const auto p = static_cast<std::size_t>(call.members);
  switch (call.operation) {
    case Operation::gather:
      return {.receive = is_root ? p : 0};
    case Operation::scatter:
      return {.send = is_root ? p : 0};
    case Operation::allgather:
      return {.receive = p};
    case Operation::reduce_scatter:
      return {.send = p};
    case Operation::alltoall:
      return {.send = p, .receive = p};
    case Operation::broadcast:
      return {.send = 0};
    case Operation::reduce:
    case Operation::allreduce:
      return {};
  }
  return {};
}

/// A small whole number, so that sums are exact.
double addend(int rank, std::size_t place, std::uint32_t seed) {
  return static_cast<double>((static_cast<std::size_t>(rank) * 31 + place * 7 + seed % 1009) % 1021);
}

}  // namespace

void Buffer::release() {
#ifdef STRETTO_SIMGRID
  if (shared_) {
    SMPI_SHARED_FREE(data_);
    data_ = nullptr;
    return;
  }
#endif
  std::free(data_);
  data_ = nullptr;
}

void Buffer::resize(std::size_t size_bytes, bool apart) {
  release();
  size_bytes_ = size_bytes;
  shared_ = false;
#ifdef STRETTO_SIMGRID
  constexpr std::size_t large_bytes = std::size_t{1} << 20;
  if (size_bytes >= large_bytes && !apart) {
    shared_ = true;
    data_ = static_cast<std::byte*>(SMPI_SHARED_MALLOC(size_bytes));
    return;
  }
#else
  (void)apart;
#endif
  if (size_bytes == 0) return;
  data_ = static_cast<std::byte*>(std::calloc(size_bytes, 1));
  if (data_ == nullptr) throw std::bad_alloc();
  std::memset(data_, 1, size_bytes);  // touches all pages before anything is timed
}

MpiCollectives::MpiCollectives(MPI_Comm world) : world_(world) {
  check(MPI_Comm_rank(world, &rank_), "MPI_Comm_rank");
}

void MpiCollectives::prepare(const probe::CollectiveCall& call, bool checked) {
  call_ = call;
  const auto [place, is_new] = teams_.try_emplace(call.members);
  if (is_new) {
    const bool joins = rank_ < call.members;
    place->second = std::make_unique<collective::OwnCommunicator>(world_, joins ? 0 : 1, rank_);
  }
  team_ = rank_ < call.members ? place->second->get() : MPI_COMM_NULL;
  if (!is_member()) return;
  const Blocks blocks = blocks_of(call, rank_ == call.root);
  send_.resize(blocks.send * call.size_bytes, checked);
  receive_.resize(blocks.receive * call.size_bytes, checked);
  if (!call.form.grid.is_flat()) (void)collective::CommunicatorState::of(team_).groups(call.form.grid);
}

void MpiCollectives::run(probe::CollectivePart part) {
  if (!is_member()) return;
  const bool leader = part == probe::CollectivePart::leader;
  const auto call = [&](auto whole, auto in_phases, auto... arguments) {
    if (part == probe::CollectivePart::total) return whole(arguments..., team_, call_.form);
    in_phases({.state = collective::CommunicatorState::of(team_),
               .grid = call_.form.grid,
               .flat = collective::flat_operations(call_.form.algorithm),
               .phases = {.leader = leader, .concurrent = !leader}},
              arguments...);
  };
  namespace two_phase = collective::two_phase;
  const auto bytes = static_cast<int>(call_.size_bytes);
  const ReducedElements e(call_.size_bytes);
  const int root = call_.root;
  const std::byte* from = send_.get();
  std::byte* to = receive_.get();
  switch (call_.operation) {
    case Operation::broadcast:
      return call(collective::broadcast, two_phase::broadcast, to, bytes, MPI_BYTE, root);
    case Operation::gather:
      return call(collective::gather, two_phase::gather, from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, root);
    case Operation::scatter:
      return call(collective::scatter, two_phase::scatter, from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, root);
    case Operation::reduce:
      return call(collective::reduce, two_phase::reduce, from, to, e.count, e.type, e.op, root);
    case Operation::allreduce:
      return call(collective::allreduce, two_phase::allreduce, from, to, e.count, e.type, e.op);
    case Operation::allgather:
      return call(collective::allgather, two_phase::allgather, from, bytes, MPI_BYTE, to, bytes, MPI_BYTE);
    case Operation::reduce_scatter:
      return call(collective::reduce_scatter, two_phase::reduce_scatter, from, to, e.count, e.type, e.op);
    case Operation::alltoall:
      return call(collective::alltoall, two_phase::alltoall, from, bytes, MPI_BYTE, to, bytes, MPI_BYTE);
  }
}

void MpiCollectives::fill(std::uint32_t seed) {
  if (!is_member()) return;
  if (receive_.size() > 0) std::memset(receive_.get(), 0, receive_.size());
  if (is_reduction(call_.operation) && ReducedElements(call_.size_bytes).doubles) {
    for (std::size_t i = 0; i < send_.size() / sizeof(double); ++i) {
      const double value = addend(rank_, i, seed);
      std::memcpy(send_.get() + i * sizeof(double), &value, sizeof value);
    }
    return;
  }
  // Reductions of bytes XOR equal patterns, so that verify() can predict the result of p ranks.
  const int filler = is_reduction(call_.operation) ? 0 : rank_;
  exchange::fill_pattern({send_.get(), send_.size()}, filler, seed);
  if (call_.operation == Operation::broadcast && rank_ == call_.root) {
    exchange::fill_pattern({receive_.get(), receive_.size()}, rank_, seed);
  }
}

measure::CheckedTransfers MpiCollectives::verify(std::uint32_t seed) const {
  const bool expects =
      is_member() && (!is_rooted(call_.operation) || call_.operation == Operation::broadcast ||
                      call_.operation == Operation::scatter || rank_ == call_.root);
  if (!expects) return {};
  return {.transfers = 1, .wrong = result_is_right(seed) ? 0 : 1};
}

bool MpiCollectives::result_is_right(std::uint32_t seed) const {
  const std::size_t b = call_.size_bytes;
  const std::span<const std::byte> result{receive_.get(), receive_.size()};
  const auto block_is = [&](std::size_t index, std::size_t place, int filler) {
    return exchange::holds_pattern(result.subspan(index * b, b), place * b, filler, seed);
  };
  const auto own = static_cast<std::size_t>(rank_);
  switch (call_.operation) {
    case Operation::broadcast:
      return block_is(0, 0, call_.root);
    case Operation::scatter:
      return block_is(0, own, call_.root);
    case Operation::gather:
    case Operation::allgather:
    case Operation::alltoall:
      for (int peer = 0; peer < call_.members; ++peer) {
        const bool apart = call_.operation == Operation::alltoall;
        if (!block_is(static_cast<std::size_t>(peer), apart ? own : 0, peer)) return false;
      }
      return true;
    case Operation::reduce:
    case Operation::allreduce:
      return sum_is_right(result, 0, seed);
    case Operation::reduce_scatter:
      return sum_is_right(result, own * b, seed);
  }
  return false;
}

bool MpiCollectives::sum_is_right(std::span<const std::byte> result, std::size_t place_bytes,
                                  std::uint32_t seed) const {
  if (!ReducedElements(call_.size_bytes).doubles) {  // XOR of an even number of equal patterns is zero
    if (call_.members % 2 != 0) return exchange::holds_pattern(result, place_bytes, 0, seed);
    return std::ranges::all_of(result, [](std::byte one) { return one == std::byte{0}; });
  }
  for (std::size_t i = 0; i < result.size() / sizeof(double); ++i) {
    double expected = 0;
    for (int rank = 0; rank < call_.members; ++rank) {
      expected += addend(rank, place_bytes / sizeof(double) + i, seed);
    }
    double found = 0;
    std::memcpy(&found, result.data() + i * sizeof(double), sizeof found);
    if (found != expected) return false;
  }
  return true;
}

}  // namespace stretto::tools
