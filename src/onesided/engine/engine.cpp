// SPDX-License-Identifier: BSD-3-Clause
// The engine as a whole, and its completions. engine_send.cpp has the origin's side, engine_serve.cpp the
// target's.
#include "onesided/engine/engine.hpp"

#include <sched.h>

#include <algorithm>
#include <utility>

#include "mpi/check.hpp"
#include "mpi/library.hpp"
#include "onesided/api/agreement.hpp"
#include "onesided/memory/memory_operations.hpp"

namespace stretto::onesided {

using mpi::check;

namespace {

/// A packet's bytes besides the data: the header, and the runs that a contiguous piece needs.
constexpr std::size_t packet_overhead = sizeof(PacketHeader) + 2 * sizeof(PacketRun);

/// The packets' worth of data that the progress thread moves after a poll that found less than one. What
/// wakes the thread often wakes its rank out of a barrier, too. The rank's own requests would then wait on
/// the wire behind all replies that the thread sends before them.
constexpr std::size_t first_poll_packets = 2;

/// The value that an atomic's reply brings.
void store_fetched(Operation& operation, const std::byte* reply) {
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

/// MPICH 5.0 over UCX never completes a receive from MPI_ANY_SOURCE if the message came before it.
bool must_name_sources() { return mpi::is_mpich(); }

/// Whether each source gets receives of its own. With more sources than buffers they would be more than a
/// poll should test, so messages are probed for.
bool names_sources(const std::vector<int>& sources, int slots) {
  return must_name_sources() && sources.size() <= static_cast<std::size_t>(slots);
}

/// Reply buffers for each buffer of the other pools. A get has at most as many replies outstanding as there
/// are buffers. When data flows both ways, its next request waits on the wire behind this rank's own replies
/// (docs/decisions/rendezvous.md).
constexpr int replies_per_slot = 2;

}  // namespace

Engine::Engine(MPI_Comm parent, const EngineOptions& options, const std::vector<int>& sources,
               CounterTable& counters, ReceivedCalls& calls)
    : requests_communicator_(parent),
      replies_communicator_(parent),
      segment_bytes_(options.segment_bytes),
      packet_bytes_(segment_bytes_ + packet_overhead),
      use_rendezvous_(options.use_rendezvous && !options.copies_all),
      copies_all_(options.copies_all),
      counters_(counters),
      sources_(names_sources(sources, options.slots) ? sources : std::vector<int>{}),
      probes_(must_name_sources() && sources_.empty()),
      request_receives_(options.slots, packet_bytes_, 0),
      segment_receives_(options.slots, 0, request_receives_.end_of_requests()),
      request_sends_(options.slots, packet_bytes_, segment_receives_.end_of_requests()),
      reply_receives_(replies_per_slot * options.slots, segment_bytes_, request_sends_.end_of_requests()),
      reply_sends_(replies_per_slot * options.slots, segment_bytes_, reply_receives_.end_of_requests()),
      outstanding_replies_(static_cast<std::size_t>(reply_receives_.slots())),
      send_targets_(static_cast<std::size_t>(options.slots), requests_communicator_.rank()),
      send_operations_(static_cast<std::size_t>(options.slots)),
      segment_sources_(static_cast<std::size_t>(options.slots)),
      next_sent_(static_cast<std::size_t>(requests_communicator_.size()), 0),
      next_served_(next_sent_.size(), 0),
      next_reply_(next_sent_.size(), 0),
      next_segment_(next_sent_.size(), 0),
      outstanding_segments_(next_sent_.size(), 0),
      stores_sent_(next_sent_.size(), 0),
      stores_done_(next_sent_.size(), 0),
      completion_queries_(next_sent_.size()),
      calls_(calls) {
  agree(requests_communicator_.get(), [this] {
    for (BufferPool* const pool : pools()) pool->allocate();
  });
  requests_.assign(reply_sends_.end_of_requests(), MPI_REQUEST_NULL);
  completed_.resize(requests_.size());
  statuses_.resize(requests_.size());
  for (int slot = 0; slot < request_receives_.slots() && !probes_; ++slot)
    post_request_receive(request_receives_.take());
}

Engine::~Engine() { end_receives(); }

// Receives from MPI_ANY_SOURCE get an empty message, because not every MPI can cancel them. Receives that
// name a source are cancelled: the MPIs that need them can.
void Engine::end_receives() {
  for (int slot = 0; slot < request_receives_.slots(); ++slot) {
    if (probes_) break;
    if (sources_.empty()) {
      MPI_Send(nullptr, 0, MPI_BYTE, requests_communicator_.rank(), request_tag,
               requests_communicator_.get());
    } else {
      MPI_Cancel(&requests_[request_receives_.request(slot)]);
    }
  }
  MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
}

void Engine::add_region(std::uint32_t region, Memory memory) {
  const std::lock_guard lock(mutex_);
  regions_.emplace(region, memory);
}

void Engine::remove_region(std::uint32_t region) {
  const std::lock_guard lock(mutex_);
  regions_.erase(region);
}

bool Engine::try_start(const std::shared_ptr<Operation>& operation) {
  const std::lock_guard lock(mutex_);
  program_called_ = true;
  if (!send_packet(operation)) return false;
  while (!operation->all_sent && send_packet(operation)) {
  }
  if (!operation->all_sent) send_queue_.push_back(operation);
  return true;
}

void Engine::abandon(Operation& operation) {
  const std::lock_guard lock(mutex_);
  std::erase_if(send_queue_, [&](const auto& one) { return one.get() == &operation; });
  operation.all_sent = true;
  operation.abandoned = true;
  operation.fetched = nullptr;
  for (OutstandingReply& reply : outstanding_replies_) {
    if (reply.operation.get() == &operation && !reply.in_place) reply.pieces.clear();
  }
  operation.complete_if_finished();
}

void Engine::abandon_all() {
  const std::lock_guard lock(mutex_);
  for (const auto& operation : send_queue_) operation->abandoned = true;
  send_queue_.clear();
  for (OutstandingReply& reply : outstanding_replies_) {
    if (reply.operation == nullptr) continue;
    reply.operation->abandoned = true;
    reply.operation->fetched = nullptr;
    if (!reply.in_place) reply.pieces.clear();
  }
}

bool Engine::uses_program_memory() {
  const std::lock_guard lock(mutex_);
  const auto receives = [](const OutstandingReply& reply) {
    return reply.operation != nullptr && reply.in_place;
  };
  const auto sends = [](const std::shared_ptr<Operation>& operation) { return operation != nullptr; };
  return std::ranges::any_of(outstanding_replies_, receives) || std::ranges::any_of(send_operations_, sends);
}

bool Engine::awaits_abandoned() {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(outstanding_replies_, [](const OutstandingReply& reply) {
    return reply.operation != nullptr && reply.operation->abandoned.load();
  });
}

int Engine::blocking_rank() {
  const std::lock_guard lock(mutex_);
  const auto& answer = outstanding_replies_.front().operation;
  return reply_receives_.is_empty() && answer != nullptr ? answer->target : send_targets_.front();
}

std::shared_ptr<Operation> Engine::last_unsent(int target) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(send_queue_.rbegin(), send_queue_.rend(),
                                  [&](const auto& one) { return one->target == target; });
  return found == send_queue_.rend() ? nullptr : *found;
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

bool Engine::has_unsent(int target) const {
  return std::any_of(send_queue_.begin(), send_queue_.end(),
                     [&](const auto& one) { return one->target == target; });
}

void Engine::send_query(const std::shared_ptr<Operation>& query) {
  if (has_unsent(query->target) || !send_packet(query)) send_queue_.push_back(query);
}

std::shared_ptr<Operation> Engine::start_query(int target) {
  const std::lock_guard lock(mutex_);
  program_called_ = true;
  const auto place = static_cast<std::size_t>(target);
  if (!has_unsent(target)) {
    if (stores_sent_[place] == stores_done_[place]) return nullptr;
    const std::shared_ptr<Operation>& last = completion_queries_[place];
    if (last != nullptr && last->result == stores_sent_[place]) return last;
  }
  auto query = std::make_shared<Operation>(PacketKind::fence, target, Layout{});
  send_query(query);
  return query;
}

void Engine::start_query(const std::shared_ptr<Operation>& query) {
  const std::lock_guard lock(mutex_);
  program_called_ = true;
  send_query(query);
}

std::shared_ptr<Operation> Engine::completion_query(int target) {
  const std::lock_guard lock(mutex_);
  const auto place = static_cast<std::size_t>(target);
  const std::shared_ptr<Operation>& last = completion_queries_[place];
  return last != nullptr && last->result == stores_sent_[place] ? last : nullptr;
}

bool Engine::is_idle() {
  const std::lock_guard lock(mutex_);
  return send_queue_.empty() && arrivals_.empty() && segment_receives_.is_idle() &&
         request_sends_.is_idle() && reply_receives_.is_idle() && reply_sends_.is_idle();
}

bool Engine::is_serving() {
  const std::lock_guard lock(mutex_);
  return !reply_sends_.is_idle() || !segment_receives_.is_idle();
}

bool Engine::is_replying() {
  const std::lock_guard lock(mutex_);
  return !reply_sends_.is_idle();
}

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
  const std::shared_ptr<Operation> operation = std::move(expected.operation);
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

void Engine::post_request_receive(int slot) {
  if (probes_) return request_receives_.release(slot);
  const int source =
      sources_.empty() ? MPI_ANY_SOURCE : sources_[static_cast<std::size_t>(slot) % sources_.size()];
  check(MPI_Irecv(request_receives_.buffer(slot), static_cast<int>(packet_bytes_), MPI_BYTE, source,
                  request_tag, requests_communicator_.get(), &requests_[request_receives_.request(slot)]),
        "MPI_Irecv");
}

}  // namespace stretto::onesided
