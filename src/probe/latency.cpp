// SPDX-License-Identifier: BSD-3-Clause
// `latency`: ping-pongs of sends; start and completion of puts and gets; over size.
#include <algorithm>

#include "probe/flow.hpp"
#include "probe/probe_case.hpp"
#include "probe/probes.hpp"

namespace stretto::probe {
namespace {

constexpr SizeRange latency_sizes{.min_bytes = 8, .max_bytes = std::size_t{8} << 20};
constexpr double latency_step_s = 100e-6;  // long enough that clock and start deadline have no visible effect
constexpr int max_messages = 1000;
constexpr std::size_t max_places = 64;

int places_of(Buffers buffers, std::size_t size_bytes) {
  if (buffers == Buffers::same) return 1;
  return static_cast<int>(std::clamp(largest_flight_bytes / size_bytes, std::size_t{1}, max_places));
}

class LatencyCase final : public ProbeCase {
 public:
  LatencyCase(const ProbeContext& context, exchange::ChannelOperation operation, Buffers buffers,
              std::size_t size_bytes)
      : ProbeCase(context, "latency", operation, context.transport.standing_progress(),
                  {{"size_bytes", static_cast<std::int64_t>(size_bytes)},
                   {"buffers", std::string{to_string(buffers)}}}),
        transfers_(context, operation, Direction::one_way, buffers),
        places_(places_of(buffers, size_bytes)),
        size_bytes_(size_bytes) {}

  void calibrate(measure::Timekeeper& timekeeper) override {
    transfers_.reserve(size_bytes_, places_);
    const double once_s =
        timekeeper.median_time_s([this](measure::StepTimer&) { transfers_.ping_pong(size_bytes_, 0); });
    messages_ = repeats(once_s, latency_step_s, max_messages);
  }

  [[nodiscard]] std::vector<measure::Quantity> quantities() override {
    return {{.name = "T_c", .messages = messages_, .step = [this](measure::StepTimer&) {
               for (int i = 0; i < messages_; ++i) transfers_.ping_pong(size_bytes_, i % places_);
             }}};
  }

 private:
  [[nodiscard]] std::vector<exchange::Transfer> arrivals(const std::string& /*quantity*/) const override {
    return transfers_.ping_pong_arrivals(size_bytes_, std::min(messages_, places_));
  }

  Flow transfers_;
  int places_;
  std::size_t size_bytes_;
  int messages_ = 1;
};

}  // namespace

Cases latency_cases(const Settings& settings, const ProbeContext& context) {
  Cases cases;
  for (const exchange::ChannelOperation operation : operations_of(settings, context)) {
    for (const Buffers buffers : buffers_or(settings, Buffers::same)) {
      for (const std::size_t size_bytes : sizes_or(settings, latency_sizes, 2)) {
        cases.push_back(std::make_unique<LatencyCase>(context, operation, buffers, size_bytes));
      }
    }
  }
  return cases;
}

}  // namespace stretto::probe
