// SPDX-License-Identifier: BSD-3-Clause
// `pairs`: several pairs of ranks at once. Windows of messages and ping-pongs, over size and the number of
// pairs that take part. Between nodes the pairs share the network, on a node its memory.
#include <algorithm>

#include "probe/flow.hpp"
#include "probe/probe_case.hpp"
#include "probe/probes.hpp"

namespace stretto::probe {
namespace {

constexpr SizeRange pair_sizes{.min_bytes = 8, .max_bytes = std::size_t{4} << 20};
constexpr std::size_t pair_factor = 8;
constexpr std::size_t largest_pair_window = 64;
constexpr double shortest_pair_step_s = 1e-3;
constexpr int max_pair_windows = 50;
constexpr int max_ping_pongs = 1000;

class PairsCase final : public ProbeCase {
 public:
  PairsCase(const ProbeContext& context, exchange::ChannelOperation operation, int pairs,
            std::size_t size_bytes)
      : ProbeCase(context, "pairs", operation, context.transport.standing_progress(),
                  {{"pairs", std::int64_t{pairs}}, {"size_bytes", static_cast<std::int64_t>(size_bytes)}}),
        flow_(context, operation, Direction::one_way, Buffers::distinct, pairs),
        size_bytes_(size_bytes),
        window_(static_cast<int>(
            std::clamp(largest_flight_bytes / size_bytes, std::size_t{1}, largest_pair_window))) {}

  void calibrate(measure::Timekeeper& timekeeper) override {
    flow_.reserve(size_bytes_, window_);
    windows_ = repeats(
        timekeeper.median_time_s([this](measure::StepTimer&) { flow_.window(size_bytes_, window_); }, 3),
        shortest_pair_step_s, max_pair_windows);
    ping_pongs_ =
        repeats(timekeeper.median_time_s([this](measure::StepTimer&) { flow_.ping_pong(size_bytes_, 0); }),
                shortest_pair_step_s, max_ping_pongs);
  }

  [[nodiscard]] std::vector<measure::Quantity> quantities() override {
    return {{.name = "stream",
             .messages = std::int64_t{window_} * windows_,
             .step =
                 [this](measure::StepTimer&) {
                   for (int i = 0; i < windows_; ++i) flow_.window(size_bytes_, window_);
                 }},
            {.name = "ping_pong", .messages = ping_pongs_, .step = [this](measure::StepTimer&) {
               for (int i = 0; i < ping_pongs_; ++i) flow_.ping_pong(size_bytes_, 0);
             }}};
  }

 private:
  [[nodiscard]] std::vector<exchange::Transfer> arrivals(const std::string& quantity) const override {
    if (quantity == "stream") return flow_.arrivals(size_bytes_, window_);
    return flow_.ping_pong_arrivals(size_bytes_, 1);
  }

  Flow flow_;
  std::size_t size_bytes_;
  int window_;
  int windows_ = 1;
  int ping_pongs_ = 1;
};

/// The requested numbers of pairs that exist; by default powers of two, and all.
std::vector<int> pairs_of(const Settings& settings, int ranks) {
  const int all = ranks / 2;
  std::vector<int> pairs;
  if (settings.pairs.empty()) {
    for (int count = 1; count < all; count *= 2) pairs.push_back(count);
    pairs.push_back(all);
    return pairs;
  }
  std::ranges::copy_if(settings.pairs, std::back_inserter(pairs),
                       [all](int count) { return count >= 1 && count <= all; });
  return pairs;
}

}  // namespace

Cases pairs_cases(const Settings& settings, const ProbeContext& context) {
  Cases cases;
  for (const exchange::ChannelOperation operation : operations_of(settings, context)) {
    for (const int pairs : pairs_of(settings, context.team.size())) {
      for (const std::size_t size_bytes : sizes_or(settings, pair_sizes, pair_factor)) {
        cases.push_back(std::make_unique<PairsCase>(context, operation, pairs, size_bytes));
      }
    }
  }
  return cases;
}

}  // namespace stretto::probe
