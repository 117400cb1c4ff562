// SPDX-License-Identifier: BSD-3-Clause
#include "replay/event_list.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <stdexcept>
#include <string>
#include <utility>

namespace stretto::replay {

Level level_named(std::string_view name) {
  if (name == "traced") return Level::traced;
  if (name == "independent") return Level::independent;
  if (name == "consumer") return Level::consumer;
  if (name == "producer-consumer") return Level::producer_consumer;
  throw std::invalid_argument("--level " + std::string(name) +
                              ": choose from traced, independent, consumer, producer-consumer");
}

void ComputedTime::called(std::uint64_t begin_ns, std::uint64_t end_ns) {
  std::uint64_t computed_ns = 0;
  if (!calls_.empty()) {
    const Call& last = calls_.back();
    computed_ns = last.computed_ns + (begin_ns > last.end_ns ? begin_ns - last.end_ns : 0);
    end_ns = std::max(end_ns, last.end_ns);
  }
  calls_.push_back({begin_ns, end_ns, computed_ns});
}

std::uint64_t ComputedTime::until(std::uint64_t ns) const {
  const auto later = std::ranges::upper_bound(calls_, ns, {}, &Call::begin_ns);
  if (later == calls_.begin()) return 0;
  const Call& call = *std::prev(later);
  return call.computed_ns + (ns > call.end_ns ? ns - call.end_ns : 0);
}

void EventList::issue(std::uint32_t thread, std::uint64_t number, std::uint32_t part,
                      const ScheduleOperation& operation, std::uint64_t call_ns) {
  std::uint64_t ns = call_ns;
  const PartTimes* known = operation.kind == OperationKind::send ? times_.produced(number) : nullptr;
  if (known != nullptr) {
    ns = std::min(ns, level_ == Level::producer_consumer ? known->of(part) : known->last());
  }
  if (operation.kind == OperationKind::send) {
    // Data that one loop produces for several messages is ready in an order that says nothing. Where it is
    // ready at nearly the same time, the messages leave in the order of the program.
    std::uint64_t& before_ns = sent_[{thread, part}];
    const std::uint64_t nearly_ns = std::max(min_difference_ns, (call_ns - ns) / 8);
    if (before_ns > ns && before_ns - ns <= nearly_ns) ns = std::min(before_ns, call_ns);
    before_ns = ns;
  }
  std::uint64_t& last_ns = channels_[{operation.kind, operation.peer, operation.tag}];
  last_ns = std::max(last_ns, ns);
  add({last_ns, thread, ListedEvent::What::issue, part, number, operation});
}

void EventList::await(std::uint32_t thread, std::uint64_t number, bool sends, std::uint64_t call_ns) {
  const PartTimes* known = sends ? nullptr : times_.consumed(number);
  const ScheduleOperation kind = {.kind = sends ? OperationKind::send : OperationKind::receive};
  for (std::uint32_t part = 0; part < parts(); ++part) {
    std::uint64_t ns = call_ns;
    if (known != nullptr) ns = std::max(ns, parts() > 1 ? known->of(part) : known->first());
    add({ns, thread, ListedEvent::What::await, part, number, kind});
  }
}

std::uint64_t EventList::needed_ns(std::uint64_t number, std::uint64_t call_ns) const {
  const PartTimes* known = times_.consumed(number);
  return known == nullptr ? call_ns : std::max(call_ns, known->first());
}

void EventList::add(const ListedEvent& item) {
  if (runs_.empty() || runs_.back().size() == run_items) {
    if (!runs_.empty()) sort(runs_.back());
    runs_.emplace_back();  // no memory is reserved, because most ranks have few events
  }
  runs_.back().push_back(item);
}

void EventList::sort(Run& run) { std::ranges::stable_sort(run, {}, &ListedEvent::ns); }

void EventList::for_each_in_order(const std::function<void(const ListedEvent&)>& use) {
  std::vector<Run> runs = std::exchange(runs_, {});
  if (!runs.empty()) sort(runs.back());
  // The next event of each run: the earliest on top; of simultaneous events that of the earliest run.
  using Next = std::pair<std::uint64_t, std::size_t>;
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
  std::vector<std::size_t> taken(runs.size(), 0);
  for (std::size_t run = 0; run < runs.size(); ++run) next.emplace(runs[run].front().ns, run);
  while (!next.empty()) {
    const std::size_t run = next.top().second;
    next.pop();
    use(runs[run][taken[run]]);
    if (++taken[run] < runs[run].size()) {
      next.emplace(runs[run][taken[run]].ns, run);
    } else {
      runs[run] = Run();
    }
  }
}

}  // namespace stretto::replay
