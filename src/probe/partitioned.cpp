// SPDX-License-Identifier: BSD-3-Clause
// `partitioned`: the origin computes a message part by part, and sends each part as soon as it is ready. Over
// MPI-4's partitioned communication, a part is a partition; other transports send or put a message per part.
// T_w is the computation of all parts at the origin, T_c the transfer of all parts without computation.
#include <algorithm>

#include "probe/computation.hpp"
#include "probe/probe_case.hpp"
#include "probe/probes.hpp"

namespace stretto::probe {
namespace {

constexpr SizeRange partitioned_sizes{.min_bytes = std::size_t{64} << 10, .max_bytes = std::size_t{4} << 20};
constexpr std::size_t partition_factor = 8;
const std::vector<int> own_partitions = {1, 2, 4, 8, 16, 32};
constexpr measure::WorkKind partition_work = measure::WorkKind::registers;

class PartitionedCase final : public ProbeCase {
 public:
  PartitionedCase(const ProbeContext& context, exchange::ChannelOperation operation, int parts,
                  std::size_t size_bytes)
      : ProbeCase(context, "partitioned", operation, context.transport.standing_progress(),
                  {{"side", std::string{to_string(ComputingSide::origin)}},
                   {"partitions", std::int64_t{parts}},
                   {"size_bytes", static_cast<std::int64_t>(size_bytes)},
                   {"ratio", 1.0},
                   {"work_kind", std::string{measure::to_string(partition_work)}}}),
        pairing_(pairing_of(context.team.rank(), context.team.size())),
        message_{.operation = operation, .peer = pairing_.peer, .size_bytes = size_bytes},
        parts_(parts) {}

  void calibrate(measure::Timekeeper& timekeeper) override {
    context_.transport.reserve(message_.size_bytes);
    count_ = context_.rates.count_for(
        partition_work,
        timekeeper.median_time_s([this](measure::StepTimer& timer) { run(timer, true, false); }));
    set_axis("work_count", static_cast<std::int64_t>(count_));
  }

  [[nodiscard]] std::vector<measure::Quantity> quantities() override {
    return overlap_quantities(
        1, [this](measure::StepTimer& timer, bool communicate, bool work) { run(timer, communicate, work); });
  }

 private:
  void run(measure::StepTimer& timer, bool communicate, bool work) {
    exchange::Channel& transport = context_.transport;
    if (pairing_.target && communicate && transport.has_passive_side(message_.operation)) {
      timer.init([&] { transport.expect_parts(message_, parts_); });
    }
    if (pairing_.origin) {
      if (communicate) timer.init([&] { transport.start_parts(message_, parts_); });
      for (int part = 0; part < parts_; ++part) {
        if (work) timer.work([&] { context_.worker.work(partition_work, share_of(part)); });
        if (communicate) timer.init([&] { transport.ready(message_, parts_, part); });
      }
    }
    if (communicate) timer.sync([&] { transport.finish(); });
  }

  /// The iterations of computation of a part; those of all parts add up to `count_`.
  [[nodiscard]] std::uint64_t share_of(int part) const {
    const auto parts = static_cast<std::uint64_t>(parts_);
    return count_ / parts + (static_cast<std::uint64_t>(part) < count_ % parts ? 1 : 0);
  }

  [[nodiscard]] std::vector<exchange::Transfer> arrivals(const std::string& quantity) const override {
    if (quantity == "T_w" || !pairing_.target) return {};
    return {message_};
  }

  Pairing pairing_;
  exchange::Transfer message_;
  int parts_;
  std::uint64_t count_ = 1;
};

}  // namespace

Cases partitioned_cases(const Settings& settings, const ProbeContext& context) {
  Cases cases;
  const std::vector<int>& partitions = settings.partitions.empty() ? own_partitions : settings.partitions;
  for (const exchange::ChannelOperation operation : operations_of(settings, context)) {
    if (operation == exchange::ChannelOperation::get)
      continue;  // the origin of a get does not compute its data
    for (const std::size_t size_bytes : sizes_or(settings, partitioned_sizes, partition_factor)) {
      for (const int parts : partitions) {
        if (size_bytes % static_cast<std::size_t>(parts) != 0) continue;
        cases.push_back(std::make_unique<PartitionedCase>(context, operation, parts, size_bytes));
      }
    }
  }
  return cases;
}

}  // namespace stretto::probe
