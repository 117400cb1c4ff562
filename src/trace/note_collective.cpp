// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "trace/data_times.hpp"
#include "trace/note.hpp"

namespace stretto::trace {

using record::Record;

std::uint64_t size_of(MPI_Datatype type) {
  MPI_Count bytes = 0;
  if (PMPI_Type_size_x(type, &bytes) != MPI_SUCCESS || bytes < 0) return 0;
  return static_cast<std::uint64_t>(bytes);
}

bool is_dense(MPI_Datatype type) {
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  MPI_Aint true_lower = 0;
  MPI_Aint true_extent = 0;
  if (PMPI_Type_get_extent(type, &lower, &extent) != MPI_SUCCESS) return false;
  if (PMPI_Type_get_true_extent(type, &true_lower, &true_extent) != MPI_SUCCESS) return false;
  return lower == 0 && true_lower == 0 && extent == true_extent &&
         static_cast<std::uint64_t>(extent) == size_of(type);
}

memory::Range span(const void* buffer, MPI_Count count, MPI_Datatype type) {
  if (buffer == MPI_IN_PLACE || type == MPI_DATATYPE_NULL || count <= 0) return {};
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  MPI_Aint true_lower = 0;
  MPI_Aint true_extent = 0;
  if (PMPI_Type_get_extent(type, &lower, &extent) != MPI_SUCCESS) return {};
  if (PMPI_Type_get_true_extent(type, &true_lower, &true_extent) != MPI_SUCCESS) return {};
  // The last element lies after the first one, or before it with a negative extent.
  const MPI_Aint last = static_cast<MPI_Aint>(count - 1) * extent;
  const auto begin = reinterpret_cast<std::intptr_t>(buffer) + true_lower + std::min<MPI_Aint>(last, 0);
  return {static_cast<std::uintptr_t>(begin), static_cast<std::size_t>(std::abs(last) + true_extent)};
}

int peers_of(MPI_Comm comm) {
  Recorder& all = recorder();
  return static_cast<int>(all.contexts.of(comm, all.thread().stream).peers().size());
}

int degree_s(MPI_Comm comm) {
  Recorder& all = recorder();
  return all.contexts.of(comm, all.thread().stream).out_degree;
}

int degree_r(MPI_Comm comm) {
  Recorder& all = recorder();
  return all.contexts.of(comm, all.thread().stream).in_degree;
}

bool is_root(MPI_Comm comm, int root) {
  Recorder& all = recorder();
  return root == MPI_ROOT || root == all.contexts.of(comm, all.thread().stream).rank;
}

namespace {

/// Whether a collective stores data of other ranks on this one.
bool receives(const Call& call, const Context& context, int root) {
  if (root == no_root) return true;
  const std::string_view name = call_names[call.number() - record::first_call].name;
  const bool is_root = root == MPI_ROOT || root == context.rank;
  if (name.find("cast") != std::string_view::npos) return !is_root && root != MPI_PROC_NULL;
  return name.find("educe") == std::string_view::npos || is_root;
}

}  // namespace

void collective(const Call& call, Amount sent, Amount received, int root, MPI_Comm comm, MPI_Request request,
                bool starts) {
  const Context& context = call.context(comm);
  Record record = call.record();
  record.bytes_and_context = record::pack_field(sent.bytes, context.number);
  record.peer = root == MPI_ROOT ? record::any_peer : context.world(root);
  record.extra = received.bytes;
  if (request != MPI_REQUEST_NULL && starts) {
    record.request = recorder().requests.add(request, context.number, false);
  } else if (request != MPI_REQUEST_NULL) {
    recorder().requests.add_persistent(request, {.starts = Starts::collective,
                                                 .call = call.number(),
                                                 .context = context.number,
                                                 .peer = record.peer,
                                                 .tag = 0,
                                                 .bytes = sent.bytes});
  }
  call.append(record);
  if (request != MPI_REQUEST_NULL && starts) keep_loan(call, record.request);
  if (request != MPI_REQUEST_NULL && !starts) keep_loan(call);
  // One amount stands for both sides of a broadcast, a reduction or a scan.
  if (receives(call, context, root)) note_overwritten(call, received.buffer == nullptr ? sent : received);
}

}  // namespace stretto::trace
