// SPDX-License-Identifier: BSD-3-Clause
#include "replay/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace stretto::replay {

std::uint32_t Schedule::rank_of(OperationId id) const {
  const auto above = std::ranges::upper_bound(first_operation, id);
  return static_cast<std::uint32_t>(above - first_operation.begin()) - 1;
}

void ScheduleBuilder::reserve(std::size_t operations) {
  schedule_.kind.reserve(operations);
  schedule_.cpu.reserve(operations);
  schedule_.nic.reserve(operations);
  schedule_.amount.reserve(operations);
  schedule_.peer.reserve(operations);
  schedule_.tag.reserve(operations);
  schedule_.line.reserve(operations);
  schedule_.dependencies.reserve(operations);
  schedule_.first_dependent.reserve(operations + 1);
}

void check(const ScheduleOperation& operation, std::size_t operations) {
  if (operations >= max_operations - 1) {
    throw ScheduleError(fmt::format("more than {} operations: split the schedule", max_operations - 1));
  }
  if (operation.amount > largest_amount) {
    throw ScheduleError(fmt::format("{} is too large: give at most 2^53", operation.amount));
  }
}

std::uint32_t ScheduleBuilder::add(const ScheduleOperation& operation) {
  check(operation, schedule_.operations());
  const std::uint32_t number = operations_of_rank();
  schedule_.kind.push_back(operation.kind);
  schedule_.cpu.push_back(operation.cpu);
  schedule_.nic.push_back(operation.nic);
  schedule_.amount.push_back(operation.amount);
  schedule_.peer.push_back(operation.peer);
  schedule_.tag.push_back(operation.tag);
  schedule_.line.push_back(operation.line);
  schedule_.dependencies.push_back(0);
  return number;
}

void ScheduleBuilder::add_edge(std::uint32_t later, std::uint32_t earlier, std::uint32_t start) {
  assert(later < operations_of_rank() && earlier < operations_of_rank());
  if (earlier >= later) forward_ = false;
  edges_.push_back({.earlier = earlier, .later_and_start = later << 1U | start});
}

OperationId ScheduleBuilder::find_cycle() const {
  if (forward_) return no_operation;
  const std::uint32_t count = operations_of_rank();
  // Removes operations without unfinished dependencies until only cycles and operations that wait for them
  // are left. From any of these, following the dependencies leads into a cycle.
  std::vector<std::uint32_t> waits(count, 0);
  std::vector<std::uint32_t> first(count + 1, 0);
  for (const Edge& edge : edges_) {
    ++waits[edge.later_and_start >> 1U];
    ++first[edge.earlier + 1];
  }
  for (std::uint32_t i = 0; i < count; ++i) first[i + 1] += first[i];
  std::vector<std::uint32_t> later(edges_.size());
  std::vector<std::uint32_t> cursor(first.begin(), first.end() - 1);
  for (const Edge& edge : edges_) later[cursor[edge.earlier]++] = edge.later_and_start >> 1U;
  std::vector<std::uint32_t> free;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (waits[i] == 0) free.push_back(i);
  }
  for (std::size_t next = 0; next < free.size(); ++next) {
    for (std::uint32_t at = first[free[next]]; at < first[free[next] + 1]; ++at) {
      if (--waits[later[at]] == 0) free.push_back(later[at]);
    }
  }
  if (free.size() == count) return no_operation;
  std::vector<std::uint32_t> waits_for(count, no_operation);
  for (const Edge& edge : edges_) {
    if (waits[edge.earlier] > 0) waits_for[edge.later_and_start >> 1U] = edge.earlier;
  }
  auto at = static_cast<std::uint32_t>(
      std::ranges::find_if(waits, [](std::uint32_t left) { return left > 0; }) - waits.begin());
  for (std::uint32_t step = 0; step < count; ++step) at = waits_for[at];
  return schedule_.first_operation.back() + at;
}

void ScheduleBuilder::end_rank() {
  if (schedule_.ranks() >= max_ranks) {
    throw ScheduleError(fmt::format("more than {} ranks", max_ranks));
  }
  if (schedule_.dependents.size() + edges_.size() > 0xFFFFFFFF) {
    throw ScheduleError("more than 2^32 dependencies: split the schedule");
  }
  if (find_cycle() != no_operation) {
    throw ScheduleError(fmt::format("the dependencies of rank {} form a cycle", schedule_.ranks()));
  }
  const OperationId begin = schedule_.first_operation.back();
  const OperationId end = schedule_.operations();
  // Counting sort by the earlier operation; it is stable.
  SpillableColumn<std::uint32_t>& first = schedule_.first_dependent;
  first.resize(end + std::size_t{1}, 0);
  for (const Edge& edge : edges_) ++first[begin + edge.earlier + 1];
  for (OperationId id = begin; id < end; ++id) first[id + 1] += first[id];
  schedule_.dependents.resize(schedule_.dependents.size() + edges_.size());
  SpillableColumn<std::uint32_t> cursor(first.begin() + begin, first.begin() + end);
  for (const Edge& edge : edges_) {
    schedule_.dependents[cursor[edge.earlier]++] = edge.later_and_start + (begin << 1U);
    ++schedule_.dependencies[begin + (edge.later_and_start >> 1U)];
  }
  edges_.clear();
  forward_ = true;
  schedule_.first_operation.push_back(end);
}

Schedule ScheduleBuilder::finish() {
  if (schedule_.ranks() == 0) throw ScheduleError("the schedule has no ranks");
  for (OperationId id = 0; id < schedule_.operations(); ++id) {
    if (schedule_.kind[id] == OperationKind::calculate) continue;
    const bool wild = schedule_.kind[id] == OperationKind::receive && schedule_.peer[id] == any;
    if (!wild && schedule_.peer[id] >= schedule_.ranks()) {
      throw ScheduleError(fmt::format("rank {}: '{}' names a rank that the schedule does not have",
                                      schedule_.rank_of(id), goal_text(schedule_.operation(id))));
    }
  }
  Schedule done = std::move(schedule_);
  schedule_ = {};
  return done;
}

std::string goal_text(const ScheduleOperation& operation) {
  const auto number = [](std::uint32_t value) { return value == any ? "-1" : std::to_string(value); };
  std::string text;
  if (operation.kind == OperationKind::calculate) {
    text = fmt::format("calc {}", operation.amount);
  } else {
    const bool send = operation.kind == OperationKind::send;
    text = fmt::format("{} {}b {} {} tag {}", send ? "send" : "recv", operation.amount, send ? "to" : "from",
                       number(operation.peer), number(operation.tag));
  }
  if (operation.cpu != 0) text += fmt::format(" cpu {}", cpu_in_file(operation.cpu));
  if (operation.nic != 0 && operation.kind != OperationKind::calculate) {
    text += fmt::format(" nic {}", operation.nic);
  }
  return text;
}

}  // namespace stretto::replay
