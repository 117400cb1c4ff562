// SPDX-License-Identifier: BSD-3-Clause
// The groups of a process by their numbers, and the processes of a group that a scope selects.
#pragma once

#include <armci/armci.h>
#include <mpi.h>

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <stretto/runtime.hpp>
#include <stretto/team.hpp>
#include <vector>

#include "mpi/communicator.hpp"

namespace stretto::armci {

/// Throws Refused for NULL.
[[nodiscard]] ARMCI_Group number_in(const ARMCI_Group* group);

/// A group as its members see it.
class Group {
 public:
  /// Collective over the team.
  explicit Group(Team team);

  [[nodiscard]] const Team& team() const { return team_; }
  /// A process of all as a rank of the group. Throws Refused for one that is no member.
  [[nodiscard]] int rank_of(int process) const;
  /// For the program, whose messages must not meet the runtime's.
  [[nodiscard]] MPI_Comm users_communicator() const { return users_.get(); }
  /// Ranks in the group of those that a scope means, rising. SCOPE_NODE: those on the caller's node.
  /// Throws Refused for what is no scope.
  [[nodiscard]] std::vector<int> members(int scope) const;
  /// Of these, in this order; nullptr when the caller is not among them. The first call for a scope is
  /// collective over them.
  [[nodiscard]] MPI_Comm communicator(int scope);

 private:
  Team team_;
  mpi::Communicator users_;
  std::mutex mutex_;  // of the two below, which are made when they are first needed
  std::unique_ptr<mpi::Communicator> node_;
  std::unique_ptr<mpi::Communicator> masters_;
};

class GroupTable {
 public:
  static constexpr ARMCI_Group world = 0;

  explicit GroupTable(const Runtime& runtime);

  /// nullopt: the caller is no member.
  [[nodiscard]] ARMCI_Group add(std::optional<Team> team);
  /// Throws Refused for a number that is none, for the world, and for the default group.
  void remove(ARMCI_Group number);
  /// Throws Refused for a number that is none.
  [[nodiscard]] bool is_member(ARMCI_Group number) const;
  /// Throws Refused where the caller is no member, too.
  [[nodiscard]] std::shared_ptr<Group> at(ARMCI_Group number) const;

  [[nodiscard]] ARMCI_Group default_number() const;
  /// Throws Refused where the caller is no member.
  void set_default(ARMCI_Group number);

 private:
  struct Entry {
    bool used = false;
    std::shared_ptr<Group> group;  // empty where the caller is no member
  };
  [[nodiscard]] const Entry& entry(ARMCI_Group number) const;

  mutable std::mutex mutex_;
  std::vector<Entry> entries_;
  ARMCI_Group default_ = world;
};

}  // namespace stretto::armci
