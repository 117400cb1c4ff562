// SPDX-License-Identifier: BSD-3-Clause
#include "collective/started_operation.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace stretto::collective::detail {
namespace {

constexpr std::size_t stack_bytes = std::size_t{256} << 10;

StartedOperation* current = nullptr;

using Queue = std::deque<std::shared_ptr<StartedOperation>>;

/// The operations in progress, in order for each communicator: its groups see the phases of one operation
/// after those of the one before, on all ranks alike.
std::map<MPI_Comm, Queue>& queues() {
  static std::map<MPI_Comm, Queue> all;
  return all;
}

void progress(Queue& queue) {
  while (!queue.empty()) {
    const std::shared_ptr<StartedOperation> first = queue.front();
    first->resume();
    if (!first->is_complete()) return;
    queue.pop_front();
  }
}

int complete(MPI_Request request) {
  for (;;) {
    int done = 0;
    const int code = PMPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS || done != 0) return code;
    StartedOperation::running()->yield();
  }
}

/// A flat operation made of MPI's nonblocking one: starts it, and waits for it by yielding.
template <auto start, typename... Arguments>
int complete_by_yielding(Arguments... arguments) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = start(arguments..., &request);
  return code == MPI_SUCCESS ? complete(request) : code;
}

}  // namespace

StartedOperation::StartedOperation(std::function<void()> body)
    : body_(std::move(body)), stack_(new std::byte[stack_bytes]) {
  getcontext(&own_);
  own_.uc_stack.ss_sp = stack_.get();
  own_.uc_stack.ss_size = stack_bytes;
  own_.uc_link = &caller_;
  const auto address = reinterpret_cast<std::uintptr_t>(this);
  makecontext(&own_, reinterpret_cast<void (*)()>(&StartedOperation::enter), 2,
              static_cast<unsigned int>(address), static_cast<unsigned int>(address >> 32U));
}

void StartedOperation::enter(unsigned int low, unsigned int high) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): makecontext() passes integers alone
  auto* const self = reinterpret_cast<StartedOperation*>(std::uintptr_t{low} | std::uintptr_t{high} << 32U);
  try {
    self->body_();
  } catch (...) {
    self->failed_ = std::current_exception();
  }
  self->complete_ = true;
}

void StartedOperation::resume() {
  if (complete_) return;
  StartedOperation* const before = std::exchange(current, this);
  swapcontext(&caller_, &own_);
  current = before;
}

void StartedOperation::yield() { swapcontext(&own_, &caller_); }

void StartedOperation::rethrow() const {
  if (failed_) std::rethrow_exception(failed_);
}

StartedOperation* StartedOperation::running() { return current; }

const FlatOperations& nonblocking_operations() {
  static const FlatOperations operations{.broadcast = complete_by_yielding<PMPI_Ibcast>,
                                         .gather = complete_by_yielding<PMPI_Igather>,
                                         .scatter = complete_by_yielding<PMPI_Iscatter>,
                                         .reduce = complete_by_yielding<PMPI_Ireduce>,
                                         .allreduce = complete_by_yielding<PMPI_Iallreduce>,
                                         .allgather = complete_by_yielding<PMPI_Iallgather>,
                                         .allgatherv = complete_by_yielding<PMPI_Iallgatherv>,
                                         .reduce_scatter = complete_by_yielding<PMPI_Ireduce_scatter_block>,
                                         .reduce_scatterv = complete_by_yielding<PMPI_Ireduce_scatter>,
                                         .alltoall = complete_by_yielding<PMPI_Ialltoall>};
  return operations;
}

std::shared_ptr<StartedOperation> start(MPI_Comm communicator, std::function<void()> body) {
  auto operation = std::make_shared<StartedOperation>(std::move(body));
  operation->set_queued();
  Queue& queue = queues()[communicator];
  queue.push_back(operation);
  progress(queue);
  return operation;
}

void progress_all() {
  std::vector<MPI_Comm> idle;
  for (auto& [communicator, queue] : queues()) {
    progress(queue);
    if (queue.empty()) idle.push_back(communicator);
  }
  for (const MPI_Comm one : idle) queues().erase(one);
}

void complete_before(MPI_Comm communicator) {
  if (current != nullptr) return;
  const auto place = queues().find(communicator);
  if (place == queues().end()) return;
  while (!place->second.empty()) progress(place->second);
  queues().erase(place);
}

}  // namespace stretto::collective::detail
