// SPDX-License-Identifier: BSD-3-Clause
// MPI_Session_init, MPI_Session_finalize, and communicators that are made from groups.
//
// A program without MPI_Init is recorded from its first communicator of all processes of "mpi://WORLD" on.
// MPI_Session_init is local, so the recorder may not communicate there. The making of such a communicator is
// collective over all processes, and nobody else has the communicator before this call returns. Every process
// therefore makes the same calls on it, whichever thread makes whichever communicator first.
#include "trace/data_times.hpp"
#include "trace/world.hpp"
#include "trace/wrapping.hpp"

#ifdef MPI_SESSION_NULL

namespace stretto::trace {
namespace {

/// Whether the members are exactly the processes of the world; some may belong to other programs. All members
/// get the same answer, without communication.
bool has_the_worlds_processes(MPI_Comm made) {
  if (made == MPI_COMM_NULL) return false;
  MPI_Group members = MPI_GROUP_NULL;
  int difference = MPI_UNEQUAL;
  PMPI_Comm_group(made, &members);
  PMPI_Group_compare(members, World().group(), &difference);
  PMPI_Group_free(&members);
  return difference != MPI_UNEQUAL;
}

/// Begins or continues the recording of a program with sessions only, from its communicator `made` on.
/// `recorded`: whether the call that made it is recorded already. Another thread may have begun the recording
/// since that call, and where a process has called MPI_Init, MPI_COMM_WORLD begins it.
void record_sessions(MPI_Comm made, const char* tag, bool recorded, void* site) {
  if (!has_the_worlds_processes(made)) return;
  recorder().start(made, true);
  if (recorded) return;
  Call call(call_comm_create_from_group, site);
  if (call.ended(MPI_SUCCESS)) new_group_comm(call, tag, made);
}

/// To be called when a call that begins or ends a session has been recorded. Pauses the recording after the
/// last session. The lock keeps another thread from beginning a session in between.
void changed() {
  const HeldSessions held = hold_sessions();
  session_changed();
  if (has_initialised() || has_session() || !recorder().active()) return;
  note_last_consumed();
  recorder().pause();
}

void begin_and_resume() {
  const HeldSessions held = hold_sessions();
  begin_session();
  if (!has_initialised()) recorder().resume();
}

int finalize_session(MPI_Session* session, void* site) {
  const MPI_Session ended = *session;
  const bool was_open = end_session(ended);  // another thread may get the same handle once it is finalized
  Call call(call_session_finalize, site);
  const int error = NEXT_MPI(Session_finalize)(session);
  if (error != MPI_SUCCESS && was_open) add_session(ended);
  if (call.ended(error)) plain(call);
  changed();
  return error;
}

}  // namespace
}  // namespace stretto::trace

using namespace stretto::trace;

extern "C" {

STRETTO_TRACED int MPI_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session* session) {
  begin_and_resume();
  Call call(call_session_init, __builtin_return_address(0));
  const int error = NEXT_MPI(Session_init)(info, handler, session);
  if (error == MPI_SUCCESS) add_session(*session);
  if (call.ended(error)) plain(call);
  changed();
  return error;
}

STRETTO_TRACED int MPI_Session_finalize(MPI_Session* session) {
  return finalize_session(session, __builtin_return_address(0));
}

STRETTO_TRACED int MPI_Comm_create_from_group(MPI_Group group, const char* tag, MPI_Info info,
                                              MPI_Errhandler handler, MPI_Comm* newcomm) {
  void* const site = __builtin_return_address(0);
  bool recorded = false;
  int error = MPI_SUCCESS;
  {
    Call call(call_comm_create_from_group, site);
    recorded = static_cast<bool>(call);
    error = PMPI_Comm_create_from_group(group, tag, info, handler, newcomm);
    if (call.ended(error)) new_group_comm(call, tag, *newcomm);
  }
  if (error == MPI_SUCCESS) record_sessions(*newcomm, tag, recorded, site);
  return error;
}

}  // extern "C"

#endif
