// SPDX-License-Identifier: BSD-3-Clause
#include "trace/world.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

namespace stretto::trace {
namespace {

bool has_world_communicator() {
  int finalized = 0;
  PMPI_Finalized(&finalized);
  return has_initialised() && finalized == 0;
}

#ifdef MPI_SESSION_NULL
struct Sessions {
  std::recursive_mutex mutex;
  std::vector<MPI_Session> open;
  int changing = 0;  // calls that begin or end a session and are not recorded yet
};

Sessions& sessions() {
  static auto* the_one = new Sessions;  // never destroyed, like the recorder
  return *the_one;
}
#endif

}  // namespace

bool has_initialised() {
  int initialised = 0;
  PMPI_Initialized(&initialised);
  return initialised != 0;
}

World::World() {
  if (has_world_communicator()) {
    PMPI_Comm_group(MPI_COMM_WORLD, &group_);
    return;
  }
#ifdef MPI_SESSION_NULL
  held_ = hold_sessions();
  if (!sessions().open.empty()) {
    PMPI_Group_from_session_pset(sessions().open.front(), "mpi://WORLD", &group_);
  }
#endif
}

World::~World() {
  if (group_ != MPI_GROUP_EMPTY) PMPI_Group_free(&group_);
}

int World::rank() const {
  int rank = 0;
  PMPI_Group_rank(group_, &rank);
  return rank;
}

int World::ranks() const {
  int ranks = 0;
  PMPI_Group_size(group_, &ranks);
  return ranks;
}

#ifdef MPI_SESSION_NULL
HeldSessions hold_sessions() { return HeldSessions(sessions().mutex); }

void begin_session() {
  const HeldSessions held = hold_sessions();
  ++sessions().changing;
}

bool end_session(MPI_Session session) {
  const HeldSessions held = hold_sessions();
  ++sessions().changing;
  std::vector<MPI_Session>& open = sessions().open;
  const auto place = std::ranges::find(open, session);
  if (place == open.end()) return false;
  open.erase(place);
  return true;
}

void add_session(MPI_Session session) {
  const HeldSessions held = hold_sessions();
  sessions().open.push_back(session);
}

void session_changed() {
  const HeldSessions held = hold_sessions();
  --sessions().changing;
}

bool has_session() {
  const HeldSessions held = hold_sessions();
  return !sessions().open.empty() || sessions().changing > 0;
}
#endif

}  // namespace stretto::trace
