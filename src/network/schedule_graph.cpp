// SPDX-License-Identifier: BSD-3-Clause
#include "network/schedule_graph.hpp"

#include <algorithm>

namespace stretto::network {

std::string_view name_of(TransferOperation operation) {
  switch (operation) {
    case TransferOperation::get:
      return "get";
    case TransferOperation::send:
      return "send";
    case TransferOperation::put:
      break;
  }
  return "put";
}

std::uint8_t ScheduleGraph::segment(std::string_view name) {
  const auto found = std::ranges::find(segments, name);
  const auto number = static_cast<std::uint8_t>(found - segments.begin());
  if (found == segments.end()) segments.emplace_back(name);
  return number;
}

void ScheduleGraph::compute(double share, std::uint8_t segment) {
  steps.push_back({.kind = GraphStep::Kind::compute, .segment = segment, .parts = share});
}

std::uint32_t ScheduleGraph::start(std::uint32_t hop, std::uint64_t size_bytes, TransferOperation operation,
                                   std::uint8_t segment) {
  steps.push_back({.kind = GraphStep::Kind::start,
                   .operation = operation,
                   .segment = segment,
                   .message = messages,
                   .hop = hop,
                   .size_bytes = size_bytes});
  return messages++;
}

void ScheduleGraph::finish(std::uint32_t message) {
  steps.push_back({.kind = GraphStep::Kind::finish, .message = message});
}

void ScheduleGraph::await(std::uint32_t message) {
  steps.push_back({.kind = GraphStep::Kind::await, .message = message});
}

std::uint64_t ScheduleGraph::largest_bytes() const {
  std::uint64_t largest = 0;
  for (const GraphStep& step : steps) largest = std::max(largest, step.size_bytes);
  return largest;
}

const GraphStep* ScheduleGraph::first_start() const {
  const auto found = std::ranges::find(steps, GraphStep::Kind::start, &GraphStep::kind);
  return found == steps.end() ? nullptr : &*found;
}

}  // namespace stretto::network
