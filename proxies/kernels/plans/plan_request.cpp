// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/plans/plan_request.hpp"

#include <algorithm>
#include <set>

#include "kernels/kernels.hpp"
#include "kernels/plans/kernel_plan.hpp"
#include "network/draws.hpp"

namespace stretto::kernel::plans {
namespace {

using network::Json;
using network::RequestMembers;

constexpr int max_ranks = 1 << 20;
constexpr int max_iterations = 1 << 20;

PlanRequest request_of(const RequestMembers& members) {
  Request named{.class_name = members.text("class"),
                .variant = members.text("variant"),
                .transport = members.text("transport"),
                .options = {}};
  PlanRequest request{.kernel = checked(find_kernel(members.text("kernel")), std::move(named)),
                      .ranks = static_cast<int>(members.whole("ranks", 2, max_ranks)),
                      .iterations = {}};
  if (members.has("iterations")) {
    request.iterations = static_cast<int>(members.whole("iterations", 0, max_iterations));
  }
  return request;
}

std::vector<PlanPhase> phases_of(const RequestMembers& members) {
  const PlanRequest request = request_of(members);
  const std::string kernel = members.text("kernel");
  std::vector<PlanPhase> phases;
  if (kernel == "ft") {
    phases = ft_plan(request);
  } else if (kernel == "mg") {
    phases = mg_plan(request);
  } else if (kernel == "cg") {
    phases = cg_plan(request);
  } else {
    members.refuse("kernel", "choose from ft, mg, cg");
  }
  for (PlanPhase& phase : phases) phase.schedule.ranks = request.ranks;
  return phases;
}

Json phase_json(const PlanPhase& phase) {
  std::uint64_t messages = 0;
  std::set<std::uint64_t> sizes;
  for (const network::GraphStep& step : phase.schedule.steps) {
    if (step.kind != network::GraphStep::Kind::start) continue;
    if (step.size_bytes > 0) ++messages;
    sizes.insert(step.size_bytes);
  }
  return {{"name", phase.schedule.name},
          {"times", phase.times},
          {"flops", phase.flops},
          {"messages", messages},
          {"sizes_bytes", sizes}};
}

double run_s(const std::vector<PlanPhase>& phases, bool has_barriers, const network::PathCosts& costs,
             double seconds_per_flop) {
  const auto barrier_s = has_barriers ? std::nullopt : std::optional(0.0);
  double total_s = 0;
  for (const PlanPhase& phase : phases) {
    const double phase_s = phase.schedule.messages == 0
                               ? phase.flops * seconds_per_flop
                               : evaluate(phase.schedule, costs, seconds_per_flop, barrier_s).total_s;
    total_s += static_cast<double>(phase.times) * phase_s;
  }
  return total_s;
}

Json times_of(const RequestMembers& members, const std::vector<PlanPhase>& phases) {
  const network::DrawnPath path(members.object("path"));
  const network::Draws rate(members.numbers("seconds_per_flop"));
  const bool has_barriers = members.text("transport") == "mpi-rma";
  Json totals = Json::array();
  const std::size_t draws = common_count(members, {path.count(), rate.count()});
  for (std::size_t draw = 0; draw < draws; ++draw) {
    totals.push_back(run_s(phases, has_barriers, path.at(draw), rate.at(draw)));
  }
  return totals;
}

}  // namespace

Json answer(const RequestMembers& members) {
  const std::vector<PlanPhase> phases = phases_of(members);
  Json json = {{"phases", Json::array()}};
  for (const PlanPhase& phase : phases) json["phases"].push_back(phase_json(phase));
  if (members.text("kernel") == "ft") {
    const nas::FtClass& size = nas::ft_class(members.text("class"));
    json["points"] = size.nx * size.ny * size.nz;
  }
  if (members.has("path")) json["total_s"] = times_of(members, phases);
  return json;
}

}  // namespace stretto::kernel::plans
