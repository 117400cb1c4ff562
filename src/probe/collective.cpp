// SPDX-License-Identifier: BSD-3-Clause
// `collective`: one call of a collective operation, flat and on grids, over the number of ranks and the
// size. The two phases are also timed alone (Kühnemann, Rauber, Rünger, figures 2 to 5).
#include <algorithm>
#include <array>

#include "probe/collectives.hpp"
#include "probe/probes.hpp"

namespace stretto::probe {
namespace {

constexpr SizeRange collective_sizes{.min_bytes = 32, .max_bytes = std::size_t{8} << 20};
constexpr std::size_t size_factor = 8;
constexpr std::array own_members = {2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256};
/// The operations of the paper.
const std::vector<collective::Operation> paper_operations = {
    collective::Operation::broadcast, collective::Operation::gather,    collective::Operation::scatter,
    collective::Operation::reduce,    collective::Operation::allreduce, collective::Operation::allgather};
constexpr std::array<std::string_view, 3> part_names = {"total", "leader", "concurrent"};

/// The largest buffer of a rank; larger calls are left out.
constexpr std::size_t largest_root_bytes = largest_size_bytes;

class CollectiveCase final : public measure::Experiment {
 public:
  CollectiveCase(const ProbeContext& context, const CollectiveCall& call, bool checked)
      : collectives_(*context.collectives), call_(call), checked_(checked) {}

  [[nodiscard]] std::string probe() const override { return "collective"; }

  void calibrate(measure::Timekeeper& timekeeper) override {
    collectives_.prepare(call_, checked_);
    (void)timekeeper.time([this](measure::StepTimer&) { collectives_.run(CollectivePart::total); });
  }

  [[nodiscard]] record::Fields axes() const override {
    record::Fields fields{{"operation", std::string{to_string(call_.operation)}},
                          {"algorithm", std::string{to_string(call_.form.algorithm)}},
                          {"grid", to_string(call_.form.grid)},
                          {"members", std::int64_t{call_.members}},
                          {"size_bytes", static_cast<std::int64_t>(call_.size_bytes)}};
    if (is_rooted(call_.operation)) fields.emplace_back("root", std::int64_t{call_.root});
    if (call_.form.segments > 1) fields.emplace_back("segments", std::int64_t{call_.form.segments});
    return fields;
  }

  [[nodiscard]] std::vector<measure::Quantity> quantities() override {
    std::vector<measure::Quantity> quantities{quantity(CollectivePart::total)};
    // The phases of a message in segments overlap, so that they have no times of their own.
    if (!call_.form.grid.is_flat() && call_.form.segments == 1) {
      quantities.push_back(quantity(CollectivePart::leader));
      quantities.push_back(quantity(CollectivePart::concurrent));
    }
    return quantities;
  }

  void fill(std::uint32_t seed) override { collectives_.fill(seed); }

  [[nodiscard]] measure::CheckedTransfers verify(const std::string& quantity, std::uint32_t seed) override {
    if (quantity != part_names.front()) return {};
    return collectives_.verify(seed);
  }

 private:
  [[nodiscard]] measure::Quantity quantity(CollectivePart part) {
    return {.name = std::string{part_names[static_cast<std::size_t>(part)]},
            .messages = 1,
            .step = [this, part](measure::StepTimer&) { collectives_.run(part); }};
  }

  Collectives& collectives_;
  CollectiveCall call_;
  bool checked_;
};

/// The requested numbers of members that do not exceed the ranks; by default a series up to all ranks.
std::vector<int> members_of(const CollectiveSettings& settings, int ranks) {
  std::vector<int> members;
  const auto fits = [ranks](int p) { return p >= 2 && p <= ranks; };
  if (!settings.members.empty()) {
    std::ranges::copy_if(settings.members, std::back_inserter(members), fits);
    return members;
  }
  std::ranges::copy_if(own_members, std::back_inserter(members), fits);
  if (std::ranges::find(members, ranks) == members.end()) members.push_back(ranks);
  return members;
}

/// The requested grids; by default flat for all members, and all grids of the largest group.
std::vector<collective::Grid> grids_of(const CollectiveSettings& settings, int members, bool largest) {
  const std::vector<collective::Grid> all = collective::factorisations(members);
  std::vector<collective::Grid> grids;
  if (settings.grids.empty()) {
    grids.emplace_back();
    if (largest) grids.insert(grids.end(), all.begin(), all.end());
    return grids;
  }
  for (const std::string& text : settings.grids) {
    if (text == "all") {
      grids.insert(grids.end(), all.begin(), all.end());
      continue;
    }
    const auto grid = collective::grid_from(text);
    if (grid && (grid->is_flat() || grid->holds(members))) grids.push_back(*grid);
  }
  return grids;
}

bool is_cut(collective::Operation operation) {
  return operation == collective::Operation::broadcast || operation == collective::Operation::reduce;
}

/// The size of the largest buffer: that of all members' blocks, where some rank holds them.
std::size_t root_bytes(const CollectiveCall& call) {
  using collective::Operation;
  const bool message = call.operation == Operation::broadcast || call.operation == Operation::reduce ||
                       call.operation == Operation::allreduce;
  return call.size_bytes * (message ? 1 : static_cast<std::size_t>(call.members));
}

}  // namespace

Cases collective_cases(const Settings& settings, const ProbeContext& context) {
  if (context.collectives == nullptr) return {};
  const CollectiveSettings& requested = settings.collective;
  Cases cases;
  const std::vector<int> all_members = members_of(requested, context.team.size());
  const std::vector<collective::Operation>& operations =
      requested.operations.empty() ? paper_operations : requested.operations;
  for (const int members : all_members) {
    const std::vector<collective::Grid> grids = grids_of(requested, members, members == all_members.back());
    for (const collective::Operation operation : operations) {
      for (const collective::Algorithm algorithm : requested.algorithms) {
        for (const collective::Grid& grid : grids) {
          for (const int segments : requested.segments) {
            if (segments > 1 && (grid.is_flat() || !is_cut(operation))) continue;
            for (const std::size_t size_bytes : sizes_or(settings, collective_sizes, size_factor)) {
              const CollectiveCall call{.operation = operation,
                                        .form = {.grid = grid, .algorithm = algorithm, .segments = segments},
                                        .members = members,
                                        .root = std::min(requested.root, members - 1),
                                        .size_bytes = size_bytes};
              if (root_bytes(call) > largest_root_bytes) continue;
              cases.push_back(std::make_unique<CollectiveCase>(context, call, settings.harness.check));
            }
          }
        }
      }
    }
  }
  return cases;
}

}  // namespace stretto::probe
