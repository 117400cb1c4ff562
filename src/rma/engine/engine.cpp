// SPDX-License-Identifier: BSD-3-Clause
// The origin's side: packets leave, replies come. engine_serve.cpp has the target's.
#include "rma/engine/engine.hpp"

#include <sched.h>

#include <algorithm>
#include <utility>

#include "mpi/check.hpp"
#include "mpi/library.hpp"
#include "rma/memory/memory_operations.hpp"

namespace stretto::rma {

using mpi::check;

namespace {

/// Besides the data: a header, and the head of the runs that a contiguous piece needs.
constexpr std::size_t packet_overhead = sizeof(PacketHeader) + 2 * sizeof(PacketRun);

/// Of data that a helper moves after a look that found less than one. What wakes a helper often wakes its
/// rank, too, out of a barrier, and the rank's own requests would wait on the wire behind all that the helper
/// answers before them.
constexpr std::size_t first_packets = 2;

std::size_t received_bytes(const MPI_Status& status) {
  int length = 0;
  check(MPI_Get_count(&status, MPI_BYTE, &length), "MPI_Get_count");
  return static_cast<std::size_t>(length);
}

/// MPICH 5.0 over UCX never completes a receive from MPI_ANY_SOURCE whose message came before it (decision
/// 15).
bool must_name_sources() { return mpi::is_mpich(); }

/// Of buffers for replies to those of each other sort. A get has no more on their way than it has buffers,
/// and both ways its request waits on the wire behind what this rank answers (docs/decisions/rendezvous.md).
constexpr int replies_a_slot = 2;

}  // namespace

Engine::Engine(MPI_Comm parent, std::size_t segment_bytes, int slots, const std::vector<int>& sources,
               bool announcing, CounterTable& counters)
    : requests_communicator_(parent),
      replies_communicator_(parent),
      segment_bytes_(segment_bytes),
      packet_bytes_(segment_bytes + packet_overhead),
      announcing_(announcing),
      counters_(counters),
      sources_(must_name_sources() ? sources : std::vector<int>{}),
      incoming_(std::max(slots, static_cast<int>(sources_.size())), packet_bytes_, 0),
      landing_(slots, 0, incoming_.end_of_requests()),
      outgoing_(slots, packet_bytes_, landing_.end_of_requests()),
      replies_in_(replies_a_slot * slots, segment_bytes, outgoing_.end_of_requests()),
      replies_out_(replies_a_slot * slots, segment_bytes, replies_in_.end_of_requests()),
      expected_(static_cast<std::size_t>(replies_in_.slots())),
      sent_to_(static_cast<std::size_t>(slots), requests_communicator_.rank()),
      sent_of_(static_cast<std::size_t>(slots)),
      lands_from_(static_cast<std::size_t>(slots)),
      next_sent_(static_cast<std::size_t>(requests_communicator_.size()), 0),
      next_served_(next_sent_.size(), 0),
      next_reply_(next_sent_.size(), 0),
      next_apart_(next_sent_.size(), 0),
      to_land_(next_sent_.size(), 0),
      stores_sent_(next_sent_.size(), 0),
      stores_done_(next_sent_.size(), 0),
      asked_(next_sent_.size()) {
  requests_.assign(replies_out_.end_of_requests(), MPI_REQUEST_NULL);
  completed_.resize(requests_.size());
  statuses_.resize(requests_.size());
  for (int slot = 0; slot < incoming_.slots(); ++slot) post_receive(incoming_.take());
}

Engine::~Engine() { end_receives(); }

// Receives from anybody are fed from here instead of being cancelled, which not every MPI can; those that
// name a source exist where MPI can.
void Engine::end_receives() {
  for (int slot = 0; slot < incoming_.slots(); ++slot) {
    if (sources_.empty()) {
      MPI_Send(nullptr, 0, MPI_BYTE, requests_communicator_.rank(), request_tag,
               requests_communicator_.get());
    } else {
      MPI_Cancel(&requests_[incoming_.request(slot)]);
    }
  }
  MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
}

void Engine::add_region(std::uint32_t region, std::span<std::byte> memory) {
  const std::lock_guard lock(mutex_);
  regions_.emplace(region, memory);
}

void Engine::remove_region(std::uint32_t region) {
  const std::lock_guard lock(mutex_);
  regions_.erase(region);
}

bool Engine::try_start(const std::shared_ptr<Operation>& operation) {
  const std::lock_guard lock(mutex_);
  called_ = true;
  if (!send_packet(operation)) return false;
  while (!operation->all_sent && send_packet(operation)) {
  }
  if (!operation->all_sent) unsent_.push_back(operation);
  return true;
}

int Engine::holder() {
  const std::lock_guard lock(mutex_);
  const auto& answer = expected_.front().operation;
  return replies_in_.is_empty() && answer != nullptr ? answer->target : sent_to_.front();
}

std::shared_ptr<Operation> Engine::last_unsent(int target) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(unsent_.rbegin(), unsent_.rend(), [&](const auto& one) { return one->target == target; });
  return found == unsent_.rend() ? nullptr : *found;
}

bool Engine::is_sent(const Operation& operation) {
  const std::lock_guard lock(mutex_);
  return operation.all_sent;
}

bool Engine::is_dirty(int target) {
  const std::lock_guard lock(mutex_);
  const auto place = static_cast<std::size_t>(target);
  return stores_sent_[place] != stores_done_[place];
}

std::shared_ptr<Operation> Engine::asked(int target) {
  const std::lock_guard lock(mutex_);
  const auto place = static_cast<std::size_t>(target);
  const std::shared_ptr<Operation>& last = asked_[place];
  return last != nullptr && last->result == stores_sent_[place] ? last : nullptr;
}

bool Engine::is_replying() {
  const std::lock_guard lock(mutex_);
  return !replies_out_.is_idle();
}

bool Engine::progress() {
  const std::lock_guard lock(mutex_);
  called_ = true;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  const std::size_t before_bytes = moved_bytes_;
  const bool moved = progress_locked();
  if (moved_bytes_ > before_bytes) taken_bytes_ += moved_bytes_ - before_bytes;
  return moved;
}

Traffic Engine::try_progress() noexcept {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  Traffic found{.taken = taken_bytes_.exchange(0) >= segment_bytes_};
  if (!lock.owns_lock() || failure_) return found;
  const bool called = std::exchange(called_, false);
  most_bytes_ = moved_bytes_ >= segment_bytes_ ? no_limit : first_packets * segment_bytes_;
  moved_bytes_ = 0;
  for (PacketPool* const pool : pools()) pool->count_anew();
  try {
    // The first look in vain may be what lets the library take what has come: Open MPI looks, then reads.
    for (int in_vain = 0; in_vain < 2;) {
      const bool progress = progress_locked();
      found.any = found.any || progress;
      in_vain = progress ? 0 : in_vain + 1;
    }
  } catch (...) {
    failure_ = std::current_exception();
  }
  found.left = moved_bytes_ >= most_bytes_ && !arrived_.empty();
  most_bytes_ = no_limit;
  found.bulk = !called && moved_bytes_ >= segment_bytes_;
  for (const PacketPool* const pool : pools()) found.filled = std::max(found.filled, pool->turnover());
  return found;
}

bool Engine::progress_locked() {
  const bool completed = complete_requests();
  const bool served = serve();
  const bool sent = pump();
  return completed || served || sent;
}

bool Engine::complete_requests() {
  std::size_t looked_at = 0;
  for (const PacketPool* const pool : pools()) {
    if (!pool->is_idle()) looked_at = pool->end_of_requests();
  }
  int count = 0;
  check(MPI_Testsome(static_cast<int>(looked_at), requests_.data(), &count, completed_.data(),
                     statuses_.data()),
        "MPI_Testsome");
  if (count == MPI_UNDEFINED) return false;
  for (int i = 0; i < count; ++i) {
    const auto place = static_cast<std::size_t>(i);
    complete(static_cast<std::size_t>(completed_[place]), statuses_[place]);
  }
  return count > 0;
}

void Engine::complete(std::size_t index, const MPI_Status& status) {
  if (incoming_.owns_request(index)) {
    const std::size_t length = received_bytes(status);
    const int slot = incoming_.slot_of(index);
    incoming_.turn_over();
    moved_bytes_ += length;
    arrived_.push_back({.slot = slot,
                        .source = status.MPI_SOURCE,
                        .length = length,
                        .header = read_header(incoming_.buffer(slot))});
  } else if (landing_.owns_request(index)) {
    moved_bytes_ += received_bytes(status);
    --to_land_[static_cast<std::size_t>(lands_from_[static_cast<std::size_t>(landing_.slot_of(index))])];
    landing_.give_back(landing_.slot_of(index));
  } else if (outgoing_.owns_request(index)) {
    packet_left(outgoing_.slot_of(index));
  } else if (replies_out_.owns_request(index)) {
    replies_out_.give_back(replies_out_.slot_of(index));
  } else {
    moved_bytes_ += received_bytes(status);
    reply_arrived(replies_in_.slot_of(index));
  }
}

void Engine::packet_left(int slot) {
  const auto operation = std::exchange(sent_of_[static_cast<std::size_t>(slot)], nullptr);
  if (operation != nullptr) {
    --operation->sends_to_end;
    operation->settle();
  }
  outgoing_.give_back(slot);
}

void Engine::reply_arrived(int slot) {
  Expected& expected = expected_[static_cast<std::size_t>(slot)];
  const std::shared_ptr<Operation> operation = std::move(expected.operation);
  const std::byte* data = replies_in_.buffer(slot);
  if (operation->kind == PacketKind::atomic) std::memcpy(&operation->result, data, sizeof operation->result);
  if (operation->kind == PacketKind::fence) {
    std::uint64_t& done = stores_done_[static_cast<std::size_t>(operation->target)];
    done = std::max(done, operation->result);
  }
  if (expected.pieces.size() > 1) {
    for (const Piece& piece : expected.pieces) {
      copy_bytes(piece.local, data, piece.size_bytes);
      data += piece.size_bytes;
    }
  }
  replies_in_.give_back(slot);
  --operation->replies_to_come;
  operation->settle();
}

void Engine::post_receive(int slot) {
  const int source =
      sources_.empty() ? MPI_ANY_SOURCE : sources_[static_cast<std::size_t>(slot) % sources_.size()];
  check(MPI_Irecv(incoming_.buffer(slot), static_cast<int>(packet_bytes_), MPI_BYTE, source, request_tag,
                  requests_communicator_.get(), &requests_[incoming_.request(slot)]),
        "MPI_Irecv");
}

}  // namespace stretto::rma
