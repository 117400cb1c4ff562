// SPDX-License-Identifier: BSD-3-Clause
#include "trace/data_times.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <vector>

#include "memory/watch.hpp"

namespace stretto::trace {
namespace {

using memory::PartTimes;
using memory::Range;
using record::Record;

struct Message {
  Record record;
  Range data;
  std::uint32_t epoch = 0;  // the arrival, as the watch numbers it
};

/// Messages for which the consumption is not recorded yet, with a lock.
struct Waiting {
  std::mutex mutex;
  std::map<std::uint32_t, Message> expected;  // by request
  std::map<std::uintptr_t, Message> arrived;  // by address; ranges do not overlap
  struct Loan {
    std::vector<Range> data;
    unsigned whole = 0;
  };
  std::map<std::uint32_t, Loan> loans;  // by request
};

Waiting& waiting() {
  static auto* the_one = new Waiting;  // never destroyed, like the recorder
  return *the_one;
}

bool is_watched(Amount data) {
  return recorder().watch() != nullptr && data.dense && data.bytes > 0 && data.buffer != nullptr;
}

/// Writes one record per part. A part that was not accessed has time 0.
void write(Stream& stream, const Record& message, record::Special what, const PartTimes& times) {
  const std::uint64_t epoch_ns = recorder().epoch_ns();
  Record record = message;
  const std::uint16_t site = record::high_field(message.duration_and_site);
  record.tag = static_cast<std::int32_t>(memory::parts);
  const auto since_epoch = [epoch_ns](std::uint64_t ns) { return ns > epoch_ns ? ns - epoch_ns : 0; };
  for (std::size_t part = 0; part < memory::parts; ++part) {
    record.begin_and_call = record::pack_field(since_epoch(times.ns[part]), what);
    record.duration_and_site = record::pack_field(since_epoch(times.reordered_ns[part]), site);
    record.extra = since_epoch(times.other_end_ns[part]);
    record.count = static_cast<std::uint32_t>(part);
    stream.append(record);
  }
}

void write_consumed(Stream& stream, const Message& message) {
  PartTimes times;
  if (recorder().watch()->consumed(message.data, message.epoch, times)) {
    write(stream, message.record, record::consumed, times);
  }
}

/// Writes and removes messages that arrived at these addresses before, because their data is overwritten.
void write_replaced(Stream& stream, std::map<std::uintptr_t, Message>& arrived, Range data) {
  auto one = arrived.lower_bound(data.begin);
  if (one != arrived.begin() && std::prev(one)->second.data.end() > data.begin) --one;
  while (one != arrived.end() && one->first < data.end()) {
    write_consumed(stream, one->second);
    one = arrived.erase(one);
  }
}

void arrive(const Call& call, Message message) {
  std::map<std::uintptr_t, Message>& arrived = waiting().arrived;
  write_replaced(call.thread().stream, arrived, message.data);
  message.epoch = recorder().watch()->arrived(message.data);
  recorder().regions.arrived(message.epoch, call.site());
  arrived[message.data.begin] = message;
}

/// The caller holds the lock.
void end_loan(std::uint32_t request) {
  const auto loan = waiting().loans.find(request);
  if (loan == waiting().loans.end()) return;
  for (const Range& data : loan->second.data) recorder().watch()->give_back(data);
  for (; loan->second.whole > 0; --loan->second.whole) recorder().watch()->give_back_all();
  waiting().loans.erase(loan);
}

}  // namespace

memory::Range range_of(Amount data) {
  return {reinterpret_cast<std::uintptr_t>(data.buffer), static_cast<std::size_t>(data.bytes)};
}

void number(Record& message) {
  if (recorder().watch() != nullptr) message.request = recorder().requests.next_number();
}

void note_produced(const Call& call, const Record& message, Amount data) {
  if (!is_watched(data) || message.peer == record::no_peer) return;
  PartTimes times;
  if (recorder().watch()->produced(range_of(data), times)) {
    write(call.thread().stream, message, record::produced, times);
  }
}

void note_arrived(const Call& call, const Record& message, Amount data) {
  if (!is_watched(data) || message.peer == record::no_peer) return;
  call.give_back();  // the call is over
  const std::scoped_lock lock(waiting().mutex);
  arrive(call, {message, range_of(data)});
}

void note_expected(const Record& message, Amount data) {
  if (!is_watched(data) || message.peer == record::no_peer) return;
  const std::scoped_lock lock(waiting().mutex);
  waiting().expected[message.request] = {message, range_of(data)};
}

void note_completed(const Call& call, std::uint32_t request, std::uint64_t bytes) {
  if (recorder().watch() == nullptr) return;
  const std::scoped_lock lock(waiting().mutex);
  end_loan(request);
  const auto found = waiting().expected.find(request);
  if (found == waiting().expected.end()) return;
  Message message = found->second;
  waiting().expected.erase(found);
  message.data.bytes = std::min<std::size_t>(message.data.bytes, bytes);
  if (message.data.bytes > 0) arrive(call, message);
}

void note_cancelled(std::uint32_t request) {
  if (recorder().watch() == nullptr) return;
  const std::scoped_lock lock(waiting().mutex);
  end_loan(request);
  waiting().expected.erase(request);
}

void keep_loan(const Call& call, std::uint32_t request) {
  Thread& thread = call.thread();
  if (thread.loan.empty() && thread.whole_loans == 0) return;
  const std::scoped_lock lock(waiting().mutex);
  Waiting::Loan& loan = waiting().loans[request];
  loan.data.insert(loan.data.end(), thread.loan.begin(), thread.loan.end());
  loan.whole += thread.whole_loans;
  keep_loan(call);
}

void keep_loan(const Call& call, std::uint32_t request, Range data) {
  std::vector<Range>& loan = call.thread().loan;
  const auto found = std::find_if(loan.begin(), loan.end(), [&](const Range& one) {
    return one.begin == data.begin && one.bytes == data.bytes;
  });
  if (found == loan.end()) return;
  const std::scoped_lock lock(waiting().mutex);
  waiting().loans[request].data.push_back(data);
  loan.erase(found);
}

void keep_loan(const Call& call) {
  call.thread().loan.clear();
  call.thread().whole_loans = 0;
}

void note_overwritten(const Call& call, Amount data) {
  if (!is_watched(data)) return;
  recorder().regions.arrived(recorder().watch()->overwritten(range_of(data)), call.site());
}

void note_last_consumed() {
  if (recorder().watch() == nullptr) return;
  const std::scoped_lock lock(waiting().mutex);
  for (const auto& [address, message] : waiting().arrived) {
    write_consumed(recorder().thread().stream, message);
  }
  waiting().arrived.clear();
  Thread& thread = recorder().thread();
  recorder().regions.write(recorder().sites, thread.sites, thread.stream, recorder().watch()->ns_of_a_tick());
  recorder().watch()->lend_all();  // later accesses belong to no message
}

}  // namespace stretto::trace
