// SPDX-License-Identifier: BSD-3-Clause
// `contention`: the slowdown of this rank's computation by traffic that another rank drives, per kind of
// computation. The origin streams and the target computes. T_w/T_c is below 1, so that the traffic lasts as
// long as the computation.
#include <algorithm>
#include <cmath>

#include "probe/concurrent_case.hpp"
#include "probe/probes.hpp"

namespace stretto::probe {
namespace {

constexpr SizeRange contention_sizes{.min_bytes = std::size_t{64} << 10, .max_bytes = std::size_t{1} << 20};
constexpr double shortest_traffic_s = 2e-3;
constexpr double work_share = 0.7;

class ContentionCase final : public ConcurrentCase {
 public:
  ContentionCase(const ProbeContext& context, const ConcurrentAxes& axes)
      : ConcurrentCase(context, "contention", axes),
        max_messages_(static_cast<int>(
            std::clamp(largest_flight_bytes / axes.size_bytes, std::size_t{1}, std::size_t{64}))) {}

  void calibrate(measure::Timekeeper& timekeeper) override {
    reserve(max_messages_);
    const int few = std::min(4, max_messages_);
    set_messages(few);
    const double per_message_s = std::max(median_communication_s(timekeeper) / few, 1e-9);
    const double needed = std::ceil(shortest_traffic_s / per_message_s);
    set_messages(static_cast<int>(std::clamp(needed, 1.0, static_cast<double>(max_messages_))));
    set_work(work_share * median_communication_s(timekeeper));
  }

 private:
  int max_messages_;
};

}  // namespace

Cases contention_cases(const Settings& settings, const ProbeContext& context) {
  Cases cases;
  for (const exchange::ChannelOperation operation : operations_of(settings, context)) {
    for (const measure::WorkKind kind : measure::all_work_kinds) {
      for (const std::size_t size_bytes : sizes_or(settings, contention_sizes, 16)) {
        cases.push_back(std::make_unique<ContentionCase>(
            context, ConcurrentAxes{.operation = operation,
                                    .progress = context.transport.standing_progress(),
                                    .side = ComputingSide::target,
                                    .size_bytes = size_bytes,
                                    .kind = kind}));
      }
    }
  }
  return cases;
}

}  // namespace stretto::probe
