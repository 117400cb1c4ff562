// SPDX-License-Identifier: BSD-3-Clause
// The engine as a whole: its buffers, and what the runtime asks of it. engine_progress.cpp moves messages,
// engine_send.cpp has the origin's side, engine_serve.cpp the target's.
#include "onesided/engine/engine.hpp"

#include <algorithm>

#include "mpi/check.hpp"
#include "mpi/library.hpp"
#include "onesided/api/agreement.hpp"

namespace stretto::onesided {

using mpi::check;

namespace {

/// A packet's bytes besides the data: the header, and the runs that a contiguous piece needs.
constexpr std::size_t packet_overhead = sizeof(PacketHeader) + 2 * sizeof(PacketRun);

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

bool Engine::try_start(const std::shared_ptr<MessageOperation>& operation) {
  const std::lock_guard lock(mutex_);
  program_called_ = true;
  if (!send_packet(operation)) return false;
  while (!operation->all_sent && send_packet(operation)) {
  }
  if (!operation->all_sent) send_queue_.push_back(operation);
  return true;
}

void Engine::abandon(MessageOperation& operation) {
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

bool Engine::uses_program_memory(const MessageOperation* operation) {
  const std::lock_guard lock(mutex_);
  const auto sends = [operation](const std::shared_ptr<MessageOperation>& one) {
    return one != nullptr && (operation == nullptr || one.get() == operation);
  };
  const auto receives = [&](const OutstandingReply& reply) {
    return reply.in_place && sends(reply.operation);
  };
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

std::shared_ptr<MessageOperation> Engine::last_unsent(int target) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(send_queue_.rbegin(), send_queue_.rend(),
                                  [&](const auto& one) { return one->target == target; });
  return found == send_queue_.rend() ? nullptr : *found;
}

bool Engine::is_sent(const MessageOperation& operation) {
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

void Engine::send_query(const std::shared_ptr<MessageOperation>& query) {
  if (has_unsent(query->target) || !send_packet(query)) send_queue_.push_back(query);
}

std::shared_ptr<MessageOperation> Engine::start_query(int target) {
  const std::lock_guard lock(mutex_);
  program_called_ = true;
  const auto place = static_cast<std::size_t>(target);
  if (!has_unsent(target)) {
    if (stores_sent_[place] == stores_done_[place]) return nullptr;
    const std::shared_ptr<MessageOperation>& last = completion_queries_[place];
    if (last != nullptr && last->result == stores_sent_[place]) return last;
  }
  auto query = std::make_shared<MessageOperation>(PacketKind::fence, target, Layout{});
  send_query(query);
  return query;
}

void Engine::start_query(const std::shared_ptr<MessageOperation>& query) {
  const std::lock_guard lock(mutex_);
  program_called_ = true;
  send_query(query);
}

std::shared_ptr<MessageOperation> Engine::completion_query(int target) {
  const std::lock_guard lock(mutex_);
  const auto place = static_cast<std::size_t>(target);
  const std::shared_ptr<MessageOperation>& last = completion_queries_[place];
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

void Engine::post_request_receive(int slot) {
  if (probes_) return request_receives_.release(slot);
  const int source =
      sources_.empty() ? MPI_ANY_SOURCE : sources_[static_cast<std::size_t>(slot) % sources_.size()];
  check(MPI_Irecv(request_receives_.buffer(slot), static_cast<int>(packet_bytes_), MPI_BYTE, source,
                  request_tag, requests_communicator_.get(), &requests_[request_receives_.request(slot)]),
        "MPI_Irecv");
}

}  // namespace stretto::onesided
