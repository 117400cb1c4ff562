// SPDX-License-Identifier: BSD-3-Clause
// Groups of processes.
#include <armci/armci.h>
#include <armci/message.h>

#include <algorithm>
#include <optional>
#include <stretto/team.hpp>
#include <vector>

#include "armci/boundary.hpp"
#include "armci/codes.hpp"
#include "armci/process.hpp"

using namespace stretto;
using namespace stretto::armci;

namespace {

/// The group is made after its place was checked: nobody could free it.
void create(int n, const int* ranks, ARMCI_Group parent_number, ARMCI_Group* group_out) {
  Process& own = process();
  (void)given(group_out, "group_out");
  if (n < 0) throw Refused(FAIL6, "n: is negative");
  if (n > 0 && ranks == nullptr) throw Refused(FAIL6, "pid_list is NULL");
  const Team parent = own.groups.at(parent_number)->team();
  std::vector<int> processes;
  for (int i = 0; i < n; ++i) {
    if (ranks[i] < 0 || ranks[i] >= parent.size()) {
      throw Refused(FAIL6, "pid_list: " + std::to_string(ranks[i]) + " is none of the parent's " +
                               std::to_string(parent.size()));
    }
    processes.push_back(parent.runtime_rank(ranks[i]));
  }
  const bool member = std::find(processes.begin(), processes.end(), own.runtime.rank()) != processes.end();
  hand_out(group_out,
           own.groups.add(member ? std::optional<Team>(Team(own.runtime, processes)) : std::nullopt));
}

}  // namespace

void ARMCI_Group_create(int n, int* pid_list, ARMCI_Group* group_out) {
  or_abort("ARMCI_Group_create", [&] { create(n, pid_list, process().groups.default_number(), group_out); });
}

void ARMCI_Group_create_child(int n, int* pid_list, ARMCI_Group* group_out, ARMCI_Group* group_parent) {
  or_abort("ARMCI_Group_create_child", [&] { create(n, pid_list, number_in(group_parent), group_out); });
}

void ARMCI_Group_free(ARMCI_Group* group) {
  or_abort("ARMCI_Group_free", [&] { process().groups.remove(number_in(group)); });
}

int ARMCI_Group_rank(ARMCI_Group* group, int* rank) {
  return or_abort("ARMCI_Group_rank", [&] {
    const GroupTable& groups = process().groups;
    const ARMCI_Group number = number_in(group);
    *given(rank, "rank") = groups.is_member(number) ? groups.at(number)->team().rank() : -1;
    return *rank < 0 ? 1 : 0;
  });
}

void ARMCI_Group_size(ARMCI_Group* group, int* size) {
  or_abort("ARMCI_Group_size", [&] {
    const GroupTable& groups = process().groups;
    const ARMCI_Group number = number_in(group);
    *given(size, "size") = groups.is_member(number) ? groups.at(number)->team().size() : 0;
  });
}

void ARMCI_Group_set_default(ARMCI_Group* group) {
  or_abort("ARMCI_Group_set_default", [&] { process().groups.set_default(number_in(group)); });
}

void ARMCI_Group_get_default(ARMCI_Group* group_out) {
  or_abort("ARMCI_Group_get_default", [&] { hand_out(group_out, process().groups.default_number()); });
}

void ARMCI_Group_get_world(ARMCI_Group* group_out) {
  or_abort("ARMCI_Group_get_world", [&] {
    if (!is_initialised())
      return write_group(given(group_out, "group_out"), GroupTable::world, MPI_COMM_WORLD, -1, 0);
    hand_out(group_out, GroupTable::world);
  });
}

int ARMCI_Absolute_id(ARMCI_Group* group, int group_rank) {
  return or_abort("ARMCI_Absolute_id", [&] {
    const Team team = process().groups.at(number_in(group))->team();
    if (group_rank < 0 || group_rank >= team.size()) {
      throw Refused(FAIL6, "group_rank: " + std::to_string(group_rank) + " is none of the group's " +
                               std::to_string(team.size()));
    }
    return team.runtime_rank(group_rank);
  });
}

int ARMCI_Uses_shm_grp(ARMCI_Group* group) {
  return or_abort("ARMCI_Uses_shm_grp", [&] {
    const auto members = process().groups.at(number_in(group))->members(SCOPE_NODE);
    return members.size() > 1 ? 1 : 0;
  });
}
