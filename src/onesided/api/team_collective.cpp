// SPDX-License-Identifier: BSD-3-Clause
// Collectives of a team over MPI's nonblocking ones. MPI moves the data; a wait tests it, and serves other
// ranks between two tests.
#include <cstring>
#include <exception>
#include <stretto/checked_size.hpp>
#include <stretto/completion.hpp>
#include <stretto/error.hpp>
#include <stretto/team_collective.hpp>
#include <string>
#include <utility>
#include <vector>

#include "mpi/check.hpp"
#include "onesided/api/access.hpp"
#include "onesided/api/handle_access.hpp"
#include "onesided/api/left_behind.hpp"
#include "onesided/api/nonblocking_fence.hpp"
#include "onesided/api/runtime_state.hpp"

namespace stretto {

using mpi::check;

namespace onesided {

struct TeamRequestState {
  explicit TeamRequestState(const Team& of) : team(Access::state(of)) {
    team->state->check_alive();
    ++team->state->pending_collectives;
  }
  TeamRequestState(const TeamRequestState&) = delete;
  TeamRequestState& operator=(const TeamRequestState&) = delete;
  ~TeamRequestState() { --team->state->pending_collectives; }

  /// What MPI sends from and receives into: with a timeout copies, so that the collective can be abandoned.
  const std::byte* source(Source data) {
    if (!team->state->copies_all) return data.data;
    sent.assign(data.data, data.data + data.size_bytes);
    return sent.data();
  }
  std::byte* sink(Sink data) {
    if (!team->state->copies_all) return data.data;
    received.resize(data.size_bytes);
    result = data;
    return received.data();
  }

  std::shared_ptr<TeamState> team;
  MPI_Request request = MPI_REQUEST_NULL;
  std::vector<Handle> fences;  // of a barrier, which begins when they are complete
  bool is_barrier = false;
  bool waits_for_fences = false;
  int arrived = 0;  // what a barrier reduces
  int all_arrived = 0;
  std::vector<std::byte> sent;
  std::vector<std::byte> received;
  Sink result{nullptr, 0};  // where what was received goes

  [[nodiscard]] static TeamRequest as_request(std::unique_ptr<TeamRequestState> state) {
    return TeamRequest(std::move(state));
  }

  [[nodiscard]] MPI_Comm communicator() const { return team->communicator.get(); }

  void reduce_arrivals() {
    // SimGrid's MPI_Ibarrier lets ranks leave before all have entered.
    check(MPI_Iallreduce(&arrived, &all_arrived, 1, MPI_INT, MPI_MAX, communicator(), &request),
          "MPI_Iallreduce");
    waits_for_fences = false;
  }

  [[nodiscard]] bool is_complete() {
    if (waits_for_fences) {
      for (Handle& fence : fences) {
        if (!test_remote(fence)) return false;
      }
      fences.clear();
      reduce_arrivals();
    }
    int done = 1;
    if (request != MPI_REQUEST_NULL) check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done == 0) return false;
    if (std::exchange(is_barrier, false)) synchronise();
    if (result.data != nullptr && !received.empty())
      std::memcpy(result.data, received.data(), received.size());
    received.clear();
    return true;
  }

  /// What other ranks have done before the barrier happens before what follows it.
  void synchronise() const {
    if (team->state->contexts != nullptr) team->state->contexts->synchronise_memory();
    team->state->synchronise_windows();
  }

  /// MPI keeps what it may still use, which is not memory of the program, to its end.
  static void leave(std::unique_ptr<TeamRequestState> left) noexcept {
    for (Handle& fence : left->fences) HandleAccess::clear(fence);
    --left->team->state->pending_collectives;  // its destructor never runs
    leave_behind(std::move(left));
  }

  void wait() {
    team->state->wait_until([&] { return is_complete(); }, "a collective of a team", -1);
  }
};

}  // namespace onesided

namespace {

using State = onesided::TeamRequestState;

std::unique_ptr<State> begin(const Team& team, int root = 0) {
  auto state = std::make_unique<State>(team);
  if (root < 0 || root >= team.size()) {
    throw ArgumentError("root",
                        std::to_string(root) + " is none of the team's " + std::to_string(team.size()));
  }
  return state;
}

template <typename Data>
void check_data(const char* name, const Data& data) {
  if (data.data == nullptr && data.size_bytes > 0) throw ArgumentError(name, "is NULL");
}

void check_size(const char* name, std::size_t size_bytes, std::size_t expected) {
  if (size_bytes == expected) return;
  throw ArgumentError(name,
                      "has " + std::to_string(size_bytes) + " bytes instead of " + std::to_string(expected));
}

/// As MPI counts, in int.
int count(const char* argument, std::size_t number) { return detail::checked_number<int>(argument, number); }

MPI_Datatype mpi_type(detail::ReducedType type) {
  switch (type) {
    case detail::ReducedType::int32:
      return MPI_INT32_T;
    case detail::ReducedType::int64:
      return MPI_INT64_T;
    case detail::ReducedType::uint32:
      return MPI_UINT32_T;
    case detail::ReducedType::uint64:
      return MPI_UINT64_T;
    case detail::ReducedType::float32:
      return MPI_FLOAT;
    case detail::ReducedType::float64:
      break;
  }
  return MPI_DOUBLE;
}

MPI_Op mpi_operation(Reduction reduction) {
  switch (reduction) {
    case Reduction::sum:
      return MPI_SUM;
    case Reduction::product:
      return MPI_PROD;
    case Reduction::min:
      return MPI_MIN;
    case Reduction::max:
      return MPI_MAX;
    case Reduction::bit_and:
      return MPI_BAND;
    case Reduction::bit_or:
      return MPI_BOR;
    case Reduction::bit_xor:
      return MPI_BXOR;
    case Reduction::logical_and:
      return MPI_LAND;
    case Reduction::logical_or:
      break;
  }
  return MPI_LOR;
}

void check_reduction(detail::ReducedType type, Reduction reduction) {
  const bool real = type == detail::ReducedType::float32 || type == detail::ReducedType::float64;
  const bool of_numbers = reduction == Reduction::sum || reduction == Reduction::product ||
                          reduction == Reduction::min || reduction == Reduction::max;
  if (real && !of_numbers) throw ArgumentError("reduction", "of bits or truth values needs integers");
}

}  // namespace

TeamRequest::TeamRequest() = default;
TeamRequest::TeamRequest(std::unique_ptr<onesided::TeamRequestState> state) : state_(std::move(state)) {}
TeamRequest::TeamRequest(TeamRequest&&) noexcept = default;

TeamRequest& TeamRequest::operator=(TeamRequest&& other) noexcept {
  TeamRequest old;
  std::swap(old.state_, state_);
  std::swap(state_, other.state_);
  return *this;  // what it was, if pending, is reported by the destructor of `old`
}

TeamRequest::~TeamRequest() {
  if (state_ == nullptr) return;
  const std::shared_ptr<onesided::RuntimeState> runtime = state_->team->state;
  const bool unwinding = std::uncaught_exceptions() > 0;
  onesided::in_destructor([&] {
    if (!unwinding || !runtime->timed_out) wait();
  });
  if (state_ != nullptr) end();  // the caller's buffers are about to be freed
  if (unwinding) return;
  onesided::in_destructor(
      [&] { runtime->report_dropped("a collective of a team was dropped while pending; wait for it"); });
}

void TeamRequest::end() noexcept {
  if (state_->team->state->copies_all) return State::leave(std::move(state_));
  state_->team->state->await_memory([&] { return state_->is_complete(); }, -1);
  state_.reset();
}

void TeamRequest::wait() {
  if (state_ == nullptr) return;
  state_->wait();
  state_.reset();
}

bool TeamRequest::test() {
  if (state_ == nullptr) return true;
  if (!state_->is_complete()) {
    state_->team->state->make_progress();
    if (!state_->is_complete()) return false;
  }
  state_.reset();
  return true;
}

namespace detail {

TeamRequest start_reduce(const Team& team, Source mine, Sink result, ReducedType type, Reduction reduction,
                         int root) {
  auto state = begin(team, root == every_member ? 0 : root);
  check_reduction(type, reduction);
  int element = 0;
  check(MPI_Type_size(mpi_type(type), &element), "MPI_Type_size");
  const auto element_bytes = static_cast<std::size_t>(element);
  if (mine.size_bytes % element_bytes != 0) throw ArgumentError("mine", "ends with a part of an element");
  const int elements = count("mine", mine.size_bytes / element_bytes);
  check_data("mine", mine);
  if (root == every_member || root == team.rank()) {
    check_size("result", result.size_bytes, mine.size_bytes);
    check_data("result", result);
  }
  if (root == every_member) {
    check(MPI_Iallreduce(state->source(mine), state->sink(result), elements, mpi_type(type),
                         mpi_operation(reduction), state->communicator(), &state->request),
          "MPI_Iallreduce");
  } else {
    std::byte* const to = root == team.rank() ? state->sink(result) : result.data;
    check(MPI_Ireduce(state->source(mine), to, elements, mpi_type(type), mpi_operation(reduction), root,
                      state->communicator(), &state->request),
          "MPI_Ireduce");
  }
  return State::as_request(std::move(state));
}

}  // namespace detail

namespace nonblocking {

TeamRequest barrier(const Team& team) {
  auto state = begin(team);
  state->is_barrier = true;
  state->fences = onesided::start_fences(*state->team->state);
  state->waits_for_fences = !state->fences.empty();
  if (!state->waits_for_fences) state->reduce_arrivals();
  return State::as_request(std::move(state));
}

TeamRequest broadcast(const Team& team, Sink data, int root) {
  auto state = begin(team, root);
  check_data("data", data);
  const int size = count("data", data.size_bytes);
  std::byte* const memory = state->sink(data);
  if (memory != data.data && data.size_bytes > 0) std::memcpy(memory, data.data, data.size_bytes);
  if (root == team.rank()) state->result = {nullptr, 0};  // nothing comes back
  check(MPI_Ibcast(memory, size, MPI_BYTE, root, state->communicator(), &state->request), "MPI_Ibcast");
  return State::as_request(std::move(state));
}

TeamRequest allgather(const Team& team, Source mine, Sink all) {
  auto state = begin(team);
  check_size("all", all.size_bytes,
             detail::checked_product("mine", mine.size_bytes, static_cast<std::size_t>(team.size())));
  check_data("mine", mine);
  check_data("all", all);
  const int size = count("mine", mine.size_bytes);
  check(MPI_Iallgather(state->source(mine), size, MPI_BYTE, state->sink(all), size, MPI_BYTE,
                       state->communicator(), &state->request),
        "MPI_Iallgather");
  return State::as_request(std::move(state));
}

TeamRequest alltoall(const Team& team, Source blocks, Sink received) {
  auto state = begin(team);
  const auto members = static_cast<std::size_t>(team.size());
  if (blocks.size_bytes % members != 0) {
    throw ArgumentError("blocks", std::to_string(blocks.size_bytes) + " bytes are not as many for each of " +
                                      std::to_string(members) + " members");
  }
  check_size("received", received.size_bytes, blocks.size_bytes);
  check_data("blocks", blocks);
  check_data("received", received);
  const int size = count("blocks", blocks.size_bytes / members);
  check(MPI_Ialltoall(state->source(blocks), size, MPI_BYTE, state->sink(received), size, MPI_BYTE,
                      state->communicator(), &state->request),
        "MPI_Ialltoall");
  return State::as_request(std::move(state));
}

}  // namespace nonblocking

void broadcast(const Team& team, Sink data, int root) { nonblocking::broadcast(team, data, root).wait(); }
void allgather(const Team& team, Source mine, Sink all) { nonblocking::allgather(team, mine, all).wait(); }
void alltoall(const Team& team, Source blocks, Sink received) {
  nonblocking::alltoall(team, blocks, received).wait();
}

}  // namespace stretto
