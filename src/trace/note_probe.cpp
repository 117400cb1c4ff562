// SPDX-License-Identifier: BSD-3-Clause
// Probes, and receives of matched messages. MPI matches such a message when it is probed, not when it is
// received. So the probe gives it the number that its receive and its data times refer to.
#include "record/trace_format.hpp"
#include "trace/data_times.hpp"
#include "trace/message_record.hpp"
#include "trace/note.hpp"

namespace stretto::trace {
namespace {

using record::Record;

Record probed(const Call& call, int from, int tag, MPI_Comm comm, const MPI_Status* found) {
  const Context& context = call.context(comm);
  Record record = message_record(call, context, {}, from, tag);
  correct(record, context, found);
  record.count = found != nullptr ? 1 : 0;
  return record;
}

/// Unprotects the memory of a receive into `buffer`.
Record received(const Call& call, const void* buffer, const MatchedMessage& matched) {
  Record record = call.record();
  record.bytes_and_context = record::pack_field(matched.bytes, matched.context);
  record.peer = matched.peer;
  record.tag = matched.tag;
  record.request = matched.number;
  record.extra = address(buffer);
  record.count = call.variable(buffer);
  return record;
}

}  // namespace

void probe(const Call& call, int from, int tag, MPI_Comm comm, const MPI_Status* status) {
  call.append(probed(call, from, tag, comm, status));
}

void iprobe(const Call& call, int from, int tag, MPI_Comm comm, int flag, const MPI_Status* status) {
  if (flag == 0) return call.append_poll(probed(call, from, tag, comm, nullptr));
  call.end_counting();
  call.append(probed(call, from, tag, comm, status));
}

void mprobe(const Call& call, int from, int tag, MPI_Comm comm, MPI_Message message,
            const MPI_Status* status) {
  Record record = probed(call, from, tag, comm, status);
  if (message != MPI_MESSAGE_NO_PROC) {
    record.request = recorder().requests.next_number();
    recorder().matched.add(message, {.number = record.request,
                                     .context = record::high_field(record.bytes_and_context),
                                     .peer = record.peer,
                                     .tag = record.tag,
                                     .bytes = record::low_field(record.bytes_and_context)});
  }
  call.append(record);
}

void improbe(const Call& call, int from, int tag, MPI_Comm comm, int flag, MPI_Message message,
             const MPI_Status* status) {
  if (flag != 0) {
    mprobe(call, from, tag, comm, message, status);
  } else {
    call.append(probed(call, from, tag, comm, nullptr));
  }
}

void mrecv(const Call& call, const Amount& amount, const MatchedMessage& message,
           const MPI_Status* /*status*/) {
  const Record record = received(call, amount.buffer, message);
  call.append(record);
  note_arrived(call, record, amount);
}

void imrecv(const Call& call, const Amount& amount, const MatchedMessage& message, MPI_Request request) {
  const Record record = received(call, amount.buffer, message);
  recorder().requests.add_numbered(request, record::high_field(record.bytes_and_context), record.request);
  call.append(record);
  note_expected(record, amount);
  keep_unprotected(call, record.request);
}

}  // namespace stretto::trace
