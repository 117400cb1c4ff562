// SPDX-License-Identifier: BSD-3-Clause
// `kernel`: the variants of a kernel of `stretto run`, and the time of one of them. Members: `kernel` (`ft`,
// `mg`, `cg`, `spmv`), `ranks`, and its sizes: `nx`, `ny`, `nz` and `iterations` of ft, `points` and
// `iterations` of mg, `rows`, `nonzeros` and `iterations` of cg, the members of ProductNeeds of spmv.
//
// Without `variant` the answer has `variants`, the simplest first. Each has `variant`, `transport`,
// `settings`, `overlapped`, `operation` (of its messages: put, get or send) and `phases` (`name`, `times`,
// `flops`, `messages`, those with data, and `sizes_bytes`). With `variant`, `transport` and optionally
// `settings` it has only that one. With `path` and `seconds_per_flop`, too, the answer is `total_s`, the
// time of a run in each draw. Flags and credits replace barriers, except over MPI's window.
#include <fmt/format.h>

#include <set>

#include "network/draws.hpp"
#include "network/kernel_variants.hpp"
#include "network/probe_schedules.hpp"
#include "network/requests.hpp"

namespace stretto::network {
namespace {

std::unique_ptr<KernelModel> kernel_of(const RequestMembers& request) {
  const std::string name = request.text("kernel");
  if (name == "ft") return ft_kernel(request);
  if (name == "mg") return mg_kernel(request);
  if (name == "cg") return cg_kernel(request);
  if (name == "spmv") return spmv_kernel(request);
  request.refuse("kernel", "choose from ft, mg, cg, spmv");
}

VariantName variant_of(const RequestMembers& request, const KernelModel& kernel) {
  VariantName name{
      .variant = request.text("variant"), .transport = request.text("transport"), .settings = {}};
  name.overlapped = kernel.overlaps(name.variant);
  if (!request.has("settings")) return name;
  const Json& settings = request.at("settings");
  if (!settings.is_array()) request.refuse("settings", "give an array of texts");
  for (const Json& one : settings) {
    if (!one.is_string()) request.refuse("settings", "give an array of texts");
    name.settings.push_back(one);
  }
  return name;
}

Json phase_json(const KernelPhase& phase) {
  std::uint64_t messages = 0;
  std::set<std::uint64_t> sizes;
  for (const GraphStep& step : phase.schedule.steps) {
    if (step.kind != GraphStep::Kind::start) continue;
    if (step.size_bytes > 0) ++messages;
    sizes.insert(step.size_bytes);
  }
  return {{"name", phase.schedule.name},
          {"times", phase.times},
          {"flops", phase.flops},
          {"messages", messages},
          {"sizes_bytes", sizes}};
}

/// The operation of the messages of a variant: get, or the one that the profile has for its transport.
std::string_view operation_of(const VariantName& name, const std::vector<KernelPhase>& phases) {
  for (const KernelPhase& phase : phases) {
    const GraphStep* const first = phase.schedule.first_start();
    if (first != nullptr && first->operation == TransferOperation::get) return "get";
  }
  return name.transport == "mpi-two-sided" ? "send" : "put";
}

Json variant_json(const VariantName& name, const std::vector<KernelPhase>& phases) {
  Json json = {{"variant", name.variant},
               {"transport", name.transport},
               {"settings", name.settings},
               {"overlapped", name.overlapped},
               {"operation", operation_of(name, phases)},
               {"phases", Json::array()}};
  for (const KernelPhase& phase : phases) json["phases"].push_back(phase_json(phase));
  return json;
}

double run_s(const std::vector<KernelPhase>& phases, const VariantName& name, const PathCosts& costs,
             double seconds_per_flop) {
  const auto barrier_s = name.transport == "mpi-rma" ? std::nullopt : std::optional(0.0);
  double total_s = 0;
  for (const KernelPhase& phase : phases) {
    const double work_s = phase.flops * seconds_per_flop;
    const bool silent = phase.schedule.messages == 0;
    total_s += static_cast<double>(phase.times) *
               (silent ? work_s : evaluate(phase.schedule, costs, work_s, barrier_s).total_s);
  }
  return total_s;
}

Json answer_checked(const RequestMembers& request) {
  const auto kernel = kernel_of(request);
  if (!request.has("variant")) {
    Json json = {{"variants", Json::array()}};
    for (const VariantName& name : kernel->variants()) {
      json["variants"].push_back(variant_json(name, kernel->phases(name)));
    }
    return json;
  }
  const VariantName name = variant_of(request, *kernel);
  const std::vector<KernelPhase> phases = kernel->phases(name);
  if (!request.has("path")) return {{"variants", Json::array({variant_json(name, phases)})}};
  const DrawnPath path(request.object("path"));
  const Draws rate(request.numbers("seconds_per_flop"));
  Json totals = Json::array();
  const std::size_t draws = common_count(request, {path.count(), rate.count()});
  for (std::size_t draw = 0; draw < draws; ++draw) {
    totals.push_back(run_s(phases, name, path.at(draw), rate.at(draw)));
  }
  return {{"total_s", totals}};
}

}  // namespace

Json answer_kernel(const RequestMembers& request) {
  try {
    return answer_checked(request);
  } catch (const InvalidParameter& wrong) {
    request.refuse(wrong.parameter().c_str(), wrong.what());
  }
}

}  // namespace stretto::network
