// SPDX-License-Identifier: BSD-3-Clause
// `latency`: ping-pongs of sends; start and completion of puts and gets; over size.
#include "probe/flow.hpp"
#include "probe/probe_case.hpp"
#include "probe/probes.hpp"

namespace stretto::probe {
namespace {

constexpr SizeRange latency_sizes{.min_bytes = 8, .max_bytes = std::size_t{8} << 20};
constexpr double latency_step_s = 100e-6;  // long enough that clock and start deadline have no visible effect
constexpr int most_messages = 1000;

class LatencyCase final : public ProbeCase {
 public:
  LatencyCase(const Bench& bench, exchange::Operation operation, std::size_t size_bytes)
      : ProbeCase(bench, "latency", operation, bench.transport.standing_progress(),
                  {{"size_bytes", static_cast<std::int64_t>(size_bytes)}}),
        there_(bench, operation, Direction::one_way),
        pairing_(pairing_of(bench.team.rank(), bench.team.size())),
        size_bytes_(size_bytes) {}

  void calibrate(measure::Timekeeper& timekeeper) override {
    there_.reserve(size_bytes_, 1);
    const double once_s = timekeeper.median_time_s([this](measure::Stage&) { exchange(); });
    messages_ = repeats(once_s, latency_step_s, most_messages);
  }

  [[nodiscard]] std::vector<measure::Quantity> quantities() override {
    return {{.name = "T_c", .messages = messages_, .step = [this](measure::Stage&) {
               for (int i = 0; i < messages_; ++i) exchange();
             }}};
  }

 private:
  /// One ping-pong, or one put or get.
  void exchange() {
    exchange::Channel& transport = bench_.transport;
    if (there_.operation() != exchange::Operation::send) {
      there_.expect_all(size_bytes_, 1);
      there_.start(size_bytes_, 0);
      transport.finish();
      return;
    }
    const exchange::Transfer ball = there_.ball(size_bytes_);
    if (pairing_.origin) {
      transport.start(ball);
      transport.finish();
      transport.expect(ball);
      transport.finish();
    } else if (pairing_.target) {
      transport.expect(ball);
      transport.finish();
      transport.start(ball);
      transport.finish();
    }
  }

  [[nodiscard]] std::vector<exchange::Transfer> arrivals(const std::string& /*quantity*/) const override {
    if (there_.operation() != exchange::Operation::send) return there_.arrivals(size_bytes_, 1);
    if (pairing_.peer < 0) return {};
    return {there_.ball(size_bytes_)};
  }

  Flow there_;
  Pairing pairing_;
  std::size_t size_bytes_;
  int messages_ = 1;
};

}  // namespace

Cases latency_cases(const Settings& settings, const Bench& bench) {
  Cases cases;
  for (const exchange::Operation operation : operations_of(settings, bench)) {
    for (const std::size_t size_bytes : sizes_or(settings, latency_sizes, 2)) {
      cases.push_back(std::make_unique<LatencyCase>(bench, operation, size_bytes));
    }
  }
  return cases;
}

}  // namespace stretto::probe
