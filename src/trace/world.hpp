// SPDX-License-Identifier: BSD-3-Clause
// The processes that the trace's ranks number: those of MPI_COMM_WORLD, or of "mpi://WORLD" in a program that
// has sessions only.
#pragma once

#include <mpi.h>

#include <mutex>

namespace stretto::trace {

/// Whether the program has called MPI_Init, so that MPI_COMM_WORLD exists or existed.
[[nodiscard]] bool has_initialised();

/// While it lives, no session ends or begins, and the recording neither pauses nor resumes. Not to be held in
/// a call that communicates.
using HeldSessions = std::unique_lock<std::recursive_mutex>;

/// The group of all processes. Local, also with sessions; the group is freed with the object, because a
/// session that groups remain of cannot end. Until then no session ends.
class World {
 public:
  World();
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  [[nodiscard]] MPI_Group group() const { return group_; }
  [[nodiscard]] int rank() const;
  [[nodiscard]] int ranks() const;

 private:
  HeldSessions held_;
  MPI_Group group_ = MPI_GROUP_EMPTY;
};

#ifdef MPI_SESSION_NULL
[[nodiscard]] HeldSessions hold_sessions();

// The open sessions. Between begin_session() or end_session() and session_changed() there is one, too, so
// that the call which begins or ends it is recorded.
void begin_session();
/// Whether the session was open.
bool end_session(MPI_Session session);
void add_session(MPI_Session session);
void session_changed();
[[nodiscard]] bool has_session();
#endif

}  // namespace stretto::trace
