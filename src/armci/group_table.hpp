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

/// Stores a group for the program.
void hand_out(ARMCI_Group* group, ARMCI_Group number);

/// A group as its members see it.
class Group {
 public:
  /// Collective over the team.
  explicit Group(Team team);

  [[nodiscard]] const Team& team() const { return team_; }
  /// The rank in the group of a process. Throws Refused where it is no member.
  [[nodiscard]] int rank_of(int process) const;
  /// A communicator for the program: its messages cannot match the runtime's.
  [[nodiscard]] MPI_Comm users_communicator() const { return users_.get(); }
  /// The ranks in the group that a scope has, rising. SCOPE_NODE: those on the caller's node. Throws Refused
  /// for an unknown scope.
  [[nodiscard]] std::vector<int> members(int scope) const;
  /// The communicator of members(scope); MPI_COMM_NULL when the caller is not among them. The first call for
  /// a scope is collective over them.
  [[nodiscard]] MPI_Comm communicator(int scope);

 private:
  Team team_;
  mpi::Communicator users_;
  std::mutex mutex_;  // of the next two, which are created at their first use
  std::unique_ptr<mpi::Communicator> node_;
  std::unique_ptr<mpi::Communicator> masters_;
};

class GroupTable {
 public:
  static constexpr ARMCI_Group world = 0;

  explicit GroupTable(const Runtime& runtime);

  /// nullopt where the caller is no member.
  [[nodiscard]] ARMCI_Group add(std::optional<Team> team);
  /// Throws Refused for an unknown number, for the group of all processes, and for the default group.
  void remove(ARMCI_Group number);
  /// Throws Refused for an unknown number.
  [[nodiscard]] bool is_member(ARMCI_Group number) const;
  /// Throws Refused for an unknown number, and where the caller is no member.
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
