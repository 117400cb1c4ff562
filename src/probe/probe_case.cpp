// SPDX-License-Identifier: BSD-3-Clause
#include "probe/probe_case.hpp"

#include <algorithm>
#include <cmath>

namespace stretto::probe {

int repeats(double once_s, double shortest_s, int most) {
  constexpr double clock_s = 1e-9;
  return static_cast<int>(
      std::clamp(std::ceil(shortest_s / std::max(once_s, clock_s)), 1.0, static_cast<double>(most)));
}

ProbeCase::ProbeCase(const ProbeContext& context, std::string probe, exchange::ChannelOperation operation,
                     exchange::ProgressMode progress, record::Fields axes)
    : context_(context),
      probe_(std::move(probe)),
      axes_{{"transport", std::string{context.transport.name()}},
            {"operation", std::string{to_string(operation)}},
            {"progress", std::string{to_string(progress)}}} {
  const std::string_view path = context.transport.forced_path();
  if (!path.empty()) axes_.emplace_back("path", std::string{path});
  axes_.insert(axes_.end(), axes.begin(), axes.end());
}

measure::CheckedTransfers ProbeCase::verify(const std::string& quantity, std::uint32_t seed) {
  measure::CheckedTransfers checked;
  for (const exchange::Transfer& transfer : arrivals(quantity)) {
    ++checked.transfers;
    if (!context_.transport.arrived(transfer, seed)) ++checked.wrong;
  }
  return checked;
}

}  // namespace stretto::probe
