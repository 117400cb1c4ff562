// SPDX-License-Identifier: BSD-3-Clause
// Waits and tests. `count` of the call's record is the number of operations that it completed; as many
// `completion` records follow.
#include <algorithm>

#include "trace/data_times.hpp"
#include "trace/freed.hpp"
#include "trace/wrapping.hpp"

namespace stretto::trace {
namespace {

using record::Record;

/// Operations that one call completed. The call's own record precedes theirs and contains their number.
class Completions {
 public:
  explicit Completions(const Call& call)
      : call_(call), about_one_(call.record(record::completion)), found_(call.thread().completions) {
    found_.clear();
  }

  void add(MPI_Request handle, const MPI_Status* status) {
    if (handle == MPI_REQUEST_NULL) return;
    if (call_.partly_failed() && status->MPI_ERROR == MPI_ERR_PENDING) return;
    add_ended(handle, call_.partly_failed() ? status->MPI_ERROR : MPI_SUCCESS, status);
  }

  /// Adds an operation that has ended with this error. A truncated message has arrived, too; other operations
  /// that fail have moved nothing.
  void add_ended(MPI_Request handle, int error, const MPI_Status* status) {
    const Pending pending = recorder().requests.take(handle);
    if (pending.number == 0) return;
    Record record = about_one_;
    record.request = pending.number;
    record.bytes_and_context = record::pack_field(0, pending.context);
    if (error != MPI_SUCCESS && !is_truncated(error)) {
      record.count = record::cancelled;
    } else if (pending.needs_status() && status != nullptr) {
      record_status(record, pending, *status);
    }
    found_.push_back(record);
  }

  void write() const {
    Record record = call_.record();
    record.count = static_cast<std::uint32_t>(found_.size());
    call_.append(record);
    for (const Record& one : found_) call_.append(one);
    for (const Record& one : found_) {
      if (one.count == record::cancelled) {
        note_cancelled(one.request);
      } else {
        const bool sized = one.count == record::has_source;
        note_completed(call_, one.request, sized ? record::low_field(one.bytes_and_context) : all_bytes);
      }
    }
  }

 private:
  /// Adds the source, tag and size where they differ from the receive's, or that the operation was cancelled.
  static void record_status(Record& record, const Pending& pending, const MPI_Status& status) {
    int cancelled = 0;
    PMPI_Test_cancelled(&status, &cancelled);
    if (cancelled != 0) record.count = record::cancelled;
    if (cancelled != 0) return;
    MPI_Count bytes = 0;
    const bool known = PMPI_Get_elements_x(&status, MPI_BYTE, &bytes) == MPI_SUCCESS && bytes >= 0;
    const bool shorter = known && static_cast<std::uint64_t>(bytes) < pending.max_bytes;
    if (!pending.wildcard && !shorter) return;
    record.count = record::has_source;
    record.peer = status.MPI_SOURCE;  // a rank in the operation's communicator, which the reader converts
    record.tag = status.MPI_TAG;
    if (known) {
      record.bytes_and_context = record::pack_field(static_cast<std::uint64_t>(bytes), pending.context);
    }
  }

  const Call& call_;
  Record about_one_;
  std::vector<Record>& found_;
};

void write_start(const Call& call, MPI_Request handle) {
  note_cancelled(recorder().requests.active_number(handle));  // a failed wait ended the start before
  const Persistent* one = recorder().requests.start(handle);
  if (one == nullptr) return;
  Record record = call.record(record::started);
  record.bytes_and_context = record::pack_field(one->bytes, one->context);
  record.peer = one->peer;
  record.tag = one->tag;
  record.request = one->active;
  record.count = static_cast<std::uint32_t>(one->starts);
  const std::uint64_t more = one->starts == Starts::collective ? one->received : one->partitions;
  record.extra = one->call | more << 16U;
  call.append(record);
  const Amount data = {nullptr, one->bytes, one->data};
  if (one->starts == Starts::send) {
    note_produced(call, record, data);
    note_in_flight(record, data);
  }
  if (one->starts == Starts::receive) note_expected(record, data);
  if (one->starts == Starts::collective || one->starts == Starts::partitioned_receive) {
    note_overwritten_later(record.request, data);
  }
  keep_unprotected(call, record.request, one->data);
}

}  // namespace

MPI_Status* CStatuses::ours(const Call& call, int count) {
  std::vector<MPI_Status>& scratch = call.thread().statuses;
  scratch.resize(static_cast<std::size_t>(std::max(count, 1)));
  return scratch.data();
}

RequestsBefore::RequestsBefore(const Call& call, int count, const MPI_Request* requests) {
  if (!call || count < 0 || requests == nullptr) return;
  count_ = count;
  if (count == 1) {
    one_ = *requests;
    requests_ = &one_;
    return;
  }
  std::vector<MPI_Request>& scratch = call.thread().requests;
  scratch.assign(requests, requests + count);
  requests_ = scratch.data();
}

void unprotect_started(const Call& call, const RequestsBefore& requests) {
  for (int i = 0; i < requests.count(); ++i) {
    const Persistent* one = recorder().requests.persistent(requests[i]);
    if (one == nullptr) continue;
    for (const memory::Range& block : one->data.blocks()) call.unprotect(block);
  }
}

void start(const Call& call, const RequestsBefore& requests) { startall(call, 1, requests); }

void startall(const Call& call, int count, const RequestsBefore& requests) {
  Record record = call.record();
  record.count = static_cast<std::uint32_t>(count);
  call.append(record);
  for (int i = 0; i < count; ++i) write_start(call, requests[i]);
}

void wait(const Call& call, const RequestsBefore& requests, const MPI_Status* status) {
  waitall(call, 1, requests, status);
}

void test(const Call& call, const RequestsBefore& requests, int flag, const MPI_Status* status) {
  testall(call, 1, requests, flag, status);
}

void test(const Call& call) { call.append(call.record()); }

void wait(const Call& call) { call.append(call.record()); }

void waitall(const Call& call, int count, const RequestsBefore& requests, const MPI_Status* statuses) {
  Completions completions(call);
  for (int i = 0; i < count; ++i) completions.add(requests[i], statuses == nullptr ? nullptr : &statuses[i]);
  completions.write();
}

void testall(const Call& call, int count, const RequestsBefore& requests, int flag,
             const MPI_Status* statuses) {
  if (flag == 0 && !call.partly_failed()) return call.append_poll();
  call.end_counting();
  waitall(call, count, requests, statuses);
}

void waitany(const Call& call, int /*count*/, const RequestsBefore& requests, int index,
             const MPI_Status* status) {
  Completions completions(call);
  if (index != MPI_UNDEFINED) completions.add(requests[index], status);
  completions.write();
}

void testany(const Call& call, int count, const RequestsBefore& requests, int index, int flag,
             const MPI_Status* status) {
  if (flag == 0) return call.append_poll();
  call.end_counting();
  waitany(call, count, requests, index, status);
}

void some(const Call& call, const RequestsBefore& requests, int done, const int* indices,
          const MPI_Status* statuses) {
  if (done == 0) return call.append_poll();
  call.end_counting();
  Completions completions(call);
  for (int i = 0; i < done; ++i) {
    completions.add(requests[indices[i]], statuses == nullptr ? nullptr : &statuses[i]);
  }
  completions.write();
}

void request_free(const Call& call, FreedRequest& freed) {
  Record record = call.record();
  record.request = freed.done();
  record.count = freed.was_cancelled() ? 1 : 0;
  call.append(record);
  if (!freed.was_cancelled()) return;
  Record ended = call.record(record::completion);
  ended.request = record.request;
  ended.count = record::cancelled;
  call.append(ended);
  note_cancelled(record.request);
}

void failed_wait(const Call& call, int error, const std::vector<MPI_Request>& ended,
                 const MPI_Status* status) {
  call.end_counting();
  Completions completions(call);
  for (const MPI_Request& one : ended) completions.add_ended(one, error, status);
  completions.write();
}

void cancel(const Call& call, const RequestsBefore& requests) {
  Record record = call.record();
  record.request = recorder().requests.request_cancel(requests[0]);
  call.append(record);
}

}  // namespace stretto::trace
