// SPDX-License-Identifier: BSD-3-Clause
#include <string_view>

#include "trace/data_times.hpp"
#include "trace/note.hpp"

namespace stretto::trace {

using record::Record;

namespace {

Context& context_of(MPI_Comm comm) {
  Recorder& all = recorder();
  return all.contexts.of(comm, all.thread().stream);
}

}  // namespace

std::uint64_t size_of(MPI_Datatype type) {
  MPI_Count bytes = 0;
  if (type == MPI_DATATYPE_NULL) return 0;  // MPI would call the program's error handler
  if (PMPI_Type_size_x(type, &bytes) != MPI_SUCCESS || bytes < 0) return 0;
  return static_cast<std::uint64_t>(bytes);
}

memory::Data watched_data(const void* buffer, MPI_Count count, MPI_Datatype type) {
  if (recorder().watch() == nullptr || type == MPI_DATATYPE_NULL || count <= 0) return {};
  if (recorder().protects_pages() && !is_dense(type)) return {};
  return data_of(buffer, count, type);
}

MPI_Aint extent_of(MPI_Datatype type) {
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  if (type == MPI_DATATYPE_NULL) return 0;
  return PMPI_Type_get_extent(type, &lower, &extent) == MPI_SUCCESS ? extent : 0;
}

void add_elements(Amount& amount, int peer, MPI_Aint offset, MPI_Count count, MPI_Datatype type) {
  const std::uint64_t bytes = static_cast<std::uint64_t>(count) * size_of(type);
  amount.bytes += bytes;
  amount.of_peers[static_cast<std::size_t>(peer)] = bytes;
  if (recorder().protects_pages()) return;  // pages of collectives with counts are not watched
  const auto* from = static_cast<const std::byte*>(amount.buffer) + offset;
  const memory::Data more = watched_data(from, count, type);
  for (const memory::Range& block : more.blocks()) amount.data.add(block);
}

int rank_in(MPI_Comm comm) { return context_of(comm).rank; }

int peers_of(MPI_Comm comm) { return static_cast<int>(context_of(comm).peers().size()); }

int members_of(MPI_Comm comm) { return static_cast<int>(context_of(comm).members.size()); }

int degree_s(MPI_Comm comm) { return context_of(comm).out_degree; }

int degree_r(MPI_Comm comm) { return context_of(comm).in_degree; }

bool is_root(MPI_Comm comm, int root) { return context_of(comm).is_root(root); }

bool unprotects(const Call& call, MPI_Comm comm) {
  if (!recorder().protects_pages() || !call) return false;
  if (recorder().contexts.knows(comm)) return true;
  call.unprotect_all();
  return false;
}

namespace {

/// Whether a collective stores data of other ranks on this one.
bool receives(const Call& call, const Context& context, int root) {
  const std::string_view name = call_names[call.number() - record::first_call].name;
  if (root == no_root) return context.rank != 0 || name.find("xscan") == std::string_view::npos;
  const bool from_root =
      name.find("cast") != std::string_view::npos || name.find("catter") != std::string_view::npos;
  return from_root ? is_leaf(root) && !context.is_root(root) : context.is_root(root);
}

/// The number of the bytes that a collective exchanges with each rank. The neighbours of a topology are no
/// ranks.
std::int32_t peer_bytes(const Call& call, const Amount& sent, const Amount& received) {
  const std::string_view name = call_names[call.number() - record::first_call].name;
  if (name.find("eighbor") != std::string_view::npos) return 0;
  const bool in_place = sent.of_peers.empty() && name.find("lltoall") != std::string_view::npos;
  const Amount& outgoing = in_place ? received : sent;
  return recorder().peer_bytes.number_of(outgoing.of_peers, received.of_peers, call.thread().stream);
}

}  // namespace

void collective(const Call& call, const Amount& sent, const Amount& received, int root, MPI_Comm comm,
                MPI_Request request, bool starts) {
  Context& context = call.context(comm);
  // One amount stands for both sides of a broadcast, a reduction or a scan.
  const Amount& written = received.buffer == nullptr ? sent : received;
  const bool writes = receives(call, context, root);
  Record record = call.record();
  record.bytes_and_context = record::pack_field(sent.bytes, context.number);
  record.peer = root == MPI_ROOT ? record::any_peer : context.world(root);
  record.extra = received.bytes;
  record.count = call.variable(written.buffer);
  if (starts) record.tag = -peer_bytes(call, sent, received);
  if (request != MPI_REQUEST_NULL && starts) {
    record.request = recorder().requests.add(request, context.number, false);
  } else if (request != MPI_REQUEST_NULL) {
    recorder().requests.add_persistent(
        request, {.starts = Starts::collective,
                  .call = call.number(),
                  .context = context.number,
                  .peer = record.peer,
                  .tag = ++context.persistent_collectives,
                  .bytes = sent.bytes,
                  .received = received.bytes,
                  .data = writes && !recorder().protects_pages() ? written.data : memory::Data()});
  }
  call.append(record);
  if (request != MPI_REQUEST_NULL && starts) keep_unprotected(call, record.request);
  if (request != MPI_REQUEST_NULL && !starts) keep_unprotected(call);
  if (!writes || !starts) return;
  if (request == MPI_REQUEST_NULL) {
    note_returned(sent);
    note_overwritten(call, written);
  } else {
    note_overwritten_later(record.request, written);
  }
}

}  // namespace stretto::trace
