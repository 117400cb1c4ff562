// SPDX-License-Identifier: BSD-3-Clause
// The ranks that share a region: all of a runtime's, or some of them.
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace stretto {

namespace onesided {
struct Access;
struct TeamState;
}  // namespace onesided

class Runtime;

class Team {
 public:
  /// A team of `ranks` of the runtime, which get ranks in the team in this order. Collective over these.
  /// Throws ArgumentError when a rank is out of range or listed twice, or when the caller is not among them.
  Team(const Runtime& runtime, std::span<const int> ranks);

  [[nodiscard]] int rank() const;
  [[nodiscard]] int size() const;
  /// The rank in the runtime of the team's rank `member`. Throws ArgumentError if there is no such
  /// member.
  [[nodiscard]] int runtime_rank(int member) const;
  /// The rank in the team of the runtime's rank `runtime_rank`, or -1. Throws ArgumentError if the runtime
  /// has no such rank.
  [[nodiscard]] int team_rank(int runtime_rank) const;
  /// The rank in `other` of this team's rank `member`, or -1. Throws ArgumentError if there is no such
  /// member, or `other` is a team of another runtime.
  [[nodiscard]] int translate(int member, const Team& other) const;
  /// Divides the team: the members that give the same `color` form a team, in the order of `key`, then of
  /// their ranks. A negative color is for a member that gets none. Collective.
  [[nodiscard]] std::optional<Team> split(int color, int key = 0) const;
  /// For each member the lowest rank of the runtime on the same node. Valid as long as the team.
  [[nodiscard]] const std::vector<int>& nodes() const;
  /// The team's own communicator, under the same rules as Runtime::communicator().
  [[nodiscard]] MPI_Comm communicator() const;
  /// Completes all operations of this rank to any rank, and is a barrier of the members. Collective.
  void barrier() const;
  /// Throws FinalizedError once the runtime is finalized.
  void check_alive() const;

 private:
  friend struct onesided::Access;
  explicit Team(std::shared_ptr<onesided::TeamState> state) : state_(std::move(state)) {}

  std::shared_ptr<onesided::TeamState> state_;
};

namespace detail {
/// Calls `check` on all members; where it throws on some, all throw. The others' error is of the same kind,
/// and names the rank. Collective.
void agree(const Team& team, const std::function<void()>& check);
}  // namespace detail

}  // namespace stretto
