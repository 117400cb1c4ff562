// SPDX-License-Identifier: BSD-3-Clause
// Messages between two processes, broadcasts, and where processes are in a tree.
#include <mpi.h>
// message.h declares more to programs that include mpi.h
#include <armci/message.h>
#include <armci/parmci.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <vector>

#include "armci/boundary.hpp"
#include "armci/collective.hpp"
#include "armci/process.hpp"
#include "armci/profiling.hpp"
#include "mpi/check.hpp"
#include "onesided/api/services.hpp"

using namespace stretto::armci;
using stretto::mpi::check;

namespace {

/// Waits for a message, and serves requests of other ranks while it waits.
void wait(MPI_Request& request, MPI_Status* status, const char* what, int rank) {
  stretto::onesided::wait_until(
      process().runtime,
      [&] {
        int done = 0;
        check(MPI_Test(&request, &done, status), "MPI_Test");
        return done != 0;
      },
      what, rank);
}

void receive(int tag, void* buffer, int length, int* received, int from) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  check(MPI_Irecv(buffer, length, MPI_BYTE, from, tag, process().messages.get(), &request), "MPI_Irecv");
  wait(request, &status, "a message", from);
  if (received != nullptr) check(MPI_Get_count(&status, MPI_BYTE, received), "MPI_Get_count");
}

/// Returns the source's rank. A receive from any source may miss a message that has come
/// (docs/decisions/message-order.md). So a probe finds the source, and the receive names it; one thread does
/// both at a time, so that no two threads probe the same message.
int receive_from_any_source(int tag, void* buffer, int length, int* received) {
  static std::mutex turn;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  stretto::onesided::wait_until(
      process().runtime,
      [&] {
        const std::lock_guard lock(turn);
        int found = 0;
        MPI_Comm messages = process().messages.get();
        check(MPI_Iprobe(MPI_ANY_SOURCE, tag, messages, &found, &status), "MPI_Iprobe");
        if (found == 0) return false;
        check(MPI_Irecv(buffer, length, MPI_BYTE, status.MPI_SOURCE, tag, messages, &request), "MPI_Irecv");
        return true;
      },
      "a message", -1);
  wait(request, &status, "a message", status.MPI_SOURCE);
  if (received != nullptr) check(MPI_Get_count(&status, MPI_BYTE, received), "MPI_Get_count");
  return status.MPI_SOURCE;
}

/// A process that sends to itself can only receive afterwards, so the bytes are kept.
void send_to_self(int tag, const void* buffer, int length) {
  Process& own = process();
  const std::lock_guard lock(own.self_sends_mutex);
  own.self_sends.remove_if([](SelfSend& one) {
    int done = 0;
    check(MPI_Test(&one.request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    return done != 0;
  });
  const auto* first = static_cast<const std::byte*>(buffer);
  SelfSend& kept = own.self_sends.emplace_back();
  kept.bytes.assign(first, first + length);
  check(MPI_Isend(kept.bytes.data(), length, MPI_BYTE, own.messages.rank(), tag, own.messages.get(),
                  &kept.request),
        "MPI_Isend");
}

/// Of the processes of ARMCI; before ARMCI_Init, of all.
int ask_mpi(int (*question)(MPI_Comm, int*)) {
  int answer = 0;
  (void)question(is_initialised() ? process().messages.get() : MPI_COMM_WORLD, &answer);
  return answer;
}

}  // namespace

int armci_msg_me() { return ask_mpi(MPI_Comm_rank); }
int armci_msg_nproc() { return ask_mpi(MPI_Comm_size); }
double armci_timer() { return MPI_Wtime(); }

void armci_msg_snd(int tag, void* buffer, int len, int to) {
  or_abort("armci_msg_snd", [&] {
    process().check_process(to);
    check_buffer(buffer, len, "len");
    if (to == process().messages.rank()) return send_to_self(tag, buffer, len);
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Isend(buffer, len, MPI_BYTE, to, tag, process().messages.get(), &request), "MPI_Isend");
    wait(request, MPI_STATUS_IGNORE, "a message to be taken", to);
  });
}

void armci_msg_rcv(int tag, void* buffer, int buflen, int* msglen, int from) {
  or_abort("armci_msg_rcv", [&] {
    process().check_process(from);
    check_buffer(buffer, buflen, "buflen");
    receive(tag, buffer, buflen, msglen, from);
  });
}

int armci_msg_rcvany(int tag, void* buffer, int buflen, int* msglen) {
  return or_abort("armci_msg_rcvany", [&] {
    check_buffer(buffer, buflen, "buflen");
    return receive_from_any_source(tag, buffer, buflen, msglen);
  });
}

void armci_msg_barrier() {
  or_abort("armci_msg_barrier",
           [] { stretto::onesided::barrier(process().runtime, default_group()->team().communicator()); });
}

void armci_msg_group_barrier(ARMCI_Group* group) {
  or_abort("armci_msg_group_barrier",
           [&] { stretto::onesided::barrier(process().runtime, group_in(group)->team().communicator()); });
}

void armci_msg_bcast_scope(int scope, void* buffer, int len, int root) {
  or_abort("armci_msg_bcast_scope", [&] { broadcast(*default_group(), scope, buffer, len, root); });
}

void armci_msg_group_bcast_scope(int scope, void* buffer, int len, int root, ARMCI_Group* group) {
  or_abort("armci_msg_group_bcast_scope", [&] {
    process().check_process(root);
    const auto members = group_in(group);
    broadcast(*members, scope, buffer, len, members->rank_of(root));
  });
}

void armci_grp_clus_brdcst(void* buffer, int len, int grp_master, int grp_clus_nproc, ARMCI_Group* group) {
  or_abort("armci_grp_clus_brdcst", [&] {
    const auto members = group_in(group);
    const std::vector<int> here = members->members(SCOPE_NODE);
    // Rising and different: they follow each other where the last is as far from the first as they are many.
    const auto count = static_cast<int>(here.size());
    if (grp_clus_nproc != count || here.front() != grp_master || here.back() - here.front() != count - 1) {
      throw Refused(FAIL6, "grp_master, grp_clus_nproc: are not the group's processes on the caller's node");
    }
    broadcast(*members, SCOPE_NODE, buffer, len, grp_master);
  });
}

MPI_Comm armci_group_comm(ARMCI_Group* group) {
  return or_abort("armci_group_comm", [&] { return group_in(group)->users_communicator(); });
}

void armci_msg_bcast(void* buffer, int len, int root) {
  or_abort("armci_msg_bcast", [&] { broadcast(*default_group(), SCOPE_ALL, buffer, len, root); });
}

void armci_msg_brdcst(void* buffer, int len, int root) { armci_msg_bcast(buffer, len, root); }

void armci_msg_clus_brdcst(void* buffer, int len) {
  or_abort("armci_msg_clus_brdcst", [&] {
    const auto group = default_group();
    broadcast(*group, SCOPE_NODE, buffer, len, group->members(SCOPE_NODE).front());
  });
}

void armci_msg_bintree(int scope, int* Root, int* Up, int* Left, int* Right) {
  or_abort("armci_msg_bintree", [&] {
    const auto group = default_group();
    const std::vector<int> members = group->members(scope);
    const auto size = static_cast<int>(members.size());
    const auto at = [&](int place) {
      if (place < 0 || place >= size) return -1;
      return group->team().runtime_rank(members[static_cast<std::size_t>(place)]);
    };
    const auto self = std::find(members.begin(), members.end(), group->team().rank());
    for (int* const place : {Root, Up, Left, Right}) (void)given(place, "Root, Up, Left, Right");
    const bool inside = self != members.end();
    const auto place = static_cast<int>(self - members.begin());
    *Root = at(0);
    *Up = inside && place > 0 ? at((place - 1) / 2) : -1;
    *Left = inside ? at(2 * place + 1) : -1;
    *Right = inside ? at(2 * place + 2) : -1;
  });
}

void armci_exchange_address(void* ptr_ar[], int n) {
  or_abort("armci_exchange_address", [&] { exchange(*default_group(), ptr_ar, n); });
}

void armci_exchange_address_grp(void* ptr_ar[], int n, ARMCI_Group* group) {
  or_abort("armci_exchange_address_grp", [&] { exchange(*group_in(group), ptr_ar, n); });
}

STRETTO_PROFILED_SMALL(armci_msg_barrier)
STRETTO_PROFILED_SMALL(armci_msg_group_barrier)
