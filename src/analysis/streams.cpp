// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/streams.hpp"

namespace stretto::analysis {
namespace {

/// Messages in one direction that make a stream.
constexpr std::uint64_t min_messages = 3;
/// Share of a place's messages that follow another in the same direction. In a periodic exchange between two
/// ranks, each of which has the other on both sides, half of them do.
constexpr double often = 0.75;

}  // namespace

void StreamSites::add(const Place& place, const Streamed& messages) {
  Streamed& of = places[place];
  of.messages += messages.messages;
  of.streamed += messages.streamed;
}

std::vector<Place> StreamSites::streams() const {
  std::vector<Place> found;
  for (const auto& [place, one] : places) {
    const bool is_stream = static_cast<double>(one.streamed) >= often * static_cast<double>(one.messages);
    if (one.messages >= min_messages && is_stream) found.push_back(place);
  }
  return found;
}

void RankStreams::take(std::uint16_t site, std::int32_t peer, bool sends) {
  auto& [received, sent] = peers_[peer];
  Last& same = sends ? sent : received;
  Last& other = sends ? received : sent;
  Streamed& of = sites_[site];
  ++of.messages;
  if (same.is_known && same.site == site) ++of.streamed;
  same = {site, true};
  other.is_known = false;
}

void RankStreams::add_to(StreamSites& all, const replay::TraceReader& reader) const {
  for (const auto& [site, of] : sites_) all.add(place_of(reader, site), of);
}

}  // namespace stretto::analysis
