// SPDX-License-Identifier: BSD-3-Clause
// The extensions of ARMCI-MPI.
#include <armci/armcix.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stretto/atomic.hpp>
#include <stretto/region.hpp>
#include <stretto/team.hpp>
#include <tuple>
#include <vector>

#include "armci/boundary.hpp"
#include "armci/mutex_holders.hpp"
#include "armci/process.hpp"
#include "mpi/check.hpp"
#include "onesided/api/services.hpp"

using namespace stretto;
using namespace stretto::armci;

/// A word for each mutex at its owner: 0, or the process that holds it plus 1.
struct armcix_mutex_hdl_s {
  Team team;
  Region words;
  MutexHolders holders;
};

namespace {

constexpr std::size_t word = sizeof(std::uint64_t);

struct Member {
  int color;
  int key;
  int rank;  // in the parent
};

std::vector<Member> gather(const Team& parent, int color, int key) {
  const Member mine{color, key, parent.rank()};
  std::vector<Member> all(static_cast<std::size_t>(parent.size()));
  onesided::barrier(process().runtime, parent.communicator());
  mpi::check(MPI_Allgather(&mine, 3, MPI_INT, all.data(), 3, MPI_INT, parent.communicator()),
             "MPI_Allgather");
  return all;
}

void split(ARMCI_Group parent_number, int color, int key, ARMCI_Group* new_group) {
  Process& own = process();
  const Team parent = own.groups.at(parent_number)->team();
  onesided::agree(parent, [&] { (void)given(new_group, "new_group"); });
  std::vector<Member> members = gather(parent, color, key);
  std::erase_if(members, [&](const Member& one) { return one.color != color; });
  std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) {
    return std::tie(a.key, a.rank) < std::tie(b.key, b.rank);
  });
  std::vector<int> processes;
  processes.reserve(members.size());
  for (const Member& one : members) processes.push_back(parent.runtime_rank(one.rank));
  hand_out(new_group, own.groups.add(Team(own.runtime, processes)));
}

/// The sets that the program has handles of. A handle of a set that was destroyed is known by its absence
/// here.
struct LiveSets {
  std::mutex mutex;
  std::vector<std::unique_ptr<armcix_mutex_hdl_s>> sets;

  /// Where the handle's set is; throws Refused where there is none.
  auto find(const armcix_mutex_hdl_s* set) {
    (void)given(set, "hdl");
    const auto found =
        std::find_if(sets.begin(), sets.end(), [&](const auto& one) { return one.get() == set; });
    if (found == sets.end()) throw Refused(FAIL6, "hdl: is none, or was destroyed");
    return found;
  }
};

LiveSets& live_sets() {
  static auto& sets = *new LiveSets;  // as long as the program may call
  return sets;
}

void check_live(const armcix_mutex_hdl_s* set) {
  const std::lock_guard lock(live_sets().mutex);
  (void)live_sets().find(set);
}

Place place_of(const armcix_mutex_hdl_s* set, int mutex, int owner) {
  check_live(set);
  process().check_process(owner);
  const int member = set->team.team_rank(owner);
  if (member < 0) throw Refused(FAIL5, "proc: is none of the group of the mutexes");
  const std::size_t count = set->words.size_bytes(member) / word;
  if (mutex < 0 || static_cast<std::size_t>(mutex) >= count) {
    throw Refused(FAIL6, "mutex: " + std::to_string(mutex) + " is none of the " + std::to_string(count) +
                             " of process " + std::to_string(owner));
  }
  return {.target = member, .offset = static_cast<std::size_t>(mutex) * word};
}

std::uint64_t own_mark() { return static_cast<std::uint64_t>(process().runtime.rank()) + 1; }

/// A thread that has entered gets the mutex for its process, if no other process has it.
bool try_swap(armcix_mutex_hdl_s& set, const Place& place, const MutexHolders::Key& key) {
  if (compare_swap(set.words, place, std::uint64_t{0}, own_mark()) != 0) return false;
  set.holders.hold(key);
  return true;
}

}  // namespace

int ARMCIX_Group_split(ARMCI_Group* parent, int color, int key, ARMCI_Group* new_group) {
  return status_of("ARMCIX_Group_split", [&] { split(number_in(parent), color, key, new_group); });
}

int ARMCIX_Group_dup(ARMCI_Group* parent, ARMCI_Group* new_group) {
  return status_of("ARMCIX_Group_dup", [&] { split(number_in(parent), 0, 0, new_group); });
}

armcix_mutex_hdl_t ARMCIX_Create_mutexes_hdl(int count, ARMCI_Group* pgroup) {
  return or_abort("ARMCIX_Create_mutexes_hdl", [&] {
    const Team team = process().groups.at(number_in(pgroup))->team();
    onesided::agree(team, [&] {
      if (count < 0) throw Refused(FAIL6, "count: is negative");
    });
    std::unique_ptr<armcix_mutex_hdl_s> made(
        new armcix_mutex_hdl_s{team, Region(team, static_cast<std::size_t>(count) * word)});
    const std::lock_guard lock(live_sets().mutex);
    return live_sets().sets.emplace_back(std::move(made)).get();
  });
}

int ARMCIX_Destroy_mutexes_hdl(armcix_mutex_hdl_t hdl) {
  return status_of("ARMCIX_Destroy_mutexes_hdl", [&] {
    check_live(hdl);
    hdl->words.free();  // collective, and so not under the lock
    const std::lock_guard lock(live_sets().mutex);
    live_sets().sets.erase(live_sets().find(hdl));
  });
}

void ARMCIX_Lock_hdl(armcix_mutex_hdl_t hdl, int mutex, int proc) {
  or_abort("ARMCIX_Lock_hdl", [&] {
    const Place place = place_of(hdl, mutex, proc);
    hdl->holders.enter(process().runtime, {proc, mutex});
    while (!try_swap(*hdl, place, {proc, mutex})) process().runtime.poll();
  });
}

int ARMCIX_Trylock_hdl(armcix_mutex_hdl_t hdl, int mutex, int proc) {
  return or_abort("ARMCIX_Trylock_hdl", [&] {
    const Place place = place_of(hdl, mutex, proc);
    if (hdl->holders.try_enter({proc, mutex})) {
      if (try_swap(*hdl, place, {proc, mutex})) return 0;
      hdl->holders.leave({proc, mutex});
    }
    process().runtime.poll();
    return 1;
  });
}

void ARMCIX_Unlock_hdl(armcix_mutex_hdl_t hdl, int mutex, int proc) {
  or_abort("ARMCIX_Unlock_hdl", [&] {
    const Place place = place_of(hdl, mutex, proc);
    hdl->holders.begin_unlock({proc, mutex});
    process().runtime.fence();
    (void)swap(hdl->words, place, std::uint64_t{0});
    hdl->holders.leave({proc, mutex});
  });
}

void ARMCIX_Progress() {
  or_abort("ARMCIX_Progress", [] { process().runtime.poll(); });
}

// The function behind the macro, for code that was compiled with the header of ARMCI-MPI.
#undef ARMCI_INIT_HANDLE
void ARMCI_INIT_HANDLE(armci_hdl_t* hdl) {
  if (hdl != nullptr) *hdl = 0;
}
