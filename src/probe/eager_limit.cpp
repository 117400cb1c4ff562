// SPDX-License-Identifier: BSD-3-Clause
// The eager limit, a part of probe `loggp`: up to which size a send completes although its receive is not
// posted. The receiver computes before it posts the receive; a send that lasts about as long has waited.
// The limit is found by bisection, and both sides of it are then timed like everything else.
#include <algorithm>
#include <cstdint>

#include "probe/flow.hpp"
#include "probe/probe_case.hpp"
#include "probe/probes.hpp"

namespace stretto::probe {
namespace {

using measure::StepTimer;

constexpr double shortest_work_s = 50e-6;  // long against the scheduling of a rank
constexpr double work_margin = 4;          // the receiver computes so many times as long as the message takes
constexpr double waited = 0.5;             // of the receiver's computation
constexpr int repeats_of_a_size = 3;
constexpr measure::WorkKind work_kind = measure::WorkKind::registers;

class EagerLimitCase final : public ProbeCase {
 public:
  EagerLimitCase(const ProbeContext& context, std::size_t largest_bytes)
      : ProbeCase(context, "loggp", exchange::ChannelOperation::send, context.transport.standing_progress(),
                  {}),
        flow_(context, exchange::ChannelOperation::send, Direction::one_way),
        largest_bytes_(largest_bytes) {}

  void calibrate(measure::Timekeeper& timekeeper) override {
    flow_.reserve(largest_bytes_, 1);
    std::size_t waits = 1;
    while (!has_to_wait(timekeeper, waits)) {
      eager_bytes_ = waits;
      if (waits == largest_bytes_) break;
      waits = std::min(2 * waits, largest_bytes_);
    }
    ends_ = waits > eager_bytes_;
    while (waits > eager_bytes_ + 1) {
      const std::size_t middle = eager_bytes_ + (waits - eager_bytes_) / 2;
      (has_to_wait(timekeeper, middle) ? waits : eager_bytes_) = middle;
    }
    set_work(timekeeper, waits);
    set_axis("size_bytes", static_cast<std::int64_t>(eager_bytes_));
  }

  [[nodiscard]] std::vector<measure::Quantity> quantities() override {
    std::vector<measure::Quantity> all{
        {.name = "unexpected_eager", .messages = 1, .step = [this](StepTimer& timer) {
           send_unexpected(timer, eager_bytes_);
         }}};
    if (ends_) {
      all.push_back({.name = "unexpected_rendezvous", .messages = 1, .step = [this](StepTimer& timer) {
                       send_unexpected(timer, eager_bytes_ + 1);
                     }});
    }
    return all;
  }

 private:
  void send_unexpected(StepTimer& timer, std::size_t size_bytes) {
    if (flow_.active()) {
      timer.sync([&] {
        flow_.start_all(size_bytes, 1);
        context_.transport.finish();
      });
    } else if (flow_.passive()) {
      timer.work([this] { context_.worker.work(work_kind, work_); });
      flow_.expect_all(size_bytes, 1);
      context_.transport.finish();
    }
  }

  /// Chooses the receiver's computation for messages of this size.
  void set_work(measure::Timekeeper& timekeeper, std::size_t size_bytes) {
    work_ = 0;
    const double once_s = timekeeper.shortest_time_s(
        [&](StepTimer& timer) { send_unexpected(timer, size_bytes); }, repeats_of_a_size);
    work_ = context_.rates.count_for(work_kind, std::max(work_margin * once_s, shortest_work_s));
  }

  /// Whether most sends of this size wait for their receive. The same on all ranks.
  [[nodiscard]] bool has_to_wait(measure::Timekeeper& timekeeper, std::size_t size_bytes) {
    set_work(timekeeper, size_bytes);
    int waits = 0;
    for (int i = 0; i < repeats_of_a_size; ++i) {
      const auto measured = timekeeper.time([&](StepTimer& timer) { send_unexpected(timer, size_bytes); });
      if (measured && measured->largest.sync_s >= waited * measured->largest.work_s) ++waits;
    }
    bool most = 2 * waits > repeats_of_a_size;  // the segments are complete at rank 0
    context_.team.share(most);
    return most;
  }

  [[nodiscard]] std::vector<exchange::Transfer> arrivals(const std::string& quantity) const override {
    return flow_.arrivals(eager_bytes_ + (quantity == "unexpected_eager" ? 0 : 1), 1);
  }

  Flow flow_;
  std::size_t largest_bytes_;
  std::size_t eager_bytes_ = 0;
  std::uint64_t work_ = 0;
  bool ends_ = false;
};

}  // namespace

std::unique_ptr<measure::Experiment> eager_limit_case(const ProbeContext& context,
                                                      std::size_t largest_bytes) {
  return std::make_unique<EagerLimitCase>(context, largest_bytes);
}

}  // namespace stretto::probe
