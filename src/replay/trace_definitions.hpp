// SPDX-License-Identifier: BSD-3-Clause
// What the records of a rank's trace refer to by number, besides communicators: files, call sites, variables.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "record/trace_format.hpp"

namespace stretto::replay {

/// A return address or the address of a variable, relative to its program or library file.
struct TracedPlace {
  std::string module;
  std::uint64_t address = 0;

  auto operator<=>(const TracedPlace&) const = default;
};

struct TracedVariable {
  std::uint32_t known = 0;  ///< record::Known
  TracedPlace place;
};

/// The bytes that a collective with counts exchanges with ranks of its communicator; with the others, none.
struct TracedPeerBytes {
  std::vector<record::PeerBytes> sent;
  std::vector<record::PeerBytes> received;
};

struct TraceDefinitions {
  std::map<std::int32_t, std::string> modules;
  std::map<std::int32_t, std::string> build_ids;  ///< of modules that have one, in hexadecimal digits
  std::map<std::int32_t, TracedPlace> sites;
  std::map<std::int32_t, std::vector<TracedPlace>> callers;  ///< of a site's first call, the nearest first
  std::map<std::int32_t, TracedVariable> variables;
  std::map<std::int64_t, TracedPeerBytes> peer_bytes;
  std::map<std::uint64_t, std::vector<record::RankRun>> groups;

  /// Stores the definition, unless it is of another kind.
  void take(const record::Record& record, std::string_view payload);

 private:
  [[nodiscard]] std::string module_of(std::int32_t number) const;
  [[nodiscard]] std::vector<TracedPlace> callers_in(std::string_view payload) const;
};

}  // namespace stretto::replay
