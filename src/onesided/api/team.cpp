// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <stretto/error.hpp>
#include <stretto/runtime.hpp>
#include <stretto/team.hpp>
#include <stretto/team_collective.hpp>
#include <string>
#include <vector>

#include "mpi/check.hpp"
#include "onesided/api/access.hpp"
#include "onesided/api/runtime_state.hpp"

namespace stretto {
namespace {

/// Throws ArgumentError unless `ranks` are distinct ranks of the runtime, with the caller's.
void check_members(const onesided::RuntimeState& state, std::span<const int> ranks) {
  state.check_alive();
  std::vector<int> sorted(ranks.begin(), ranks.end());
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] < 0 || sorted[i] >= state.communicator.size()) {
      throw ArgumentError("ranks", std::to_string(sorted[i]) + " is none of the runtime's " +
                                       std::to_string(state.communicator.size()));
    }
    if (i > 0 && sorted[i] == sorted[i - 1])
      throw ArgumentError("ranks", std::to_string(sorted[i]) + " is twice there");
  }
  if (!std::binary_search(sorted.begin(), sorted.end(), state.communicator.rank())) {
    throw ArgumentError(
        "ranks", "the caller, rank " + std::to_string(state.communicator.rank()) + ", is not among them");
  }
}

/// Throws ArgumentError `argument` unless `rank` is one of the `size` ranks of `group`.
void check_index(const char* argument, int rank, std::size_t size, const char* group) {
  if (rank >= 0 && static_cast<std::size_t>(rank) < size) return;
  throw ArgumentError(argument, std::to_string(rank) + " is none of " + group + " " + std::to_string(size));
}

/// Collective over `ranks`.
std::shared_ptr<onesided::TeamState> make_team(const std::shared_ptr<onesided::RuntimeState>& state,
                                               std::span<const int> ranks) {
  check_members(*state, ranks);
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group members = MPI_GROUP_NULL;
  MPI_Comm team = MPI_COMM_NULL;
  mpi::check(MPI_Comm_group(state->communicator.get(), &all), "MPI_Comm_group");
  mpi::check(MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &members), "MPI_Group_incl");
  mpi::check(MPI_Comm_create_group(state->communicator.get(), members, 0, &team), "MPI_Comm_create_group");
  auto result =
      std::make_shared<onesided::TeamState>(state, team, std::vector<int>(ranks.begin(), ranks.end()));
  mpi::check(MPI_Comm_free(&team), "MPI_Comm_free");
  mpi::check(MPI_Group_free(&members), "MPI_Group_free");
  mpi::check(MPI_Group_free(&all), "MPI_Group_free");
  return result;
}

}  // namespace

Team::Team(const Runtime& runtime, std::span<const int> ranks)
    : state_(make_team(onesided::Access::state(runtime), ranks)) {}

int Team::rank() const { return state_->communicator.rank(); }
int Team::size() const { return state_->communicator.size(); }
int Team::runtime_rank(int member) const {
  const std::vector<int>& ranks = state_->runtime_ranks;
  check_index("member", member, ranks.size(), "the team's");
  return ranks[static_cast<std::size_t>(member)];
}
int Team::team_rank(int runtime_rank) const {
  const std::vector<int>& ranks = state_->team_ranks;
  check_index("runtime_rank", runtime_rank, ranks.size(), "the runtime's");
  return ranks[static_cast<std::size_t>(runtime_rank)];
}
int Team::translate(int member, const Team& other) const {
  if (state_->state != other.state_->state) throw ArgumentError("other", "is a team of another runtime");
  return other.team_rank(runtime_rank(member));
}

std::optional<Team> Team::split(int color, int key) const {
  struct Choice {
    int color = 0;
    int key = 0;
  };
  std::vector<Choice> choices(static_cast<std::size_t>(size()));
  TeamRequest all = nonblocking::allgather(*this, std::array{Choice{color, key}}, choices);
  state_->state->complete_step([&] { all.wait(); });
  if (color < 0) return std::nullopt;
  std::vector<int> members;
  for (int member = 0; member < size(); ++member) {
    if (choices[static_cast<std::size_t>(member)].color == color) members.push_back(member);
  }
  std::stable_sort(members.begin(), members.end(), [&](int one, int other) {
    return choices[static_cast<std::size_t>(one)].key < choices[static_cast<std::size_t>(other)].key;
  });
  for (int& member : members) member = runtime_rank(member);
  return Team(make_team(state_->state, members));
}

const std::vector<int>& Team::nodes() const { return state_->nodes; }
MPI_Comm Team::communicator() const { return state_->communicator.get(); }
void Team::check_alive() const { state_->state->check_alive(); }

void Team::barrier() const {
  check_alive();
  state_->state->complete_step([&] { state_->state->fence_all(); });
  state_->state->barrier(state_->communicator.get());
  state_->state->synchronise_windows();
  state_->state->throw_kept();
}

}  // namespace stretto
