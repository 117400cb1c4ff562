// SPDX-License-Identifier: BSD-3-Clause
// `bandwidth`: streaming bandwidth with windows of messages, one way and both ways, over size.
#include <algorithm>

#include "probe/flow.hpp"
#include "probe/probe_case.hpp"
#include "probe/probes.hpp"

namespace stretto::probe {
namespace {

constexpr SizeRange bandwidth_sizes{.min_bytes = 8, .max_bytes = std::size_t{8} << 20};
constexpr std::size_t largest_window = 64;
constexpr double stream_step_s = 1e-3;
constexpr int max_windows = 50;
// Messages that share one place need no memory of their own, so that their window is as long at any size.
constexpr std::size_t largest_same_bytes = std::size_t{512} << 20;

int window_of(Buffers buffers, std::size_t size_bytes) {
  const std::size_t max_size_bytes = buffers == Buffers::same ? largest_same_bytes : largest_flight_bytes;
  return static_cast<int>(std::clamp(max_size_bytes / size_bytes, std::size_t{1}, largest_window));
}

class BandwidthCase final : public ProbeCase {
 public:
  BandwidthCase(const ProbeContext& context, exchange::ChannelOperation operation, Direction direction,
                Buffers buffers, std::size_t size_bytes)
      : BandwidthCase(context, operation, direction, buffers, size_bytes, window_of(buffers, size_bytes)) {}

  void calibrate(measure::Timekeeper& timekeeper) override {
    flow_.reserve(size_bytes_, window_);
    const double once_s =
        timekeeper.median_time_s([this](measure::StepTimer&) { flow_.window(size_bytes_, window_); }, 3);
    windows_ = repeats(once_s, stream_step_s, max_windows);
  }

  [[nodiscard]] std::vector<measure::Quantity> quantities() override {
    return {
        {.name = "T_c", .messages = std::int64_t{window_} * windows_, .step = [this](measure::StepTimer&) {
           for (int i = 0; i < windows_; ++i) flow_.window(size_bytes_, window_);
         }}};
  }

 private:
  BandwidthCase(const ProbeContext& context, exchange::ChannelOperation operation, Direction direction,
                Buffers buffers, std::size_t size_bytes, int window)
      : ProbeCase(context, "bandwidth", operation, context.transport.standing_progress(),
                  {{"direction", std::string{to_string(direction)}},
                   {"size_bytes", static_cast<std::int64_t>(size_bytes)},
                   {"window", std::int64_t{window}},
                   {"buffers", std::string{to_string(buffers)}}}),
        flow_(context, operation, direction, buffers),
        size_bytes_(size_bytes),
        window_(window) {}

  [[nodiscard]] std::vector<exchange::Transfer> arrivals(const std::string& /*quantity*/) const override {
    return flow_.arrivals(size_bytes_, window_);
  }

  Flow flow_;
  std::size_t size_bytes_;
  int window_;
  int windows_ = 1;
};

}  // namespace

Cases bandwidth_cases(const Settings& settings, const ProbeContext& context) {
  Cases cases;
  for (const exchange::ChannelOperation operation : operations_of(settings, context)) {
    for (const Direction direction : settings.directions) {
      for (const Buffers buffers : buffers_or(settings, Buffers::distinct)) {
        for (const std::size_t size_bytes : sizes_or(settings, bandwidth_sizes, 4)) {
          cases.push_back(
              std::make_unique<BandwidthCase>(context, operation, direction, buffers, size_bytes));
        }
      }
    }
  }
  return cases;
}

}  // namespace stretto::probe
