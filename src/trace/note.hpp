// SPDX-License-Identifier: BSD-3-Clause
// Functions that record each kind of call after it returns; the kinds are those of calls.txt. The wrappers of
// C and of Fortran both call these functions with converted arguments.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "trace/layout.hpp"
#include "trace/recorder.hpp"

namespace stretto::trace {

class RequestsBefore;
class FreedRequest;
template <bool window>
class FreedContext;
using FreedComm = FreedContext<false>;
using FreedWindow = FreedContext<true>;

struct Amount {
  const void* buffer = nullptr;
  std::uint64_t bytes = 0;
  memory::Data data;                    ///< where the bytes lie; determined only where data is watched
  std::vector<std::uint64_t> of_peers;  ///< the bytes of each peer, where there are counts
};

/// The value for collectives without a root.
inline constexpr int no_root = std::numeric_limits<int>::min();  // no MPI has a constant of this value

/// 0 for MPI_DATATYPE_NULL, which MPIs accept with a count of 0.
[[nodiscard]] std::uint64_t size_of(MPI_Datatype type);
/// Where the elements lie, if data is watched. Pages are watched only for contiguous data.
[[nodiscard]] memory::Data watched_data(const void* buffer, MPI_Count count, MPI_Datatype type);

template <typename Count>
[[nodiscard]] Amount amount(const void* buffer, Count count, MPI_Datatype type) {
  if (buffer == MPI_IN_PLACE) return {};
  if (count <= 0) return {buffer, 0, {}, {}};  // the datatype may be anything
  return {buffer,
          static_cast<std::uint64_t>(count) * size_of(type),
          watched_data(buffer, static_cast<MPI_Count>(count), type),
          {}};
}

/// Of a reduction, `stores`: whether its result is stored on this rank. MPI reads one of the buffers
/// elsewhere.
template <typename Count>
[[nodiscard]] Amount amount_reduced(const void* sent, const void* result, Count count, MPI_Datatype type,
                                    bool stores) {
  return amount(stores ? result : sent, count, type);
}

/// Of a collective with a block of `count` elements for each peer.
template <typename Count>
[[nodiscard]] Amount amount(const void* buffer, Count count, MPI_Datatype type, int peers) {
  return amount(buffer, static_cast<MPI_Count>(count) * peers, type);
}

/// Adds the elements of a peer, which begin `offset` bytes after the buffer.
void add_elements(Amount& amount, int peer, MPI_Aint offset, MPI_Count count, MPI_Datatype type);
[[nodiscard]] MPI_Aint extent_of(MPI_Datatype type);

/// Of a collective with counts; displacements are in elements.
template <typename Count, typename Displacement>
[[nodiscard]] Amount amount(const void* buffer, const Count* counts, const Displacement* displacements,
                            MPI_Datatype type, int peers) {
  if (buffer == MPI_IN_PLACE) return {};
  Amount all{buffer, 0, {}, {}};
  all.of_peers.assign(static_cast<std::size_t>(peers), 0);
  const MPI_Aint extent = extent_of(type);
  for (int peer = 0; peer < peers; ++peer) {
    if (counts[peer] <= 0) continue;  // its displacement may be anything
    add_elements(all, peer, static_cast<MPI_Aint>(displacements[peer]) * extent, counts[peer], type);
  }
  return all;
}
/// `types`: any type with operator[] that returns datatypes. Displacements are in bytes.
template <typename Count, typename Displacement, typename Types>
[[nodiscard]] Amount amount_of_types(const void* buffer, const Count* counts,
                                     const Displacement* displacements, const Types& types, int peers) {
  if (buffer == MPI_IN_PLACE) return {};
  Amount all{buffer, 0, {}, {}};
  all.of_peers.assign(static_cast<std::size_t>(peers), 0);
  for (int peer = 0; peer < peers; ++peer) {
    if (counts[peer] <= 0) continue;
    add_elements(all, peer, static_cast<MPI_Aint>(displacements[peer]), counts[peer], types[peer]);
  }
  return all;
}
/// Of a reduction with a scattered result: the bytes of all ranks, and the data of this one.
template <typename Count>
[[nodiscard]] Amount amount_scattered(const void* buffer, const Count* counts, MPI_Datatype type, int peers,
                                      int rank) {
  if (buffer == MPI_IN_PLACE) return {};
  Amount all{buffer, 0, watched_data(buffer, counts[rank], type), {}};
  for (int peer = 0; peer < peers; ++peer)
    all.bytes += static_cast<std::uint64_t>(counts[peer]) * size_of(type);
  return all;
}

/// Called before persistent operations start: unprotects the memory of their arguments.
void unprotect_started(const Call& call, const RequestsBefore& requests);

/// Number of possible partners: ranks of the remote group, for an intercommunicator.
[[nodiscard]] int peers_of(MPI_Comm comm);
/// Number of ranks of the own group.
[[nodiscard]] int members_of(MPI_Comm comm);
[[nodiscard]] int rank_in(MPI_Comm comm);
[[nodiscard]] int degree_s(MPI_Comm comm);
[[nodiscard]] int degree_r(MPI_Comm comm);
// This rank's part in a collective with a root. In an intercommunicator, a rank of the root's number in the
// own group is not the root: the root passes MPI_ROOT.
[[nodiscard]] bool is_root(MPI_Comm comm, int root);
[[nodiscard]] inline bool takes_part(int root) { return root != MPI_PROC_NULL; }
[[nodiscard]] inline bool is_leaf(int root) { return root != MPI_ROOT && root != MPI_PROC_NULL; }

/// Before a collective: whether memory is unprotected for it. All is where nothing is known of the
/// communicator, because MPI has not checked yet that the handle is valid.
[[nodiscard]] bool unprotects(const Call& call, MPI_Comm comm);

/// The handle there; the integer 0 or a null pointer, which is in no table, where the program passes no
/// address.
template <typename Handle>
[[nodiscard]] Handle handle_at(const Handle* place) {
  return place == nullptr ? Handle{} : *place;
}

// State that the wrappers save before a call: handles that it may free, statuses that the application
// ignores.

class RequestsBefore {
 public:
  RequestsBefore(const Call& call, int count, const MPI_Request* requests);
  RequestsBefore(const RequestsBefore&) = delete;
  RequestsBefore& operator=(const RequestsBefore&) = delete;
  [[nodiscard]] MPI_Request operator[](int index) const { return requests_[index]; }
  [[nodiscard]] int count() const { return count_; }

 protected:
  RequestsBefore() = default;
  const MPI_Request* requests_ = nullptr;
  int count_ = 0;
  MPI_Request one_{};  // where there is but one
};

// Point to point
void send(const Call& call, const Amount& amount, int to, int tag, MPI_Comm comm);
void isend(const Call& call, const Amount& amount, int to, int tag, MPI_Comm comm, MPI_Request request);
void send_init(const Call& call, const Amount& amount, int to, int tag, MPI_Comm comm, MPI_Request request);
void recv(const Call& call, const Amount& amount, int from, int tag, MPI_Comm comm, const MPI_Status* status);
void irecv(const Call& call, const Amount& amount, int from, int tag, MPI_Comm comm, MPI_Request request);
void recv_init(const Call& call, const Amount& amount, int from, int tag, MPI_Comm comm, MPI_Request request);
void sendrecv(const Call& call, const Amount& sent, int to, int send_tag, const Amount& received, int from,
              int tag, MPI_Comm comm, const MPI_Status* status);
void sendrecv_replace(const Call& call, const Amount& amount, int to, int send_tag, int from, int tag,
                      MPI_Comm comm, const MPI_Status* status);
void isendrecv(const Call& call, const Amount& sent, int to, int send_tag, const Amount& received, int from,
               int tag, MPI_Comm comm, MPI_Request request);
void isendrecv_replace(const Call& call, const Amount& amount, int to, int send_tag, int from, int tag,
                       MPI_Comm comm, MPI_Request request);
void psend_init(const Call& call, const void* buffer, int partitions, MPI_Count count, MPI_Datatype type,
                int to, int tag, MPI_Comm comm, MPI_Request request);
void precv_init(const Call& call, const void* buffer, int partitions, MPI_Count count, MPI_Datatype type,
                int from, int tag, MPI_Comm comm, MPI_Request request);
void pready(const Call& call, int partition, MPI_Request request);
void pready_range(const Call& call, int first, int last, MPI_Request request);
void pready_list(const Call& call, int count, const int* partitions, MPI_Request request);
void parrived(const Call& call, MPI_Request request, int partition, int flag);
void probe(const Call& call, int from, int tag, MPI_Comm comm, const MPI_Status* status);
void iprobe(const Call& call, int from, int tag, MPI_Comm comm, int flag, const MPI_Status* status);
void mprobe(const Call& call, int from, int tag, MPI_Comm comm, MPI_Message message,
            const MPI_Status* status);
void improbe(const Call& call, int from, int tag, MPI_Comm comm, int flag, MPI_Message message,
             const MPI_Status* status);
void mrecv(const Call& call, const Amount& amount, const MatchedMessage& message, const MPI_Status* status);
void imrecv(const Call& call, const Amount& amount, const MatchedMessage& message, MPI_Request request);

// Completion. `statuses` is null where the recorder has none.
void start(const Call& call, const RequestsBefore& requests);
void startall(const Call& call, int count, const RequestsBefore& requests);
void wait(const Call& call, const RequestsBefore& requests, const MPI_Status* status);
void test(const Call& call, const RequestsBefore& requests, int flag, const MPI_Status* status);
/// For MPI_Request_get_status, which completes nothing.
void test(const Call& call);
/// For MPI_Buffer_flush and the like, which wait for all sends from the program's buffer.
void wait(const Call& call);
void waitall(const Call& call, int count, const RequestsBefore& requests, const MPI_Status* statuses);
void testall(const Call& call, int count, const RequestsBefore& requests, int flag,
             const MPI_Status* statuses);
void waitany(const Call& call, int count, const RequestsBefore& requests, int index,
             const MPI_Status* status);
void testany(const Call& call, int count, const RequestsBefore& requests, int index, int flag,
             const MPI_Status* status);
void request_free(const Call& call, FreedRequest& freed);
void cancel(const Call& call, const RequestsBefore& requests);
/// The handles that a failed wait or test has ended, with the status of the one that failed if it is known.
void failed_wait(const Call& call, int error, const std::vector<MPI_Request>& ended,
                 const MPI_Status* status);

/// `indices`: any type with operator[] that returns indices from 0.
void some(const Call& call, const RequestsBefore& requests, int done, const int* indices,
          const MPI_Status* statuses);

// Collectives. `starts`: false where the call only creates a persistent operation.
void collective(const Call& call, const Amount& sent, const Amount& received, int root, MPI_Comm comm,
                MPI_Request request, bool starts);

// Communicators and windows
void new_comm(const Call& call, MPI_Comm parent, MPI_Comm made);
void new_comm_later(const Call& call, MPI_Comm parent, MPI_Comm made, MPI_Request request);
void new_group_comm(const Call& call, MPI_Comm parent, int tag, MPI_Comm made);
void new_intercomm(const Call& call, MPI_Comm parent, MPI_Comm bridge, int tag, MPI_Comm made);
/// The communicator was made from groups, which have no common parent.
void new_group_comm(const Call& call, const char* tag, MPI_Comm made);
void new_intercomm(const Call& call, const char* tag, MPI_Comm made);
void free_comm(const Call& call, FreedComm& freed);
void new_window(const Call& call, MPI_Aint bytes, MPI_Comm comm, MPI_Win made);
void new_dynamic_window(const Call& call, MPI_Comm comm, MPI_Win made);
void free_window(const Call& call, FreedWindow& freed);
void one_sided(const Call& call, const Amount& amount, int target, MPI_Win window,
               MPI_Request request = MPI_REQUEST_NULL);
void one_sided(const Call& call, const Amount& sent, const Amount& received, int target, MPI_Win window,
               MPI_Request request = MPI_REQUEST_NULL);
void synchronise_with(const Call& call, int target, MPI_Win window);
void synchronise(const Call& call, MPI_Win window, int flag = 1);
void synchronise_group(const Call& call, MPI_Group group, MPI_Win window);

void plain(const Call& call);

}  // namespace stretto::trace
