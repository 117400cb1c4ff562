// SPDX-License-Identifier: BSD-3-Clause
// `loggp`: the measurements from which L, o_s, o_r, g and G follow in two ways. The first are spaced
// trains, PRTT(n, d, s) (Hoefler, Lichei, Rehm: Low-overhead LogGP parameter assessment, 2007). The second
// is Nishtala's (section 7.5): o and g from the initiation of pencils with and without computation, G from
// streams. docs/formats.md defines the quantities; nothing is fitted here.
#include <algorithm>
#include <cmath>

#include "probe/computation.hpp"
#include "probe/flow.hpp"
#include "probe/probe_case.hpp"
#include "probe/probes.hpp"

namespace stretto::probe {
namespace {

using exchange::ChannelOperation;
using exchange::Transfer;
using measure::StepTimer;

constexpr SizeRange loggp_sizes{.min_bytes = 8, .max_bytes = std::size_t{1} << 20};
constexpr int shortest_train = 4;
constexpr int longest_train = 16;
constexpr double longest_train_s = 0.03;
constexpr measure::WorkKind kind = measure::WorkKind::registers;

class LogGpCase final : public ProbeCase {
 public:
  LogGpCase(const ProbeContext& context, ChannelOperation operation, std::size_t size_bytes)
      : ProbeCase(context, "loggp", operation, context.transport.standing_progress(),
                  {{"size_bytes", static_cast<std::int64_t>(size_bytes)}}),
        one_way_(context, operation, Direction::one_way),
        both_ways_(context, operation, Direction::both_ways),
        operation_(operation),
        size_bytes_(size_bytes) {}

  void calibrate(measure::Timekeeper& timekeeper) override {
    one_way_.reserve(size_bytes_, std::max(longest_train, context_.team.size()));
    const double once_s =
        std::max(timekeeper.median_time_s([this](StepTimer& timer) { train(timer, 1, 0); }), 1e-9);
    messages_ =
        static_cast<int>(std::clamp(longest_train_s / once_s, double{shortest_train}, double{longest_train}));
    // The spacing exceeds the time of a message by a margin, because a train with barely enough spacing
    // would include the gap.
    spacing_ = context_.rates.count_for(kind, 1.25 * once_s);
  }

  [[nodiscard]] std::vector<measure::Quantity> quantities() override {
    std::vector<measure::Quantity> all{
        {.name = "prtt_1", .messages = 1, .step = [this](StepTimer& timer) { train(timer, 1, 0); }},
        {.name = "prtt_n",
         .messages = messages_,
         .step = [this](StepTimer& timer) { train(timer, messages_, 0); }},
        {.name = "prtt_n_spaced",
         .messages = messages_,
         .step = [this](StepTimer& timer) { train(timer, messages_, spacing_); }},
        {.name = "pencils", .messages = messages_, .step = [this](StepTimer& timer) { pencils(timer, 0); }},
        {.name = "pencils_work",
         .messages = messages_,
         .step = [this](StepTimer& timer) { pencils(timer, spacing_); }},
        {.name = "flood_both", .messages = messages_, .step = [this](StepTimer&) { stream_both(); }},
        {.name = "gather_all", .messages = 1, .step = [this](StepTimer&) { gather_all(); }}};
    if (operation_ == ChannelOperation::send) {
      all.push_back(
          {.name = "receive_late", .messages = 1, .step = [this](StepTimer& timer) { receive_late(timer); }});
    }
    return all;
  }

 private:
  /// Starts `messages` with `spacing` counts of computation before each but the first, then waits for the
  /// answer.
  void train(StepTimer& timer, int messages, std::uint64_t spacing) {
    one_way_.expect_answer();
    one_way_.expect_all(size_bytes_, messages);
    for (int index = 0; index < messages; ++index) {
      if (index > 0 && spacing > 0 && one_way_.active())
        timer.work([&] { context_.worker.work(kind, spacing); });
      one_way_.start(size_bytes_, index);
    }
    context_.transport.finish();
    one_way_.answer();
  }

  /// Algorithm 5 between two ranks, with the initiation in laps of its own. Without computation one lap
  /// holds all starts, so that reading the clock does not space them.
  void pencils(StepTimer& timer, std::uint64_t spacing) {
    one_way_.expect_all(size_bytes_, messages_);
    if (spacing == 0) {
      timer.init([this] { one_way_.start_all(size_bytes_, messages_); });
    } else {
      for (int index = 0; one_way_.active() && index < messages_; ++index) {
        timer.work([&] { context_.worker.work(kind, spacing); });
        timer.init([&] { one_way_.start(size_bytes_, index); });
      }
    }
    timer.sync([this] { context_.transport.finish(); });
  }

  void receive_late(StepTimer& timer) {
    one_way_.expect_all(size_bytes_, 1);
    one_way_.start_all(size_bytes_, 1);
    if (one_way_.passive()) {
      timer.work([this] { context_.worker.work(kind, 2 * spacing_); });
      timer.sync([this] { context_.transport.finish(); });
    } else {
      context_.transport.finish();
    }
  }

  void stream_both() {
    both_ways_.expect_all(size_bytes_, messages_);
    both_ways_.start_all(size_bytes_, messages_);
    context_.transport.finish();
  }

  /// A transfer of an exchange between all ranks at once. Ranks a and b use offset (a + b) mod P, which is
  /// distinct for all partners of a rank.
  [[nodiscard]] Transfer gathered(int peer) const {
    const int place = (context_.team.rank() + peer) % context_.team.size();
    return {.operation = operation_,
            .peer = peer,
            .size_bytes = size_bytes_,
            .offset_bytes = static_cast<std::size_t>(place) * size_bytes_};
  }

  void gather_all() {
    const int ranks = context_.team.size();
    for (int step = 1; step < ranks && context_.transport.has_passive_side(operation_); ++step) {
      context_.transport.expect(gathered((context_.team.rank() + ranks - step) % ranks));
    }
    for (int step = 1; step < ranks; ++step)
      context_.transport.start(gathered((context_.team.rank() + step) % ranks));
    context_.transport.finish();
  }

  [[nodiscard]] std::vector<Transfer> arrivals(const std::string& quantity) const override {
    if (quantity == "gather_all") {
      std::vector<Transfer> all;
      for (int peer = 0; peer < context_.team.size(); ++peer) {
        if (peer != context_.team.rank()) all.push_back(gathered(peer));
      }
      return all;
    }
    if (quantity == "flood_both") return both_ways_.arrivals(size_bytes_, messages_);
    const bool single = quantity == "prtt_1" || quantity == "receive_late";
    return one_way_.arrivals(size_bytes_, single ? 1 : messages_);
  }

  Flow one_way_;
  Flow both_ways_;
  ChannelOperation operation_;
  std::size_t size_bytes_;
  int messages_ = shortest_train;
  std::uint64_t spacing_ = 1;
};

}  // namespace

Cases loggp_cases(const Settings& settings, const ProbeContext& context) {
  Cases cases;
  const std::vector<std::size_t> sizes = sizes_or(settings, loggp_sizes, 2);
  for (const ChannelOperation operation : operations_of(settings, context)) {
    for (const std::size_t size_bytes : sizes) {
      cases.push_back(std::make_unique<LogGpCase>(context, operation, size_bytes));
    }
    if (operation == ChannelOperation::send) cases.push_back(eager_limit_case(context, sizes.back()));
  }
  return cases;
}

}  // namespace stretto::probe
