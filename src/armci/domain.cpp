// SPDX-License-Identifier: BSD-3-Clause
// The nodes of the processes: the interface calls them domains, and there is one kind.
#include <armci/armci.h>

#include <algorithm>
#include <string>
#include <vector>

#include "armci/boundary.hpp"
#include "armci/process.hpp"

using namespace stretto::armci;

namespace {

/// For each process the lowest one on its node, which is the node's name.
std::vector<int> nodes() { return process().runtime.world().nodes(); }

int node_of(int rank) {
  process().check_process(rank);
  return nodes()[static_cast<std::size_t>(rank)];
}

/// The names of the nodes, rising: a node's number is its index here.
std::vector<int> names() {
  std::vector<int> all = nodes();
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

int place_of_name(int name) {
  const std::vector<int> all = names();
  return static_cast<int>(std::lower_bound(all.begin(), all.end(), name) - all.begin());
}

/// The processes of a node, rising. A negative number is the caller's node.
std::vector<int> processes_of(int id) {
  const std::vector<int> all = names();
  if (id >= static_cast<int>(all.size())) {
    throw Refused(FAIL6,
                  "id: " + std::to_string(id) + " is none of the " + std::to_string(all.size()) + " nodes");
  }
  const int name = id < 0 ? node_of(process().runtime.rank()) : all[static_cast<std::size_t>(id)];
  const std::vector<int> node_of_rank = nodes();
  std::vector<int> members;
  for (int rank = 0; rank < process().runtime.size(); ++rank) {
    if (node_of_rank[static_cast<std::size_t>(rank)] == name) members.push_back(rank);
  }
  return members;
}

bool is_here(int rank) { return node_of(rank) == node_of(process().runtime.rank()); }

}  // namespace

int armci_domain_nprocs(armci_domain_t /*domain*/, int id) {
  return or_abort("armci_domain_nprocs", [&] { return static_cast<int>(processes_of(id).size()); });
}

int armci_domain_id(armci_domain_t /*domain*/, int glob_proc_id) {
  return or_abort("armci_domain_id", [&] { return place_of_name(node_of(glob_proc_id)); });
}

int armci_domain_glob_proc_id(armci_domain_t /*domain*/, int id, int loc_proc_id) {
  return or_abort("armci_domain_glob_proc_id", [&] {
    const std::vector<int> members = processes_of(id);
    if (loc_proc_id < 0 || loc_proc_id >= static_cast<int>(members.size())) {
      throw Refused(FAIL6, "loc_proc_id: " + std::to_string(loc_proc_id) + " is none of the " +
                               std::to_string(members.size()) + " processes of the node");
    }
    return members[static_cast<std::size_t>(loc_proc_id)];
  });
}

int armci_domain_my_id(armci_domain_t /*domain*/) {
  return or_abort("armci_domain_my_id", [] { return place_of_name(node_of(process().runtime.rank())); });
}

int armci_domain_count(armci_domain_t /*domain*/) {
  return or_abort("armci_domain_count", [] { return static_cast<int>(names().size()); });
}

int armci_domain_same_id(armci_domain_t /*domain*/, int proc) {
  return or_abort("armci_domain_same_id", [&] { return is_here(proc) ? 1 : 0; });
}

int ARMCI_Same_node(int proc) {
  return or_abort("ARMCI_Same_node", [&] { return is_here(proc) ? 1 : 0; });
}

int armci_sameclusnode(int proc) { return ARMCI_Same_node(proc); }

int ARMCI_Uses_shm() {
  return or_abort("ARMCI_Uses_shm", [] { return processes_of(-1).size() > 1 ? 1 : 0; });
}
