// SPDX-License-Identifier: BSD-3-Clause
// A poll of the engine: it tests all requests in one call, completes operations, serves what has arrived and
// sends what is queued. The program and the progress thread take turns by the engine's mutex.
#include <algorithm>
#include <cstring>
#include <utility>

#include "mpi/check.hpp"
#include "onesided/engine/engine.hpp"
#include "onesided/memory/memory_operations.hpp"

namespace stretto::onesided {

using mpi::check;

namespace {

/// The packets' worth of data that the progress thread moves after a poll that found less than one. What
/// wakes the thread often wakes its rank out of a barrier, too. The rank's own requests would then wait on
/// the wire behind all replies that the thread sends before them.
constexpr std::size_t first_poll_packets = 2;

/// The value that an atomic's reply brings.
void store_fetched(MessageOperation& operation, const std::byte* reply) {
  std::memcpy(&operation.result, reply, sizeof operation.result);
  if (operation.fetched == nullptr) return;
  const auto narrow = static_cast<std::uint32_t>(operation.result);
  const bool wide = operation.atomic.size_bytes == sizeof operation.result;
  std::memcpy(operation.fetched, wide ? static_cast<const void*>(&operation.result) : &narrow,
              operation.atomic.size_bytes);
}

std::size_t received_bytes(const MPI_Status& status) {
  int length = 0;
  check(MPI_Get_count(&status, MPI_BYTE, &length), "MPI_Get_count");
  return static_cast<std::size_t>(length);
}

}  // namespace

bool Engine::progress() {
  const std::lock_guard lock(mutex_);
  return progress_of_program();
}

bool Engine::progress_unless_busy() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  return lock.owns_lock() && progress_of_program();
}

bool Engine::progress_of_program() {
  program_called_ = true;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  const std::size_t before_bytes = moved_bytes_;
  const bool moved = progress_locked();
  if (moved_bytes_ > before_bytes) program_bytes_ += moved_bytes_ - before_bytes;
  return moved;
}

void Engine::guard(const std::function<void()>& work) noexcept {
  try {
    work();
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
  }
}

std::exception_ptr Engine::take_failure() {
  const std::lock_guard lock(mutex_);
  return std::exchange(failure_, nullptr);
}

progress::PollResult Engine::try_progress() noexcept {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  progress::PollResult found{.program_bulk = program_bytes_.exchange(0) >= segment_bytes_};
  if (!lock.owns_lock() || failure_) return found;
  const bool called = std::exchange(program_called_, false);
  byte_budget_ = moved_bytes_ >= segment_bytes_ ? no_limit : first_poll_packets * segment_bytes_;
  moved_bytes_ = 0;
  for (BufferPool* const pool : pools()) pool->reset_turnover();
  try {
    // An empty poll may be the one in which the library reads its connections: Open MPI tests first, then
    // reads.
    for (int empty_polls = 0; empty_polls < 2;) {
      const bool progressed = progress_locked();
      found.progressed = found.progressed || progressed;
      empty_polls = progressed ? 0 : empty_polls + 1;
    }
  } catch (...) {
    failure_ = std::current_exception();
  }
  found.unserved = moved_bytes_ >= byte_budget_ && !arrivals_.empty();
  byte_budget_ = no_limit;
  found.bulk = !called && moved_bytes_ >= segment_bytes_;
  for (const BufferPool* const pool : pools())
    found.buffer_use = std::max(found.buffer_use, pool->turnover());
  return found;
}

bool Engine::progress_locked() {
  receive_probed();
  const bool completed = complete_requests();
  const bool served = serve();
  const bool sent = send_queued();
  return completed || served || sent;
}

bool Engine::complete_requests() {
  std::size_t end = 0;
  for (const BufferPool* const pool : pools()) {
    if (!pool->is_idle()) end = pool->end_of_requests();
  }
  int count = 0;
  check(MPI_Testsome(static_cast<int>(end), requests_.data(), &count, completed_.data(), statuses_.data()),
        "MPI_Testsome");
  if (count == MPI_UNDEFINED) return false;
  for (int i = 0; i < count; ++i) {
    const auto place = static_cast<std::size_t>(i);
    complete(static_cast<std::size_t>(completed_[place]), statuses_[place]);
  }
  return count > 0;
}

void Engine::complete(std::size_t index, const MPI_Status& status) {
  if (request_receives_.owns_request(index)) {
    const std::size_t length = received_bytes(status);
    const int slot = request_receives_.slot_of(index);
    request_receives_.count_turnover();
    moved_bytes_ += length;
    arrivals_.push_back({.slot = slot,
                         .source = status.MPI_SOURCE,
                         .length = length,
                         .header = read_header(request_receives_.buffer(slot))});
  } else if (segment_receives_.owns_request(index)) {
    moved_bytes_ += received_bytes(status);
    --outstanding_segments_[static_cast<std::size_t>(
        segment_sources_[static_cast<std::size_t>(segment_receives_.slot_of(index))])];
    segment_receives_.release(segment_receives_.slot_of(index));
  } else if (request_sends_.owns_request(index)) {
    send_completed(request_sends_.slot_of(index));
  } else if (reply_sends_.owns_request(index)) {
    reply_sends_.release(reply_sends_.slot_of(index));
  } else {
    moved_bytes_ += received_bytes(status);
    reply_received(reply_receives_.slot_of(index));
  }
}

void Engine::send_completed(int slot) {
  const auto operation = std::exchange(send_operations_[static_cast<std::size_t>(slot)], nullptr);
  if (operation != nullptr) {
    --operation->outstanding_sends;
    operation->complete_if_finished();
  }
  request_sends_.release(slot);
}

void Engine::reply_received(int slot) {
  OutstandingReply& expected = outstanding_replies_[static_cast<std::size_t>(slot)];
  const std::shared_ptr<MessageOperation> operation = std::move(expected.operation);
  const std::byte* data = reply_receives_.buffer(slot);
  if (operation->kind == PacketKind::atomic) store_fetched(*operation, data);
  if (operation->kind == PacketKind::fence) {
    std::uint64_t& done = stores_done_[static_cast<std::size_t>(operation->target)];
    done = std::max(done, operation->result);
  }
  if (!expected.in_place && !expected.pieces.empty()) {
    const std::byte* const begin = data;
    for (const Piece& piece : expected.pieces) {
      copy_bytes(piece.local, data, piece.size_bytes);
      data += piece.size_bytes;
    }
    counters_.copy(operation->target, Path::message, static_cast<std::size_t>(data - begin));
  }
  reply_receives_.release(slot);
  --operation->outstanding_replies;
  operation->complete_if_finished();
}

void Engine::receive_probed() {
  while (probes_ && !request_receives_.is_empty()) {
    int found = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    check(MPI_Improbe(MPI_ANY_SOURCE, request_tag, requests_communicator_.get(), &found, &message,
                      MPI_STATUS_IGNORE),
          "MPI_Improbe");
    if (found == 0) return;
    const int slot = request_receives_.take();
    check(MPI_Imrecv(request_receives_.buffer(slot), static_cast<int>(packet_bytes_), MPI_BYTE, &message,
                     &requests_[request_receives_.request(slot)]),
          "MPI_Imrecv");
  }
}

}  // namespace stretto::onesided
