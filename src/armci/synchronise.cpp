// SPDX-License-Identifier: BSD-3-Clause
// Fences, barriers, atomics, mutexes and notifications.
#include <armci/armci.h>
#include <armci/parmci.h>

#include <stretto/atomic.hpp>

#include "armci/boundary.hpp"
#include "armci/codes.hpp"
#include "armci/describe.hpp"
#include "armci/process.hpp"
#include "armci/profiling.hpp"
#include "onesided/api/services.hpp"

using namespace stretto;
using namespace stretto::armci;

namespace {

template <typename T>
void update(int op, void* local, void* remote, int extra, int process) {
  const AddressTable::Found found = locate(process, remote);
  T& value = *static_cast<T*>(local);
  const bool swaps = op == ARMCI_SWAP || op == ARMCI_SWAP_LONG;
  value = swaps ? swap(found.region, found.place, value) : fetch_add(found.region, found.place, T{extra});
}

MutexSet& mutexes() {
  const auto& set = process().mutexes;
  if (set == nullptr) throw Refused(FAIL6, "there are no mutexes; call ARMCI_Create_mutexes first");
  return *set;
}

}  // namespace

void ARMCI_Fence(int proc) {
  or_abort("ARMCI_Fence", [&] {
    process().check_process(proc);
    process().runtime.fence(proc);
  });
}

void ARMCI_AllFence() {
  or_abort("ARMCI_AllFence", [] { process().runtime.fence(); });
}

void ARMCI_GroupFence(ARMCI_Group* group) {
  or_abort("ARMCI_GroupFence", [&] {
    const Team team = process().groups.at(number_in(group))->team();
    for (int member = 0; member < team.size(); ++member) process().runtime.fence(team.runtime_rank(member));
  });
}

void ARMCI_Barrier() {
  or_abort("ARMCI_Barrier", [] {
    GroupTable& groups = process().groups;
    groups.at(groups.default_number())->team().barrier();
  });
}

int ARMCI_Rmw(int op, void* ploc, void* prem, int extra, int proc) {
  return status_of("ARMCI_Rmw", [&] {
    process().check_process(proc);
    if (ploc == nullptr || prem == nullptr) throw Refused(FAIL, "ploc or prem is NULL");
    const int known = update_code(op);
    switch (known) {
      case ARMCI_SWAP:
      case ARMCI_FETCH_AND_ADD:
        return update<int>(known, ploc, prem, extra, proc);
      case ARMCI_SWAP_LONG:
      case ARMCI_FETCH_AND_ADD_LONG:
        return update<long>(known, ploc, prem, extra, proc);
      default:
        throw Refused(FAIL6, "op: " + std::to_string(op) + " is neither a swap nor a fetch-and-add");
    }
  });
}

int ARMCI_Create_mutexes(int num) {
  return status_of("ARMCI_Create_mutexes", [&] {
    Process& own = process();
    onesided::agree(own.runtime, [&] {
      if (num < 0) throw Refused(FAIL6, "num: is negative");
      if (own.mutexes != nullptr) throw Refused(FAIL6, "there are mutexes already");
    });
    own.mutexes = std::make_unique<MutexSet>(own.runtime, static_cast<std::size_t>(num));
  });
}

int ARMCI_Destroy_mutexes() {
  return status_of("ARMCI_Destroy_mutexes", [] {
    onesided::agree(process().runtime, [] { (void)mutexes(); });
    mutexes().free();
    process().mutexes.reset();
  });
}

void ARMCI_Lock(int mutex, int proc) {
  or_abort("ARMCI_Lock", [&] {
    process().check_process(proc);
    mutexes().lock(proc, mutex);
  });
}

void ARMCI_Unlock(int mutex, int proc) {
  or_abort("ARMCI_Unlock", [&] {
    process().check_process(proc);
    mutexes().unlock(proc, mutex);
  });
}

int armci_notify(int proc) {
  return or_abort("armci_notify", [&] {
    process().check_process(proc);
    return static_cast<int>(process().runtime.notify(proc));
  });
}

int armci_notify_wait(int proc, int* pval) {
  return or_abort("armci_notify_wait", [&] {
    process().check_process(proc);
    const std::uint64_t waited = process().runtime.wait_notify(proc);
    if (pval != nullptr) *pval = static_cast<int>(waited);
    return static_cast<int>(onesided::notifications_received(process().runtime, proc));
  });
}

STRETTO_PROFILED(ARMCI_Fence)
STRETTO_PROFILED(ARMCI_AllFence)
STRETTO_PROFILED(ARMCI_GroupFence)
STRETTO_PROFILED(ARMCI_Barrier)
STRETTO_PROFILED(ARMCI_Rmw)
STRETTO_PROFILED(ARMCI_Create_mutexes)
STRETTO_PROFILED(ARMCI_Destroy_mutexes)
STRETTO_PROFILED(ARMCI_Lock)
STRETTO_PROFILED(ARMCI_Unlock)
STRETTO_PROFILED_SMALL(armci_notify)
STRETTO_PROFILED_SMALL(armci_notify_wait)
