// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/api/aggregate_state.hpp"

#include <algorithm>
#include <exception>
#include <stretto/error.hpp>
#include <string>
#include <utility>

#include "onesided/api/access.hpp"
#include "onesided/api/check_arguments.hpp"
#include "onesided/memory/memory_operations.hpp"
#include "onesided/memory/region_state.hpp"
#include "onesided/path/direct.hpp"

namespace stretto::onesided {

AggregateState::AggregateState(std::shared_ptr<RuntimeState> owner)
    : state(std::move(owner)), gathered_{.writer = {nullptr, 0, PacketKind::put, 0}, .pieces = {}} {
  state->check_alive();
}

AggregateState::~AggregateState() {
  const std::lock_guard lock(state->lists_mutex);
  state->open_aggregates.erase(this);
}

// Puts are packed as they come, so that the request is ready when it is sent. Without an engine nothing is
// packed, and the buffer counts as full when a packet would be.
void AggregateState::begin_packet() {
  const bool packs = path_ == Path::message;
  const std::size_t segment = state->options.segment_bytes;
  if (packs) buffer_.resize(state->contexts->packet_bytes());
  const std::size_t capacity = packs ? buffer_.size() : segment;
  const PacketKind kind = kind_ == OperationKind::get ? PacketKind::get : PacketKind::put;
  gathered_.writer = PacketWriter(packs ? buffer_.data() : nullptr, capacity, kind, segment);
  gathered_.pieces.clear();
}

void AggregateState::check(const LayoutTransfer& transfer, int rank) const {
  if (&Access::state(transfer.region)->runtime() != state.get()) {
    throw HandleError("an aggregate takes no operation on a region of another runtime");
  }
  if (!pending()) return;
  if (rank != target) {
    throw HandleError("an aggregate to rank " + std::to_string(target) + " takes no operation to rank " +
                      std::to_string(rank) + "; wait for it first, or use one for each target");
  }
  if (transfer.kind != kind_) {
    throw HandleError("an aggregate holds puts or gets, never both; wait for it first, or use two");
  }
}

void AggregateState::add(const LayoutTransfer& transfer) {
  check_arguments(transfer);
  RegionState& region = *Access::state(transfer.region);
  const int rank = region.runtime_rank(transfer.target);
  check(transfer, rank);
  // An aggregate is packed wherever a noncontiguous transfer would be.
  const Path path =
      choose_path(state->rules, {.kind = transfer.kind,
                                 .contiguous = false,
                                 .node_local = region.memory->node_local(transfer.target) != nullptr});
  state->order(rank, path,
               transfer.kind != OperationKind::get);  // not under the lock: a fence sends aggregates
  const std::lock_guard lock(mutex_);
  if (!pending()) {
    target = rank;
    kind_ = transfer.kind;
    path_ = path;
    begin_packet();
    const std::lock_guard list(state->lists_mutex);
    state->open_aggregates.insert(this);
  }
  // On the direct path, too: the data is stored only when the aggregate is sent. A fence that covers the
  // first operation of a packet sends the others with it.
  if (gathered_.writer.is_empty()) state->unfenced_to(rank).beyond_stores.count();
  use(transfer);
  state->counters.operation(rank, path_, transfer.layout.size_bytes());
  transfer.layout.for_each([&](const Piece& piece) { gather(piece); });
}

// Without a LayoutTransfer for each piece: a thousand of them would take longer than the data on the wire.
bool AggregateState::add_alike(OperationKind kind, const RegionState& region, int to, const Piece& piece) {
  if (!pending() || kind != kind_ || path_ != Path::message || regions_.empty()) return false;
  const Entry& last = regions_.back();
  if (last.region.get() != &region || last.target != to || region.freed || state->finalized) return false;
  if (piece.local == nullptr || piece.offset > last.size_bytes ||
      piece.size_bytes > last.size_bytes - piece.offset)
    return false;
  if (last.there != nullptr && !disjoint(last.there + piece.offset, piece.local, piece.size_bytes))
    return false;
  const int rank = target;
  if (state->may_overtake(rank, Path::message)) return false;
  const std::lock_guard lock(mutex_);
  if (gathered_.writer.is_empty()) state->unfenced_to(rank).beyond_stores.count();
  state->counters.operation(rank, path_, piece.size_bytes);
  gather(piece);
  return true;
}

void AggregateState::use(const LayoutTransfer& transfer) {
  const auto& region = Access::state(transfer.region);
  const auto known =
      std::find_if(regions_.begin(), regions_.end(), [&](const Entry& one) { return one.region == region; });
  if (known != regions_.end()) return;
  region->begin_use();
  regions_.push_back({.region = region,
                      .target = transfer.target,
                      .size_bytes = region->memory->size_bytes(transfer.target),
                      .there = region->memory->node_local(transfer.target)});
}

void AggregateState::gather(Piece piece) {
  const bool packed = path_ == Path::message && kind_ != OperationKind::get;
  while (piece.size_bytes > 0) {
    const std::size_t taken = gathered_.writer.add(piece, 1);
    if (taken > 0) {
      Piece part = piece;
      part.size_bytes = taken;
      if (!packed) gathered_.pieces.push_back(part);
      piece.local += taken;
      piece.offset += taken;
      piece.size_bytes -= taken;
    }
    if (piece.size_bytes > 0) send_gathered();
  }
}

void AggregateState::send() {
  const std::lock_guard lock(mutex_);
  if (!gathered_.writer.is_empty()) send_gathered();
}

void AggregateState::send_gathered() {
  if (path_ == Path::message) {
    send_message();
  } else {
    send_otherwise();
  }
  begin_packet();
}

void AggregateState::send_message() {
  const PacketKind kind = kind_ == OperationKind::get ? PacketKind::get : PacketKind::put;
  auto operation = std::make_shared<MessageOperation>(kind, target, Layout{});
  operation->packed = &gathered_;
  if (sent_.size() == sent_.capacity()) sent_.reserve(2 * sent_.size() + 8);  // before MPI has the memory
  state->start(operation);
  if (!operation->done) sent_.push_back(std::move(operation));
}

void AggregateState::send_otherwise() {
  for (const Piece& piece : gathered_.pieces) {
    const auto& entry = *std::find_if(regions_.begin(), regions_.end(),
                                      [&](const Entry& one) { return one.region->id == piece.region; });
    if (path_ == Path::rma) {
      entry.region->start(kind_, entry.target, piece);
    } else {
      copy_piece(kind_, piece, entry.region->memory->node_local(entry.target));
    }
  }
  std::atomic_thread_fence(std::memory_order_acq_rel);
}

bool AggregateState::is_complete() {
  state->order(target, path_, kind_ != OperationKind::get);
  send();
  if (path_ == Path::rma) {
    for (const Entry& one : regions_)
      one.region->complete_locally(one.target, one.region->last_ticket(one.target));
  }
  const std::lock_guard lock(mutex_);
  return std::all_of(sent_.begin(), sent_.end(), [](const auto& one) { return one->done.load(); });
}

void AggregateState::wait() {
  if (!pending()) return;
  state->wait_until([&] { return is_complete(); }, "an aggregate", target);
  clear();
}

void AggregateState::end() noexcept {
  in_destructor([&] {
    if (std::uncaught_exceptions() == 0 || !state->timed_out) wait();
  });
  if (pending()) release();
}

void AggregateState::release() noexcept {
  std::vector<std::shared_ptr<MessageOperation>> sent;
  {
    const std::lock_guard lock(mutex_);
    discard_gathered();  // before another thread's fence sends it
    sent.swap(sent_);
    if (path_ == Path::rma) {
      for (const Entry& one : regions_) one.region->end_transfers(one.target);
    }
  }
  for (const auto& one : sent) state->release(*one);
  clear();
}

void AggregateState::discard_gathered() {
  gathered_.writer = PacketWriter(nullptr, 0, PacketKind::put, 0);
  gathered_.pieces.clear();
}

void AggregateState::clear() {
  const std::lock_guard lock(mutex_);
  discard_gathered();
  for (const Entry& one : regions_) one.region->end_use();
  regions_.clear();
  sent_.clear();
  target = -1;
  const std::lock_guard list(state->lists_mutex);
  state->open_aggregates.erase(this);
}

void send_aggregates(RuntimeState& state, int target) {
  std::vector<std::shared_ptr<AggregateState>> open;  // shared, because its thread may drop it now
  {
    const std::lock_guard lock(state.lists_mutex);
    for (AggregateState* one : state.open_aggregates) {
      if (one->target != target) continue;
      if (auto shared = one->weak_from_this().lock()) open.push_back(std::move(shared));
    }
  }
  for (const auto& one : open) one->send();
}

}  // namespace stretto::onesided
