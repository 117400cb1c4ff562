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
  LatencyCase(const ProbeContext& context, exchange::Operation operation, std::size_t size_bytes)
      : ProbeCase(context, "latency", operation, context.transport.standing_progress(),
                  {{"size_bytes", static_cast<std::int64_t>(size_bytes)}}),
        transfers_(context, operation, Direction::one_way),
        pairing_(pairing_of(context.team.rank(), context.team.size())),
        size_bytes_(size_bytes) {}

  void calibrate(measure::Timekeeper& timekeeper) override {
    transfers_.reserve(size_bytes_, 1);
    const double once_s = timekeeper.median_time_s([this](measure::StepTimer&) { exchange(); });
    messages_ = repeats(once_s, latency_step_s, most_messages);
  }

  [[nodiscard]] std::vector<measure::Quantity> quantities() override {
    return {{.name = "T_c", .messages = messages_, .step = [this](measure::StepTimer&) {
               for (int i = 0; i < messages_; ++i) exchange();
             }}};
  }

 private:
  /// One ping-pong, or one put or get.
  void exchange() {
    exchange::Channel& transport = context_.transport;
    if (transfers_.operation() != exchange::Operation::send) {
      transfers_.expect_all(size_bytes_, 1);
      transfers_.start(size_bytes_, 0);
      transport.finish();
      return;
    }
    const exchange::Transfer message = transfers_.ping_pong_message(size_bytes_);
    if (pairing_.origin) {
      transport.start(message);
      transport.finish();
      transport.expect(message);
      transport.finish();
    } else if (pairing_.target) {
      transport.expect(message);
      transport.finish();
      transport.start(message);
      transport.finish();
    }
  }

  [[nodiscard]] std::vector<exchange::Transfer> arrivals(const std::string& /*quantity*/) const override {
    if (transfers_.operation() != exchange::Operation::send) return transfers_.arrivals(size_bytes_, 1);
    if (pairing_.peer < 0) return {};
    return {transfers_.ping_pong_message(size_bytes_)};
  }

  Flow transfers_;
  Pairing pairing_;
  std::size_t size_bytes_;
  int messages_ = 1;
};

}  // namespace

Cases latency_cases(const Settings& settings, const ProbeContext& context) {
  Cases cases;
  for (const exchange::Operation operation : operations_of(settings, context)) {
    for (const std::size_t size_bytes : sizes_or(settings, latency_sizes, 2)) {
      cases.push_back(std::make_unique<LatencyCase>(context, operation, size_bytes));
    }
  }
  return cases;
}

}  // namespace stretto::probe
