// SPDX-License-Identifier: BSD-3-Clause
#include "armci/group_table.hpp"

#include <armci/message.h>

#include <algorithm>
#include <utility>

#include "armci/boundary.hpp"
#include "armci/codes.hpp"
#include "armci/process.hpp"
#include "mpi/check.hpp"

namespace stretto::armci {

using mpi::check;

namespace {

/// A communicator of some ranks of `parent`; collective over these.
std::unique_ptr<mpi::Communicator> make_communicator(MPI_Comm parent, const std::vector<int>& ranks) {
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group some = MPI_GROUP_NULL;
  MPI_Comm made = MPI_COMM_NULL;
  check(MPI_Comm_group(parent, &all), "MPI_Comm_group");
  check(MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &some), "MPI_Group_incl");
  check(MPI_Comm_create_group(parent, some, 0, &made), "MPI_Comm_create_group");
  auto owned = std::make_unique<mpi::Communicator>(made);
  check(MPI_Comm_free(&made), "MPI_Comm_free");
  check(MPI_Group_free(&some), "MPI_Group_free");
  check(MPI_Group_free(&all), "MPI_Group_free");
  return owned;
}

}  // namespace

ARMCI_Group number_in(const ARMCI_Group* group) {
  if (group == nullptr) throw Refused(FAIL6, "group is NULL");
  return read_group(group);
}

void hand_out(ARMCI_Group* group, ARMCI_Group number) {
  if (group == nullptr) throw Refused(FAIL6, "group is NULL");
  const GroupTable& groups = process().groups;
  if (!groups.is_member(number)) return write_group(group, number, MPI_COMM_NULL, -1, 0);
  const auto members = groups.at(number);
  write_group(group, number, members->users_communicator(), members->team().rank(), members->team().size());
}

Group::Group(Team team) : team_(std::move(team)), users_(team_.communicator()) {
  check(MPI_Comm_set_errhandler(users_.get(), MPI_ERRORS_ARE_FATAL), "MPI_Comm_set_errhandler");
}

int Group::rank_of(int process) const {
  const int rank = team_.team_rank(process);
  if (rank < 0) throw Refused(FAIL6, "root: process " + std::to_string(process) + " is none of the group");
  return rank;
}

std::vector<int> Group::members(int scope) const {
  scope = scope_code(scope);
  const std::vector<int>& nodes = team_.nodes();
  const int own_node = nodes[static_cast<std::size_t>(team_.rank())];
  std::vector<int> ranks;
  for (std::size_t place = 0; place < nodes.size(); ++place) {
    const auto here = nodes.begin() + static_cast<std::ptrdiff_t>(place);
    bool meant = false;
    switch (scope) {
      case SCOPE_ALL:
        meant = true;
        break;
      case SCOPE_NODE:
        meant = *here == own_node;
        break;
      case SCOPE_MASTERS:
        meant = std::find(nodes.begin(), here, *here) == here;
        break;
      default:
        throw Refused(
            FAIL6, "scope: " + std::to_string(scope) + " is none of SCOPE_ALL, SCOPE_NODE and SCOPE_MASTERS");
    }
    if (meant) ranks.push_back(static_cast<int>(place));
  }
  return ranks;
}

MPI_Comm Group::communicator(int scope) {
  scope = scope_code(scope);
  if (scope == SCOPE_ALL) return team_.communicator();
  const std::vector<int> ranks = members(scope);
  if (!std::binary_search(ranks.begin(), ranks.end(), team_.rank())) return MPI_COMM_NULL;
  auto& made = scope == SCOPE_NODE ? node_ : masters_;
  const std::lock_guard lock(mutex_);
  if (made == nullptr) made = make_communicator(team_.communicator(), ranks);
  return made->get();
}

GroupTable::GroupTable(const Runtime& runtime) {
  entries_.push_back({.used = true, .group = std::make_shared<Group>(runtime.world())});
}

ARMCI_Group GroupTable::add(std::optional<Team> team) {
  auto group = team ? std::make_shared<Group>(std::move(*team)) : nullptr;
  const std::lock_guard lock(mutex_);
  const auto unused =
      std::find_if(entries_.begin(), entries_.end(), [](const Entry& one) { return !one.used; });
  const auto place = unused - entries_.begin();
  if (unused == entries_.end()) entries_.emplace_back();
  entries_[static_cast<std::size_t>(place)] = {.used = true, .group = std::move(group)};
  return static_cast<ARMCI_Group>(place);
}

const GroupTable::Entry& GroupTable::entry(ARMCI_Group number) const {
  const auto place = static_cast<std::size_t>(number);
  if (number < 0 || place >= entries_.size() || !entries_[place].used) {
    throw Refused(FAIL6, "group: " + std::to_string(number) + " is none, or was freed");
  }
  return entries_[place];
}

void GroupTable::remove(ARMCI_Group number) {
  Entry removed;  // is destroyed after the lock is released
  const std::lock_guard lock(mutex_);
  removed = entry(number);
  if (number == world) throw Refused(FAIL6, "group: the group of all processes cannot be freed");
  if (number == default_) throw Refused(FAIL6, "group: is the default group; set another one first");
  entries_[static_cast<std::size_t>(number)] = {};
}

bool GroupTable::is_member(ARMCI_Group number) const {
  const std::lock_guard lock(mutex_);
  return entry(number).group != nullptr;
}

std::shared_ptr<Group> GroupTable::at(ARMCI_Group number) const {
  const std::lock_guard lock(mutex_);
  auto group = entry(number).group;
  if (group == nullptr) throw Refused(FAIL6, "group: the caller is no member");
  return group;
}

ARMCI_Group GroupTable::default_number() const {
  const std::lock_guard lock(mutex_);
  return default_;
}

void GroupTable::set_default(ARMCI_Group number) {
  (void)at(number);
  const std::lock_guard lock(mutex_);
  default_ = number;
}

}  // namespace stretto::armci
