// SPDX-License-Identifier: BSD-3-Clause
// A record with named members.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/call_traits.hpp"

namespace stretto::analysis {

inline constexpr double ns = 1e-9;

/// Times in seconds since the start of the trace.
struct Event {
  const CallTraits* traits = nullptr;
  std::uint16_t call = 0;
  double begin_s = 0;
  double duration_s = 0;
  std::uint16_t site = 0;
  std::uint64_t size_bytes = 0;
  std::uint16_t context = 0;
  std::int32_t peer = 0;
  std::int32_t tag = 0;
  std::uint32_t request = 0;
  std::uint32_t count = 0;
  std::uint64_t extra = 0;

  Event() = default;
  Event(const record::Record& record, const std::vector<CallTraits>& all)
      : call(record::high_field(record.begin_and_call)),
        begin_s(static_cast<double>(record::low_field(record.begin_and_call)) * ns),
        duration_s(static_cast<double>(record::low_field(record.duration_and_site)) * ns),
        site(record::high_field(record.duration_and_site)),
        size_bytes(record::low_field(record.bytes_and_context)),
        context(record::high_field(record.bytes_and_context)),
        peer(record.peer),
        tag(record.tag),
        request(record.request),
        count(record.count),
        extra(record.extra) {
    traits = &all[call];
  }

  [[nodiscard]] double end_s() const { return begin_s + duration_s; }
};

}  // namespace stretto::analysis
