// SPDX-License-Identifier: BSD-3-Clause
#include "trace/data_times.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "memory/watch.hpp"

namespace stretto::trace {
namespace {

using memory::Data;
using memory::PartTimes;
using memory::Range;
using record::Record;

/// Size up to which a whole window counts as written by others.
constexpr std::uint64_t max_exposed_bytes = std::uint64_t{16} << 20U;

struct Message {
  Record record;
  Data data;
  std::uint32_t epoch = 0;  // the arrival, as the watch numbers it
  bool between_two = true;  // false: of a collective or one-sided operation, without data times
};

struct Placed {
  std::uintptr_t end;
  std::uint64_t message;
};

/// Messages for which the consumption is not recorded yet, with a lock.
struct Waiting {
  std::mutex mutex;
  std::map<std::uint32_t, Message> expected;  // by request
  std::map<std::uint64_t, Message> arrived;
  std::map<std::uintptr_t, Placed> places;  // of the messages that arrived; blocks do not overlap
  std::uint64_t last = 0;
  struct Fetched {
    int target;
    Data data;
  };
  std::map<std::uint16_t, std::vector<Fetched>> until_synchronised;  // by window
  struct Unprotected {
    std::vector<Range> data;
    unsigned whole = 0;
  };
  std::map<std::uint32_t, Unprotected> unprotected;  // by request
};

Waiting& waiting() {
  static auto* the_one = new Waiting;  // never destroyed, like the recorder
  return *the_one;
}

bool is_watched(const Amount& data) { return recorder().watch() != nullptr && data.data.bytes() > 0; }

/// Whether data arrives at a place that is not known.
bool is_lost(const Amount& data) {
  return recorder().watch() != nullptr && !recorder().protects_pages() && data.bytes > 0 &&
         data.data.bytes() == 0;
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

/// Writes and removes messages that arrived in this memory before, because their data is overwritten.
void write_replaced(Stream& stream, Waiting& all, Range data) {
  while (true) {
    auto one = all.places.upper_bound(data.begin);
    if (one != all.places.begin() && std::prev(one)->second.end > data.begin) --one;
    if (one == all.places.end() || one->first >= data.end()) return;
    const auto message = all.arrived.find(one->second.message);
    write_consumed(stream, message->second);
    for (const Range& block : message->second.data.blocks()) all.places.erase(block.begin);
    all.arrived.erase(message);
  }
}

/// An arrival is known to all that sums up what follows it.
void follow(std::uint32_t epoch, std::uint16_t site) {
  recorder().regions.arrived(epoch, site);
  recorder().accesses.arrived(epoch, site, *recorder().watch());
}

/// The caller holds the lock.
void overwrite(const Call& call, const Data& data) {
  recorder().regions.arrived(recorder().watch()->overwritten(data), call.site());
}

void arrive_somewhere(const Call& call) {
  recorder().regions.arrived(recorder().watch()->arrived_somewhere(), call.site());
}

/// The caller holds the lock.
void arrive(const Call& call, Message message) {
  Waiting& all = waiting();
  for (const Range& block : message.data.blocks()) write_replaced(call.thread().stream, all, block);
  if (!message.between_two) {
    overwrite(call, message.data);
    return;
  }
  if (message.record.peer == recorder().rank()) {
    message.epoch = recorder().watch()->arrived_from_itself(message.data);
  } else {
    message.epoch = recorder().watch()->arrived(message.data);
    follow(message.epoch, call.site());
  }
  const std::uint64_t number = ++all.last;
  for (const Range& block : message.data.blocks()) all.places[block.begin] = {block.end(), number};
  all.arrived.emplace(number, std::move(message));
}

void take_off(const Record& message, const Amount& data, memory::Direction direction) {
  const std::uint16_t site = record::high_field(message.duration_and_site);
  recorder().watch()->takes_off(message.request, site, data.data, direction);
}

/// The caller holds the lock.
void end_unprotected(std::uint32_t request) {
  const auto unprotected = waiting().unprotected.find(request);
  if (unprotected == waiting().unprotected.end()) return;
  for (const Range& data : unprotected->second.data) recorder().watch()->reprotect(data);
  for (; unprotected->second.whole > 0; --unprotected->second.whole) recorder().watch()->reprotect_all();
  waiting().unprotected.erase(unprotected);
}

}  // namespace

void number(Record& message) {
  if (recorder().watch() != nullptr) message.request = recorder().requests.next_number();
}

void note_produced(const Call& call, const Record& message, const Amount& data) {
  if (!is_watched(data) || message.peer == record::no_peer) return;
  PartTimes times;
  if (recorder().watch()->produced(data.data, times)) {
    write(call.thread().stream, message, record::produced, times);
    recorder().sent_work.sent(call.site(), times);
    recorder().accesses.sent(call.site(), times.place);
  }
}

void note_arrived(const Call& call, const Record& message, const Amount& data) {
  if (message.peer == record::no_peer) return;
  if (is_lost(data)) arrive_somewhere(call);
  if (!is_watched(data)) return;
  call.reprotect();  // the call is over
  const std::size_t bytes = record::low_field(message.bytes_and_context);
  const std::scoped_lock lock(waiting().mutex);
  arrive(call, {.record = message, .data = data.data.slice(0, bytes)});
}

void note_in_flight(const Record& message, const Amount& data) {
  if (is_watched(data) && message.peer != record::no_peer) take_off(message, data, memory::Direction::sent);
}

void note_returned(const Amount& data) {
  if (is_watched(data)) recorder().watch()->returned(data.data);
}

void note_expected(const Record& message, const Amount& data) {
  if (!is_watched(data) || message.peer == record::no_peer) return;
  take_off(message, data, memory::Direction::received);
  const std::scoped_lock lock(waiting().mutex);
  waiting().expected[message.request] = {.record = message, .data = data.data};
}

void note_completed(const Call& call, std::uint32_t request, std::uint64_t bytes) {
  if (recorder().watch() == nullptr) return;
  recorder().watch()->lands(request);
  const std::scoped_lock lock(waiting().mutex);
  end_unprotected(request);
  const auto found = waiting().expected.find(request);
  if (found == waiting().expected.end()) return;
  Message message = found->second;
  waiting().expected.erase(found);
  message.data = message.data.slice(0, bytes);
  if (message.data.bytes() > 0) arrive(call, std::move(message));
}

void note_cancelled(std::uint32_t request) {
  if (recorder().watch() == nullptr) return;
  recorder().watch()->lands(request);
  const std::scoped_lock lock(waiting().mutex);
  end_unprotected(request);
  waiting().expected.erase(request);
}

void keep_unprotected(const Call& call, std::uint32_t request) {
  Thread& thread = call.thread();
  if (thread.unprotected.empty() && thread.all_unprotected == 0) return;
  const std::scoped_lock lock(waiting().mutex);
  Waiting::Unprotected& unprotected = waiting().unprotected[request];
  unprotected.data.insert(unprotected.data.end(), thread.unprotected.begin(), thread.unprotected.end());
  unprotected.whole += thread.all_unprotected;
  keep_unprotected(call);
}

void keep_unprotected(const Call& call, std::uint32_t request, const Data& message) {
  if (message.blocks().size() != 1) return;
  const Range data = message.blocks().front();
  std::vector<Range>& unprotected = call.thread().unprotected;
  const auto found = std::ranges::find_if(
      unprotected, [&](const Range& one) { return one.begin == data.begin && one.bytes == data.bytes; });
  if (found == unprotected.end()) return;
  const std::scoped_lock lock(waiting().mutex);
  waiting().unprotected[request].data.push_back(data);
  unprotected.erase(found);
}

void keep_unprotected(const Call& call) {
  call.thread().unprotected.clear();
  call.thread().all_unprotected = 0;
}

void note_overwritten(const Call& call, const Amount& data) {
  if (is_lost(data)) arrive_somewhere(call);
  if (!is_watched(data)) return;
  const std::scoped_lock lock(waiting().mutex);
  arrive(call, {.record = {}, .data = data.data, .between_two = false});
}

void note_overwritten_later(std::uint32_t request, const Amount& data) {
  if (!is_watched(data)) return;
  const std::scoped_lock lock(waiting().mutex);
  waiting().expected[request] = {.record = {}, .data = data.data, .between_two = false};
}

void note_overwritten_later(const Context& window, int target, const Amount& data) {
  if (!is_watched(data) || recorder().protects_pages()) return;
  const std::scoped_lock lock(waiting().mutex);
  waiting().until_synchronised[window.number].push_back({target, data.data});
}

void note_synchronised(const Call& call, const Context& window, int target) {
  if (recorder().watch() == nullptr || recorder().protects_pages()) return;
  const std::scoped_lock lock(waiting().mutex);
  const auto found = waiting().until_synchronised.find(window.number);
  if (found == waiting().until_synchronised.end()) return;
  std::erase_if(found->second, [&](const Waiting::Fetched& one) {
    if (target != all_targets && one.target != target) return false;
    arrive(call, {.record = {}, .data = one.data, .between_two = false});
    return true;
  });
}

void note_exposed(const Call& call, MPI_Win window) {
  if (recorder().watch() == nullptr || recorder().protects_pages()) return;
  void* base = nullptr;
  MPI_Aint* bytes = nullptr;
  int known = 0;
  PMPI_Win_get_attr(window, MPI_WIN_BASE, static_cast<void*>(&base), &known);
  if (known != 0) PMPI_Win_get_attr(window, MPI_WIN_SIZE, static_cast<void*>(&bytes), &known);
  if (known == 0 || *bytes <= 0) return;
  // Nobody knows which bytes others have put. Marking a large window would take too long.
  const auto size = static_cast<std::uint64_t>(*bytes);
  const Range whole = {reinterpret_cast<std::uintptr_t>(base), size};
  note_overwritten(call, {base, size, size <= max_exposed_bytes ? Data(whole) : Data()});
}

void note_last_consumed() {
  if (recorder().watch() == nullptr) return;
  const std::scoped_lock lock(waiting().mutex);
  for (const auto& [number, message] : waiting().arrived) {
    write_consumed(recorder().thread().stream, message);
  }
  waiting().arrived.clear();
  waiting().places.clear();
  Thread& thread = recorder().thread();
  const double ns_of_a_tick = recorder().watch()->ns_of_a_tick();
  recorder().regions.write(recorder().sites, thread.sites, thread.stream, ns_of_a_tick);
  recorder().sent_work.write(recorder().sites, thread.sites, thread.stream, ns_of_a_tick);
  recorder().accesses.write(*recorder().watch(), recorder().sites, thread.sites, thread.stream);
  recorder().watch()->unprotect_all();  // later accesses belong to no message
}

}  // namespace stretto::trace
