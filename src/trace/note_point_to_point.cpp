// SPDX-License-Identifier: BSD-3-Clause
// Point-to-point messages: blocking, nonblocking, persistent and partitioned.
#include <array>
#include <string_view>

#include "record/trace_format.hpp"
#include "trace/data_times.hpp"
#include "trace/message_record.hpp"
#include "trace/note.hpp"

namespace stretto::trace {
namespace {

using record::Record;

bool is_wild(int from, int tag) { return from == MPI_ANY_SOURCE || tag == MPI_ANY_TAG; }

/// Whether the status of MPI_Isendrecv is that of its receive. MPICH's, and that of libraries derived from
/// it, has the source and tag of nothing.
bool has_status_of_isendrecv() {
  static const bool has = [] {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    PMPI_Get_library_version(text.data(), &length);
    return std::string_view(text.data()).find("Open MPI") != std::string_view::npos;
  }();
  return has;
}

std::uint32_t begun(const Context& context, MPI_Request request, bool wild, std::uint64_t max_bytes = 0) {
  return recorder().requests.add(request, context.number, wild, max_bytes);
}

void persistent(const Call& call, const Record& record, Starts starts, const Amount& amount,
                MPI_Request request, std::uint32_t partitions = 0) {
  recorder().requests.add_persistent(request, {.starts = starts,
                                               .call = call.number(),
                                               .context = record::high_field(record.bytes_and_context),
                                               .peer = record.peer,
                                               .tag = record.tag,
                                               .bytes = record::low_field(record.bytes_and_context),
                                               .data = amount.data,
                                               .partitions = partitions});
  call.append(record);
  // Where the bytes lie is known for contiguous data only, and a start does not say it either. So all memory
  // stays unprotected from now on.
  const bool moves_data = record.peer != record::no_peer && amount.bytes > 0;
  if (recorder().protects_pages() && moves_data && amount.data.bytes() == 0) {
    call.unprotect_all();
    keep_unprotected(call);
  }
}

}  // namespace

void send(const Call& call, const Amount& amount, int to, int tag, MPI_Comm comm) {
  Record record = message_record(call, call.context(comm), amount, to, tag);
  number(record);
  call.append(record);
  note_produced(call, record, amount);
}

void isend(const Call& call, const Amount& amount, int to, int tag, MPI_Comm comm, MPI_Request request) {
  const Context& context = call.context(comm);
  Record record = message_record(call, context, amount, to, tag);
  record.request = begun(context, request, false);
  call.append(record);
  note_produced(call, record, amount);
  note_in_flight(record, amount);
  keep_unprotected(call, record.request);
}

void send_init(const Call& call, const Amount& amount, int to, int tag, MPI_Comm comm, MPI_Request request) {
  persistent(call, message_record(call, call.context(comm), amount, to, tag), Starts::send, amount, request);
}

void recv(const Call& call, const Amount& amount, int from, int tag, MPI_Comm comm,
          const MPI_Status* status) {
  const Context& context = call.context(comm);
  Record record = message_record(call, context, amount, from, tag);
  number(record);
  correct(record, context, status);
  call.append(record);
  note_arrived(call, record, amount);
}

void irecv(const Call& call, const Amount& amount, int from, int tag, MPI_Comm comm, MPI_Request request) {
  const Context& context = call.context(comm);
  Record record = message_record(call, context, amount, from, tag);
  record.request = begun(context, request, is_wild(from, tag), amount.bytes);
  call.append(record);
  note_expected(record, amount);
  keep_unprotected(call, record.request);
}

void recv_init(const Call& call, const Amount& amount, int from, int tag, MPI_Comm comm,
               MPI_Request request) {
  persistent(call, message_record(call, call.context(comm), amount, from, tag), Starts::receive, amount,
             request);
}

void sendrecv(const Call& call, const Amount& sent, int to, int send_tag, const Amount& received, int from,
              int tag, MPI_Comm comm, const MPI_Status* status) {
  const Context& context = call.context(comm);
  Record record = message_record(call, context, sent, to, send_tag);
  number(record);
  call.append(record);
  Record half = message_record(call, context, received, from, tag, record::receive_half);
  number(half);
  correct(half, context, status);
  call.append(half);
  note_produced(call, record, sent);
  note_returned(sent);
  note_arrived(call, half, received);
}

void sendrecv_replace(const Call& call, const Amount& amount, int to, int send_tag, int from, int tag,
                      MPI_Comm comm, const MPI_Status* status) {
  sendrecv(call, amount, to, send_tag, amount, from, tag, comm, status);
}

void isendrecv(const Call& call, const Amount& sent, int to, int send_tag, const Amount& received, int from,
               int tag, MPI_Comm comm, MPI_Request request) {
  const Context& context = call.context(comm);
  Record record = message_record(call, context, sent, to, send_tag);
  const bool has_status = has_status_of_isendrecv();
  record.request = begun(context, request, has_status && is_wild(from, tag), has_status ? received.bytes : 0);
  call.append(record);
  Record half = message_record(call, context, received, from, tag, record::receive_half);
  half.request = record.request;
  call.append(half);
  note_produced(call, record, sent);
  note_in_flight(record, sent);
  note_expected(half, received);
  keep_unprotected(call, record.request);
}

void isendrecv_replace(const Call& call, const Amount& amount, int to, int send_tag, int from, int tag,
                       MPI_Comm comm, MPI_Request request) {
  isendrecv(call, amount, to, send_tag, amount, from, tag, comm, request);
}

void psend_init(const Call& call, const void* buffer, int partitions, MPI_Count count, MPI_Datatype type,
                int to, int tag, MPI_Comm comm, MPI_Request request) {
  Amount sent = amount(buffer, count * partitions, type);
  Record record = message_record(call, call.context(comm), sent, to, tag);
  record.count = static_cast<std::uint32_t>(partitions);
  sent.data = {};  // partitions leave at any time
  persistent(call, record, Starts::partitioned_send, sent, request, record.count);
}

void precv_init(const Call& call, const void* buffer, int partitions, MPI_Count count, MPI_Datatype type,
                int from, int tag, MPI_Comm comm, MPI_Request request) {
  Amount received = amount(buffer, count * partitions, type);
  Record record = message_record(call, call.context(comm), received, from, tag);
  record.count = static_cast<std::uint32_t>(partitions);
  if (recorder().protects_pages()) received.data = {};  // partitions arrive at any time
  persistent(call, record, Starts::partitioned_receive, received, request, record.count);
}

void pready(const Call& call, int partition, MPI_Request request) {
  Record record = call.record();
  record.request = recorder().requests.active_number(request);
  record.count = 1;
  record.extra = static_cast<std::uint64_t>(partition);
  call.append(record);
}

void pready_range(const Call& call, int first, int last, MPI_Request request) {
  for (int partition = first; partition <= last; ++partition) pready(call, partition, request);
}

void pready_list(const Call& call, int count, const int* partitions, MPI_Request request) {
  for (int i = 0; i < count; ++i) pready(call, partitions[i], request);
}

void parrived(const Call& call, MPI_Request request, int partition, int flag) {
  Record record = call.record();
  record.request = recorder().requests.active_number(request);
  record.count = flag != 0 ? 1 : 0;
  record.extra = static_cast<std::uint64_t>(partition);
  call.append(record);
  const Persistent* one = recorder().requests.persistent(request);
  if (flag == 0 || one == nullptr || one->partitions == 0 || recorder().watch() == nullptr) return;
  const std::size_t bytes = one->data.bytes() / one->partitions;
  note_overwritten(call,
                   {nullptr, bytes, one->data.slice(static_cast<std::size_t>(partition) * bytes, bytes)});
}

}  // namespace stretto::trace
