// SPDX-License-Identifier: BSD-3-Clause
#include "probe/nonblocking_case.hpp"

#include <algorithm>
#include <utility>

#include "probe/computation.hpp"

namespace stretto::probe {
namespace {

using exchange::ProgressMode;

constexpr SizeRange nonblocking_sizes{.min_bytes = std::size_t{1} << 10, .max_bytes = std::size_t{4} << 20};
constexpr std::size_t nonblocking_factor = 8;
/// The overlap in equal parts is what benchmarks report; other ratios are measured on request.
constexpr double usual_ratio = 1;

/// The bytes of the largest buffer of a rank.
std::size_t largest_buffer_bytes(const NonblockingCall& call) {
  const auto p = static_cast<std::size_t>(call.members);
  switch (call.operation) {
    case NonblockingOperation::broadcast:
    case NonblockingOperation::reduce:
    case NonblockingOperation::allreduce:
      return call.size_bytes;
    case NonblockingOperation::neighbor_alltoall:
    case NonblockingOperation::neighbor_sends:
      return 4 * call.size_bytes;
    default:
      return p * call.size_bytes;
  }
}

class NonblockingCase final : public measure::Experiment {
 public:
  NonblockingCase(const ProbeContext& context, std::string probe, const NonblockingCall& call,
                  ProgressMode progress, double ratio, bool checked)
      : context_(context),
        collectives_(*context.nonblocking),
        probe_(std::move(probe)),
        call_(call),
        ratio_(ratio),
        checked_(checked),
        computation_{.progress = progress},
        axes_{{"operation", std::string{to_string(call.operation)}},
              {"progress", std::string{to_string(progress)}},
              {"members", std::int64_t{call.members}},
              {"size_bytes", static_cast<std::int64_t>(call.size_bytes)},
              {"ratio", ratio},
              {"work_kind", std::string{measure::to_string(computation_.kind)}}} {
    if (call.operation >= NonblockingOperation::neighbor_alltoall) {
      axes_.emplace_back("grid", to_string(NeighbourGrid::of(call.members)));
    }
  }

  [[nodiscard]] std::string probe() const override { return probe_; }
  [[nodiscard]] record::Fields axes() const override { return axes_; }

  void calibrate(measure::Timekeeper& timekeeper) override {
    collectives_.prepare(call_, checked_);
    const double alone_s =
        timekeeper.median_time_s([this](measure::StepTimer& timer) { run(timer, true, false); });
    computation_.count = context_.rates.count_for(computation_.kind, ratio_ * alone_s);
    axes_.emplace_back("work_count", static_cast<std::int64_t>(computation_.count));
  }

  [[nodiscard]] std::vector<measure::Quantity> quantities() override {
    return overlap_quantities(
        1, [this](measure::StepTimer& timer, bool communicate, bool work) { run(timer, communicate, work); });
  }

  void fill(std::uint32_t seed) override { collectives_.fill(seed); }

  [[nodiscard]] measure::CheckedTransfers verify(const std::string& quantity, std::uint32_t seed) override {
    if (quantity == "T_w") return {};
    return collectives_.verify(seed);
  }

 private:
  void run(measure::StepTimer& timer, bool communicate, bool work) {
    if (communicate) timer.init([this] { collectives_.start(); });
    if (work && context_.team.rank() < call_.members) {
      run_computation(context_.worker, computation_, timer, [&] {
        if (communicate) collectives_.poll();
      });
    }
    if (communicate) timer.sync([this] { collectives_.finish(); });
  }

  const ProbeContext& context_;
  NonblockingCollectives& collectives_;
  std::string probe_;
  NonblockingCall call_;
  double ratio_;
  bool checked_;
  Computation computation_;
  record::Fields axes_;
};

}  // namespace

NonblockingSweep nbc_sweep(const Settings& settings, int ranks) {
  NonblockingSweep sweep{.probe = "nbc"};
  for (const collective::Operation operation : settings.collective.operations) {
    sweep.operations.push_back(static_cast<NonblockingOperation>(operation));
  }
  if (sweep.operations.empty()) {
    sweep.operations = {NonblockingOperation::broadcast, NonblockingOperation::allreduce,
                        NonblockingOperation::alltoall, NonblockingOperation::allgather,
                        NonblockingOperation::reduce_scatter};
  }
  std::ranges::copy_if(settings.collective.members, std::back_inserter(sweep.members),
                       [ranks](int members) { return members >= 2 && members <= ranks; });
  if (settings.collective.members.empty()) sweep.members = {ranks};
  return sweep;
}

NonblockingSweep neighbourhood_sweep(int ranks) {
  return {.probe = "neighbourhood",
          .operations = {NonblockingOperation::neighbor_alltoall, NonblockingOperation::neighbor_sends},
          .members = {ranks}};
}

Cases nonblocking_cases(const NonblockingSweep& sweep, const Settings& settings,
                        const ProbeContext& context) {
  Cases cases;
  if (context.nonblocking == nullptr) return cases;
  const bool own_ratios = settings.ratios == Settings{}.ratios;
  const std::vector<double> ratios = own_ratios ? std::vector{usual_ratio} : settings.ratios;
  for (const NonblockingOperation operation : sweep.operations) {
    if (!context.nonblocking->absence(operation).empty()) continue;
    for (const int members : sweep.members) {
      for (const ProgressMode progress : settings.progress) {
        if (progress == ProgressMode::thread) continue;  // only a transport has one
        for (const double ratio : ratios) {
          for (const std::size_t size_bytes : sizes_or(settings, nonblocking_sizes, nonblocking_factor)) {
            const NonblockingCall call{.operation = operation, .members = members, .size_bytes = size_bytes};
            if (largest_buffer_bytes(call) > largest_size_bytes) continue;
            cases.push_back(std::make_unique<NonblockingCase>(context, sweep.probe, call, progress, ratio,
                                                              settings.harness.check));
          }
        }
      }
    }
  }
  return cases;
}

std::vector<record::Skipped> skipped_nonblocking(const Settings& settings,
                                                 const NonblockingCollectives* collectives, int ranks) {
  std::vector<record::Skipped> rows;
  for (const NonblockingSweep& sweep : {nbc_sweep(settings, ranks), neighbourhood_sweep(ranks)}) {
    if (std::ranges::find(settings.probes, sweep.probe) == settings.probes.end()) continue;
    for (const NonblockingOperation operation : sweep.operations) {
      const std::string_view why =
          collectives == nullptr ? "this program has no collectives" : collectives->absence(operation);
      if (why.empty()) continue;
      rows.push_back({.probe = sweep.probe,
                      .transport = "mpi",
                      .operation = std::string{to_string(operation)},
                      .reason = std::string{why}});
    }
  }
  return rows;
}

}  // namespace stretto::probe
