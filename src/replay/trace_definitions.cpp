// SPDX-License-Identifier: BSD-3-Clause
#include "replay/trace_definitions.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace stretto::replay {
namespace {

std::string hexadecimal(std::string_view bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const char one : bytes) {
    const auto byte = static_cast<unsigned char>(one);
    text += digits[byte >> 4U];
    text += digits[byte & 15U];
  }
  return text;
}

template <typename Element>
std::vector<Element> elements_in(std::string_view payload) {
  std::vector<Element> all(payload.size() / sizeof(Element));
  if (!all.empty()) std::memcpy(static_cast<void*>(all.data()), payload.data(), all.size() * sizeof(Element));
  return all;
}

TracedPeerBytes peer_bytes_in(std::string_view payload, std::size_t sent) {
  const auto all = elements_in<record::PeerBytes>(payload);
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(std::min(sent, all.size()));
  return {{all.begin(), middle}, {middle, all.end()}};
}

}  // namespace

void TraceDefinitions::take(const record::Record& record, std::string_view payload) {
  switch (record.request) {
    case record::module:
      modules[record.peer] = payload;
      break;
    case record::site:
      sites[record.peer] = {module_of(record.tag), record.extra};
      break;
    case record::callers:
      callers[record.peer] = callers_in(payload);
      break;
    case record::build_id:
      build_ids[record.peer] = hexadecimal(payload);
      break;
    case record::variable:
      variables[record.peer] = {record.count, {module_of(record.tag), record.extra}};
      break;
    case record::group:
      groups[static_cast<std::uint32_t>(record.peer)] = elements_in<record::RankRun>(payload);
      break;
    case record::peer_bytes:
      peer_bytes[record.peer] = peer_bytes_in(payload, record.count);
      break;
    default:
      break;
  }
}

std::vector<TracedPlace> TraceDefinitions::callers_in(std::string_view payload) const {
  std::vector<TracedPlace> places;
  for (const auto& one : elements_in<record::Caller>(payload)) {
    const bool is_number = one.module <= std::numeric_limits<std::int32_t>::max();
    places.push_back(
        {is_number ? module_of(static_cast<std::int32_t>(one.module)) : std::string(), one.address});
  }
  return places;
}

std::string TraceDefinitions::module_of(std::int32_t number) const {
  const auto found = modules.find(number);
  return found == modules.end() ? std::string() : found->second;
}

}  // namespace stretto::replay
